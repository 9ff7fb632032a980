//! Attempts of a stranger's text to get out of a confined engine. `tests/sandbox/README.md` describes the files.

use std::fmt::Write;
use std::path::{Path, PathBuf};
use wamlet::{Capabilities, Engine, Error, ErrorKind};

/// Inferences that an attempt may take.
const INFERENCES: u64 = 300_000;

/// An attempt, and what must come of it.
#[derive(Debug, Default)]
struct Attempt {
    place: String,
    /// A text that is loaded first.
    load: String,
    goal: String,
    must: String,
}

/// The attempts of a file.
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
            "goal" => attempt.goal = value.to_owned(),
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

/// A folder that is granted, with a file, a link that leads out of it, and one that stays.
struct Data(PathBuf);

impl Data {
    fn new() -> Data {
        let path = std::env::temp_dir().join(format!("wamlet_sandbox_{}", std::process::id()));
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

    fn engine(&self) -> Engine {
        let capabilities = Capabilities::pure()
            .read("/data", self.0.join("data"))
            .load("/library", self.0.join("library"));
        let builder = Engine::builder().capabilities(capabilities);
        let mut engine = builder
            .inference_limit(INFERENCES)
            .build()
            .expect("it works");
        let text = "allow(ann).\n";
        assert!(
            engine
                .consult_text("policy.pl", text)
                .expect("it works")
                .is_clean()
        );
        engine
    }
}

impl Drop for Data {
    fn drop(&mut self) {
        let _ = std::fs::remove_dir_all(&self.0);
    }
}

/// What a goal came to.
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

/// What the report of a load says that it must.
fn report(engine: &mut Engine, text: &str, refusal: &str) -> String {
    match engine.consult_text("tenant.pl", text) {
        Ok(report) => {
            let says = |message: &str| message.contains(refusal);
            match report.errors.iter().find(|error| says(&error.message)) {
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

/// The ways in which a goal is tried, and what each comes to.
fn ways(data: &Data, attempt: &Attempt, capability: &str) -> Vec<(&'static str, String)> {
    let Attempt { load, goal, .. } = attempt;
    let refusal = format!("permission_error(use, capability, {capability})");
    let mut engine = data.engine();
    let loaded = engine.consult_text("tenant.pl", load).expect("it works");
    assert!(loaded.errors.is_empty(), "{:?}", loaded.errors);
    let mut query = |goal: &str| outcome(engine.query_once(goal));
    let mut loader = data.engine();
    let mut text = |text: &str| {
        let said = report(&mut loader, &format!("{load}{text}"), &refusal);
        match said.starts_with("line ") {
            true => format!("refuse {capability}"),
            false => said,
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
        goal,
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
        Some(("not", _)) => {}
        Some(("refuse", capability)) => {
            for (way, found) in ways(data, attempt, capability) {
                fault(way, &found);
            }
        }
        Some(("report", capability)) => {
            let refusal = format!("permission_error(use, capability, {capability})");
            let said = report(&mut data.engine(), load, &refusal);
            match said.starts_with("line ") {
                true => {}
                false => fault("load", &said),
            }
        }
        _ => {
            let mut engine = data.engine();
            let _ = engine.consult_text("tenant.pl", load).expect("it works");
            let mut found = outcome(engine.query_once(goal));
            let shown = [engine.take_output(), engine.take_error_output()];
            if shown.iter().any(|text| !text.is_empty()) {
                found = format!("write {}", shown.concat().trim_end());
            }
            fault("goal", &found);
            // The engine goes on.
            assert!(engine.query_once("allow(ann)").expect("it works").is_some());
        }
    }
}

#[test]
fn no_attempt_gets_out() {
    let data = Data::new();
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/sandbox");
    let entries = std::fs::read_dir(folder).expect("it works");
    let mut paths: Vec<PathBuf> = entries
        .map(|entry| entry.expect("it works").path())
        .collect();
    paths.sort();
    let mut faults = String::new();
    let mut count = 0;
    for path in paths
        .iter()
        .filter(|path| path.extension().is_some_and(|end| end == "txt"))
    {
        for attempt in attempts(path) {
            check(&data, &attempt, &mut faults);
            count += 1;
        }
    }
    assert!(count >= 60, "{count} attempts");
    assert!(faults.is_empty(), "\n{faults}");
    let left: Vec<_> = std::fs::read_dir(std::env::temp_dir())
        .expect("it works")
        .filter_map(|entry| entry.expect("it works").file_name().into_string().ok())
        .filter(|name| name.starts_with("doors_"))
        .collect();
    assert!(left.is_empty(), "{left:?}");
}
