//! Compares how much posting a constraint reduces the domains, here and in SWI-Prolog.
//!
//! `cargo test --release --test constraints strength -- --ignored --nocapture` needs `swipl`. It prints
//! the constraints after which a domain is larger here. For each kind it also prints how often domains
//! are larger and smaller. `WAMLET_MODELS`, `WAMLET_FIRST_MODEL` and `WAMLET_KIND` work as for the other
//! tests.

use crate::engine::{Asker, number};
use crate::generate::model;
use crate::model::{Model, Way};
use crate::term::{Term, names};
use std::collections::BTreeMap;
use std::env;
use std::fmt::Write;
use std::fs;
use std::process::Command;

/// Number of models.
const MODELS: u64 = 2_000;
/// Maximum number of larger domains that are printed.
const SHOWN: usize = 40;

/// The program for SWI-Prolog: it prints a line for each model, with the sizes of the domains.
const RUNNING: &str = "\
:- use_module(library(clpfd)).
run(File) :-
    open(File, read, Stream),
    repeat,
    read_term(Stream, Term, []),
    (   Term == end_of_file
    ->  !
    ;   Term = (Sizes :- Goal),
        catch(call_with_time_limit(2, (Goal -> L = Sizes ; L = false)), _, L = error),
        print(L),
        nl,
        fail
    ).
";

#[test]
#[ignore = "needs swipl"]
#[expect(
    clippy::print_stdout,
    reason = "the output of a test that is run by hand"
)]
fn domains_are_as_small_as_those_of_swi_prolog() {
    let wanted = env::var("WAMLET_KIND").ok();
    let first = number("WAMLET_FIRST_MODEL", 0);
    let numbers = first..first + number("WAMLET_MODELS", MODELS);
    let models = numbers.map(|number| model(number, wanted.as_deref(), 1));
    // SWI-Prolog is slow on long schedules, because it handles each moment.
    let models = models.filter(|model| model.is_small() || kind(model) != "cumulative");
    let models: Vec<Model> = models.collect();
    let theirs = swi_prolog(&models);
    assert_eq!(theirs.len(), models.len(), "swipl answers each model");
    let mut asker = Asker::new(false);
    let mut counts: BTreeMap<String, [u32; 4]> = BTreeMap::new();
    let mut larger = Vec::new();
    for (model, theirs) in models.iter().zip(&theirs) {
        let ours = asker.value(&query(model)).unwrap_or_else(|error| error);
        let text = model.constraints[0].to_string();
        let place = place(model, &ours, theirs);
        counts.entry(kind(model)).or_default()[place] += 1;
        if place == 0 {
            larger.push(format!(
                "?- {}.\n% here {ours}, swipl {theirs}",
                goal(model)
            ));
        } else if place == 3 {
            println!("not compared: {text}: here {ours}, swipl {theirs}");
        }
    }
    larger.sort_by_key(String::len);
    for text in larger.iter().take(SHOWN) {
        println!("{text}");
    }
    for (kind, [larger, same, smaller, other]) in &counts {
        println!("{kind}: larger {larger}, same {same}, smaller {smaller}, not compared {other}");
    }
}

/// Returns the index of the count: larger, same, smaller, not compared.
fn place(model: &Model, ours: &str, theirs: &str) -> usize {
    let (Some(ours), Some(theirs)) = (sizes(ours, model), sizes(theirs, model)) else {
        return 3;
    };
    let solutions = model.solutions().unwrap_or_default();
    let supported = |var: usize| {
        let mut values: Vec<i128> = solutions.iter().map(|values| values[var]).collect();
        values.sort_unstable();
        values.dedup();
        values.len() as u64
    };
    // A result of SWI-Prolog that loses solutions is not compared.
    if (0..theirs.len()).any(|var| theirs[var] < supported(var)) {
        return 3;
    }
    if ours.iter().zip(&theirs).any(|(ours, theirs)| ours > theirs) {
        0
    } else {
        1 + usize::from(ours != theirs)
    }
}

/// Returns the sizes of domains, all 0 after a failure.
fn sizes(text: &str, model: &Model) -> Option<Vec<u64>> {
    if text == "false" {
        return Some(vec![0; model.domains.len()]);
    }
    let inner = text.strip_prefix('[')?.strip_suffix(']')?;
    inner
        .split(',')
        .map(|size| size.trim().parse().ok())
        .collect()
}

/// Returns the name of the constraint.
fn kind(model: &Model) -> String {
    match &model.constraints[0] {
        Term::Compound(name, _) => (*name).to_owned(),
        other => other.to_string(),
    }
}

/// Returns domains and constraint, without labeling.
fn goal(model: &Model) -> String {
    let goal = model.goal(Way::Posted);
    let end = goal.rfind(", label(").unwrap_or(goal.len());
    goal[..end].to_owned()
}

fn query(model: &Model) -> String {
    format!(
        "{}, maplist(fd_size, {}, L)",
        goal(model),
        names(model.domains.len())
    )
}

/// Returns what SWI-Prolog finds, a line for each model.
fn swi_prolog(models: &[Model]) -> Vec<String> {
    let folder = env::temp_dir().join(format!("wamlet-strength-{}", std::process::id()));
    fs::create_dir_all(&folder).expect("a folder");
    let mut text = String::new();
    for model in models {
        writeln!(text, "L :- {}.", query(model)).expect("memory");
    }
    fs::write(folder.join("models.pl"), text).expect("a file");
    fs::write(folder.join("run.pl"), RUNNING).expect("a file");
    let output = Command::new("swipl")
        .args(["-q", "-g", "run('models.pl')", "-t", "halt", "run.pl"])
        .current_dir(&folder)
        .output()
        .expect("swipl is installed");
    fs::remove_dir_all(&folder).expect("the folder");
    let lines = String::from_utf8_lossy(&output.stdout);
    lines.lines().map(str::to_owned).collect()
}
