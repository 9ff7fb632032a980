//! A check of a configuration by rules. It runs again whenever the rules or the configuration change:
//! `cargo run --release --example configuration -- RULES CONFIGURATION [--once]`.
//!
//! The configuration is a text of facts that people write by hand:
//!
//! ```prolog
//! service(web, 8080).
//! service(mail, 25).
//! needs(web, database).
//! ```
//!
//! The rules are clauses of `wrong/2`. The first argument is the wrong fact, the second a message in the form of format/2:
//!
//! ```prolog
//! wrong(service(Name, Port), "port ~w of ~w is reserved"-[Port, Name]) :- Port < 1024.
//! wrong(needs(Name, Other), "~w needs ~w, which is no service"-[Name, Other]) :- \+ service(Other, _).
//! ```
//!
//! Errors of reading, errors of running a rule, and findings of rules all have a place. The texts have no effect outside of the
//! engine, and a check ends within its budget.
#![expect(clippy::print_stdout, reason = "results are shown to whoever runs it")]

use std::path::Path;
use std::process::ExitCode;
use std::time::{Duration, SystemTime};
use wamlet::{Budget, Error, Program};

/// The program that applies the rules to the facts and finds the line of each wrong fact.
const CHECK: &str = "
:- dynamic wrong/2.
finding(Line, Text) :-
    distinct(Fact, (clause(wrong(Fact, _), _), nonvar(Fact))),
    clause(Fact, true, Clause),
    clause_property(Clause, line_count(Line)),
    wrong(Fact, Why),
    shown(Why, Text).
shown(Format-Values, Text) :- !, format(string(Text), Format, Values).
shown(Text, Text).
";

/// Returns the errors of both texts or, if there are none, the findings of the rules. Each is one line.
fn check(common: &Program, files: [(&str, &str); 2]) -> Result<Vec<String>, Error> {
    let mut engine = common.engine()?;
    let mut wrong = Vec::new();
    for (name, text) in files {
        let report = engine.consult_text(name, text)?;
        wrong.extend(report.errors.iter().map(ToString::to_string));
    }
    if !wrong.is_empty() {
        return Ok(wrong);
    }
    let [_, (configuration, _)] = files;
    let mut findings = engine.query("finding(Line, Text)")?;
    while findings.advance()? {
        let line = findings.get("Line").and_then(|line| line.as_integer());
        let text = findings.get("Text");
        let text = text
            .as_ref()
            .and_then(|text| text.as_text())
            .unwrap_or("wrong");
        wrong.push(format!("{configuration}:{}: {text}", line.unwrap_or(0)));
    }
    findings.close()?;
    Ok(wrong)
}

/// Makes the program that all checks share. It grants nothing to the texts.
fn common() -> Result<Program, Error> {
    let budget = Budget::new().memory(64 << 20).time(Duration::from_secs(1));
    let built = Program::builder().budget(budget).text("check.pl", CHECK);
    Ok(built.build()?.0)
}

/// Returns the time at which a file was last written, if it exists.
fn written(file: &str) -> Option<SystemTime> {
    Path::new(file).metadata().ok()?.modified().ok()
}

/// Checks the present text of the files. An unreadable file is a finding, not a fatal error: an editor may be writing it.
fn check_files(common: &Program, rules: &str, configuration: &str) -> Vec<String> {
    let read =
        |file| std::fs::read_to_string(file).map_err(|error| vec![format!("{file}: {error}")]);
    let checked = || {
        let files = [
            (rules, &*read(rules)?),
            (configuration, &*read(configuration)?),
        ];
        check(common, files).map_err(|error| vec![error.to_string()])
    };
    checked().unwrap_or_else(|wrong| wrong)
}

fn main() -> Result<ExitCode, Error> {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    let (rules, configuration, once) = match &arguments[..] {
        [rules, configuration] => (rules, configuration, false),
        [rules, configuration, option] if option == "--once" => (rules, configuration, true),
        _ => {
            println!("usage: configuration RULES CONFIGURATION [--once]");
            return Ok(2.into());
        }
    };
    let common = common()?;
    loop {
        let seen = [written(rules), written(configuration)];
        let wrong = check_files(&common, rules, configuration);
        for line in &wrong {
            println!("{line}");
        }
        println!("{configuration}: {} wrong", wrong.len());
        if once {
            return Ok(u8::from(!wrong.is_empty()).into());
        }
        while [written(rules), written(configuration)] == seen {
            std::thread::sleep(Duration::from_millis(200));
        }
    }
}

#[cfg(test)]
mod tests {
    use super::{check, check_files, common};

    const RULES: &str = r#"
wrong(service(Name, Port), "port ~w of ~w is reserved"-[Port, Name]) :- Port < 1024.
wrong(needs(Name, Other), "~w needs ~w, which is no service"-[Name, Other]) :- \+ service(Other, _).
"#;

    fn checked(rules: &str, configuration: &str) -> Vec<String> {
        let files = [("rules.pl", rules), ("services.pl", configuration)];
        check(&common().expect("a program"), files).unwrap_or_else(|error| vec![error.to_string()])
    }

    #[test]
    fn each_finding_has_its_line() {
        let services =
            "service(web, 8080).\nservice(mail, 25).\nneeds(web, database).\nneeds(web, mail).\n";
        let wrong = [
            "services.pl:2: port 25 of mail is reserved",
            "services.pl:3: web needs database, which is no service",
        ];
        assert_eq!(checked(RULES, services), wrong);
        assert_eq!(checked(RULES, "service(web, 8080).\n"), [""; 0]);
    }

    #[test]
    fn a_file_that_is_missing_is_wrong() {
        let wrong = check_files(&common().expect("a program"), "missing.pl", "services.pl");
        assert!(
            wrong.len() == 1 && wrong[0].starts_with("missing.pl: "),
            "{wrong:?}"
        );
    }

    #[test]
    fn errors_of_both_texts_have_their_places() {
        for (rules, services, place) in [
            (
                RULES,
                "service(web, 8080).\nservice(mail 25).\n",
                "services.pl:2:14: error: ",
            ),
            (RULES, "service(web, port).\n", "rules.pl:2:73: "),
            (RULES, ":- shell(ls).\n", "services.pl:1:4: error: "),
            ("wrong(x, .\n", "", "rules.pl:1:10: error: "),
            ("wrong(a, _) :- repeat, fail.", "a.\n", "rules.pl:1:"),
        ] {
            let wrong = checked(rules, services);
            assert!(
                wrong.iter().any(|line| line.starts_with(place)),
                "{wrong:?} without {place}"
            );
        }
    }
}
