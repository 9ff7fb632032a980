//! Attempts by the text of a stranger to get out of a confined engine. `tests/sandbox/README.md` describes the
//! files.

use std::fmt::Write;
use std::path::{Path, PathBuf};
use wamlet::{Capabilities, Engine, Error, ErrorKind, Program};

/// Maximum number of inferences of an attempt.
const INFERENCES: u64 = 300_000;

/// An attempt, and its required outcome.
#[derive(Debug, Default)]
struct Attempt {
    place: String,
    /// A text that is loaded first.
    load: String,
    /// A text of a tenant, which is loaded next.
    tenant: String,
    goal: String,
    /// A goal that the host runs afterwards.
    host: String,
    must: String,
}

/// Returns the attempts of a file.
fn attempts(path: &Path) -> Vec<Attempt> {
    let text = std::fs::read_to_string(path).expect("it works");
    let name = path
        .file_name()
        .expect("it works")
        .to_string_lossy()
        .into_owned();
    let mut found = Vec::new();
    let mut attempt = Attempt::default();
    for (number, line) in text.lines().enumerate() {
        let Some((key, value)) = line.split_once(": ").filter(|_| !line.starts_with('%')) else {
            assert!(line.is_empty() || line.starts_with('%'), "{name}: {line}");
            continue;
        };
        match key {
            "load" => attempt.load += &format!("{value}\n"),
            "tenant" => attempt.tenant += &format!("{value}\n"),
            "goal" => attempt.goal = value.to_owned(),
            "host" => attempt.host = value.to_owned(),
            "must" => {
                attempt.must = value.to_owned();
                attempt.place = format!("{name}:{}", number + 1);
                found.push(std::mem::take(&mut attempt));
            }
            _ => panic!("{name}:{}: {key}", number + 1),
        }
    }
    found
}

/// A granted folder with a file, a link that leads out of the folder, and one that stays inside.
struct Data(PathBuf);

impl Data {
    /// Makes the folder of a test. Tests run at the same time, so each has its own.
    fn new(test: &str) -> Data {
        let name = format!("wamlet_sandbox_{test}_{}", std::process::id());
        let path = std::env::temp_dir().join(name);
        let _ = std::fs::remove_dir_all(&path);
        std::fs::create_dir_all(path.join("data/folder")).expect("it works");
        std::fs::create_dir_all(path.join("library")).expect("it works");
        std::fs::write(path.join("data/file.txt"), "a(1).\n").expect("it works");
        std::fs::write(path.join("library/rules.pl"), "rule(1).\n").expect("it works");
        std::fs::write(path.join("outside.pl"), "outside(1).\n").expect("it works");
        #[cfg(unix)]
        {
            use std::os::unix::fs::symlink;
            symlink("/etc/passwd", path.join("data/link")).expect("it works");
            symlink("../outside.pl", path.join("data/up.pl")).expect("it works");
            symlink("../outside.pl", path.join("library/up.pl")).expect("it works");
            symlink("/", path.join("data/top")).expect("it works");
            symlink("file.txt", path.join("data/inside")).expect("it works");
        }
        Data(path)
    }

    /// Returns an engine of the host, with everything that its tenants find there.
    fn engine(&self) -> Engine {
        let mut engine = self.confined();
        let never = |_: &mut wamlet::Call<'_>| Ok(false);
        engine.register("has_role", 2, never).expect("it works");
        engine
    }

    /// Returns the same engine without functions, which belong to one engine.
    fn confined(&self) -> Engine {
        let capabilities = Capabilities::pure()
            .read("/data", self.0.join("data"))
            .load("/library", self.0.join("library"));
        let builder = Engine::builder().capabilities(capabilities);
        let mut engine = builder
            .inference_limit(INFERENCES)
            .build()
            .expect("it works");
        let text = ":- module(policy, [allow/1]).\n:- dynamic staff/1.\nallow(X) :- staff(X).\nstaff(ann).\n";
        assert!(
            engine
                .consult_text("policy.pl", text)
                .expect("it works")
                .is_clean()
        );
        engine.protect("policy").expect("it works");
        engine
    }
}

impl Drop for Data {
    fn drop(&mut self) {
        let _ = std::fs::remove_dir_all(&self.0);
    }
}

/// Returns the outcome of a goal as text.
fn outcome(found: Result<Option<wamlet::Solution>, Error>) -> String {
    match found {
        Ok(Some(solution)) => format!("answer {solution}").replace('\n', " "),
        Ok(None) => "fail".to_owned(),
        Err(error) => outcome_of(&error),
    }
}

fn outcome_of(error: &Error) -> String {
    match (error.refused(), error.kind()) {
        (Some(capability), _) => format!("refuse {capability}"),
        (None, ErrorKind::InferenceLimit | ErrorKind::TimeLimit) => "limit".to_owned(),
        (None, ErrorKind::Halt(_)) => "halt".to_owned(),
        (None, _) => format!("error {}", error.formal_text().unwrap_or(error.message())),
    }
}

/// Returns the line of the required error in the report of a load, or the whole report.
fn report(engine: &mut Engine, attempt: &Attempt, refusal: &str) -> String {
    let loaded = match attempt.tenant.as_str() {
        "" => engine.consult_text("tenant.pl", &attempt.load),
        text => engine.consult_tenant("t", "tenant.pl", text),
    };
    match loaded {
        Ok(report) => {
            let spaced = |term: &str| term.replace(' ', "");
            let refusal = spaced(refusal);
            let says = |error: &&wamlet::Diagnostic| {
                let term = error.term.as_deref().unwrap_or_default();
                spaced(&error.message).contains(&refusal) || spaced(term).contains(&refusal)
            };
            match report.errors.iter().find(says) {
                Some(error) => format!("line {}", error.line),
                None => {
                    let messages = report.errors.iter().map(|error| error.message.as_str());
                    format!("report {:?}", messages.collect::<Vec<_>>())
                }
            }
        }
        Err(error) => format!("{error:?}"),
    }
}

/// Tries a goal in several ways and returns the outcome of each.
fn ways(data: &Data, attempt: &Attempt, capability: &str) -> Vec<(&'static str, String)> {
    let Attempt { load, goal, .. } = attempt;
    let refusal = format!("permission_error(use, capability, {capability})");
    let mut engine = data.engine();
    let loaded = engine.consult_text("tenant.pl", load).expect("it works");
    assert!(loaded.errors.is_empty(), "{:?}", loaded.errors);
    let mut query = |goal: &str| outcome(engine.query_once(goal));
    let mut loader = data.engine();
    let mut text = |text: &str| {
        let load = format!("{load}{text}");
        let attempt = Attempt {
            load,
            ..Attempt::default()
        };
        let found = report(&mut loader, &attempt, &refusal);
        match found.starts_with("line ") {
            true => format!("refuse {capability}"),
            false => found,
        }
    };
    let caught = format!(
        "setup_call_cleanup(true, true, catch(({goal}), error(F, _), nb_setval(caught, F))), \
         nb_getval(caught, permission_error(use, capability, C))"
    );
    let in_cleanup = match query(&caught) {
        answer if answer.contains(&format!("C = {capability}")) => format!("refuse {capability}"),
        other => other,
    };
    vec![
        ("goal", query(goal)),
        (
            "call/N",
            query(&format!("Whole = call(({goal})), call(Whole)")),
        ),
        (
            "freeze",
            query(&format!("freeze(Frozen, ({goal})), Frozen = 1")),
        ),
        ("cleanup", in_cleanup),
        ("directive", text(&format!(":- {goal}.\n"))),
        (
            "initialization",
            text(&format!(":- initialization(({goal})).\n")),
        ),
        (
            "term expansion",
            text(&format!("user:term_expansion(go, []) :- {goal}.\ngo.\n")),
        ),
        (
            "goal expansion",
            text(&format!(
                "user:goal_expansion(go, true) :- {goal}.\np :- go.\n"
            )),
        ),
    ]
}

fn check(data: &Data, attempt: &Attempt, faults: &mut String) {
    let Attempt {
        place,
        load,
        tenant,
        goal,
        host,
        must,
    } = attempt;
    let mut fault = |way: &str, found: &str| {
        let names = must
            .strip_prefix("answer ")
            .filter(|names| !names.contains('='));
        let has_all = |names: &str| {
            names
                .split(' ')
                .all(|name| found.contains(&format!("{name} = ")))
        };
        if found != must && !names.is_some_and(has_all) {
            let _ = writeln!(faults, "{place}: {way}: {goal}: {found}; must: {must}");
        }
    };
    match must.split_once(' ') {
        Some(("refuse", capability)) => {
            for (way, found) in ways(data, attempt, capability) {
                fault(way, &found);
            }
        }
        Some(("report", error)) => {
            let refusal = match error.contains('(') {
                true => error.to_owned(),
                false => format!("permission_error(use, capability, {error})"),
            };
            let found = report(&mut data.engine(), attempt, &refusal);
            match found.starts_with("line ") {
                true => {}
                false => fault("load", &found),
            }
        }
        _ => {
            let mut engine = data.engine();
            let _ = engine.consult_text("tenant.pl", load).expect("it works");
            if !tenant.is_empty() {
                let loaded = engine.consult_tenant("t", "tenant.pl", tenant);
                let errors = loaded.expect("it works").errors;
                assert!(errors.is_empty(), "{place}: {errors:?}");
            }
            let asked = [goal, host].into_iter().filter(|goal| !goal.is_empty());
            let outcomes = asked.map(|goal| outcome(engine.query_once(goal)));
            let mut found = outcomes.last().unwrap_or_default();
            let shown = [engine.take_output(), engine.take_error_output()];
            if shown.iter().any(|text| !text.is_empty()) {
                found = format!("write {}", shown.concat().trim_end());
            }
            fault("goal", &found);
            // The engine still works.
            assert!(engine.query_once("allow(ann)").expect(place).is_some());
        }
    }
}

/// Returns the attempts of all files.
fn all_attempts() -> Vec<Attempt> {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/sandbox");
    let entries = std::fs::read_dir(folder).expect("it works");
    let mut paths: Vec<PathBuf> = entries
        .map(|entry| entry.expect("it works").path())
        .filter(|path| path.extension().is_some_and(|end| end == "txt"))
        .collect();
    paths.sort();
    paths.iter().flat_map(|path| attempts(path)).collect()
}

/// Returns the outcomes of a goal in a hundred forks, which run on four threads at the same time.
fn in_forks(program: &Program, goal: &str) -> Vec<String> {
    let some = || (0..25).map(|_| outcome(program.engine().expect("an engine").query_once(goal)));
    std::thread::scope(|scope| {
        let threads: Vec<_> = (0..4)
            .map(|_| scope.spawn(|| some().collect::<Vec<_>>()))
            .collect();
        let ends = threads
            .into_iter()
            .map(|thread| thread.join().expect("no panic"));
        ends.flatten().collect()
    })
}

#[test]
fn a_hundred_forks_refuse_at_once() {
    let data = Data::new("forks");
    for attempt in all_attempts() {
        let Some(("refuse", capability)) = attempt.must.split_once(' ') else {
            continue;
        };
        let Attempt {
            place, load, goal, ..
        } = &attempt;
        let mut engine = data.confined();
        let loaded = engine.consult_text("tenant.pl", load).expect("it works");
        assert!(loaded.errors.is_empty(), "{place}: {:?}", loaded.errors);
        let program = engine.snapshot().expect("a program");
        let refused = "error(permission_error(use, capability, Refused), _)";
        for found in in_forks(&program, &format!("catch(({goal}), {refused}, true)")) {
            let expected = format!("Refused = {capability}");
            assert!(found.ends_with(&expected), "{place}: {goal}: {found}");
        }
    }
}

#[test]
fn no_attempt_gets_out() {
    let data = Data::new("alone");
    let mut faults = String::new();
    let all = all_attempts();
    for attempt in &all {
        check(&data, attempt, &mut faults);
    }
    assert!(all.len() >= 60, "{} attempts", all.len());
    assert!(faults.is_empty(), "\n{faults}");
    let left: Vec<_> = std::fs::read_dir(std::env::temp_dir())
        .expect("it works")
        .filter_map(|entry| entry.expect("it works").file_name().into_string().ok())
        .filter(|name| name.starts_with("doors_"))
        .collect();
    assert!(left.is_empty(), "{left:?}");
}
