//! Checks a configuration against rules, and again whenever one of both changes:
//! `cargo run --release --example configuration -- RULES CONFIGURATION [--once]`.
//!
//! The configuration is a text of facts, as people write them by hand:
//!
//! ```prolog
//! service(web, 8080).
//! service(mail, 25).
//! needs(web, database).
//! ```
//!
//! The rules are clauses of `wrong/2`: which fact is wrong, and why, as format/2 shows it:
//!
//! ```prolog
//! wrong(service(Name, Port), "port ~w of ~w is reserved"-[Port, Name]) :- Port < 1024.
//! wrong(needs(Name, Other), "~w needs ~w, which is no service"-[Name, Other]) :- \+ service(Other, _).
//! ```
//!
//! Every error has its place, whether it is one of reading, of running a rule, or of a rule that found something. The texts
//! reach nothing outside, and a check ends within its budget.
#![expect(clippy::print_stdout, reason = "results are shown to whoever runs it")]

use std::path::Path;
use std::process::ExitCode;
use std::time::{Duration, SystemTime};
use wamlet::{Budget, Error, Program};

/// What connects rules and facts: each wrong fact with its line.
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

/// What is wrong, a line each.
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

/// What all checks share. Nothing is granted to the texts.
fn common() -> Result<Program, Error> {
    let budget = Budget::new().memory(64 << 20).time(Duration::from_secs(1));
    let built = Program::builder().budget(budget).text("check.pl", CHECK);
    Ok(built.build()?.0)
}

/// When a file was written last, if it is there.
fn written(file: &str) -> Option<SystemTime> {
    Path::new(file).metadata().ok()?.modified().ok()
}

/// Checks the files as they are now. One that cannot be read is wrong, too: somebody may be about to write it.
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
