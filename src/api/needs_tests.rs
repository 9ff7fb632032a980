//! The column `needs` of the tables, held against goals of which it is known what they need, and against what their
//! bodies do.

use super::Engine;
use crate::arith::evaluable;
use crate::base::needs::Needs;
use crate::base::number::Number;
use crate::machine::builtin::{Body, Builtin, builtins};
use crate::machine::control::throw::Throw;
use crate::machine::state::Machine;
use crate::store::cell::Cell;

fn refuse(m: &mut Machine, capability: &str) -> Result<bool, Throw> {
    let [action, kind, capability] =
        ["use", "capability", capability].map(|name| m.world.symbols.intern(name).unwrap());
    Err(m.permission_error(action, kind, Cell::atom(capability)))
}

// What stands in place of a builtin of which a need is refused.
builtins! { REFUSALS =
    /// Refuses.
    internal "read"() = |m, []| refuse(m, "read");
    /// Refuses.
    internal "write"() = |m, []| refuse(m, "write");
    /// Refuses.
    internal "environment"() = |m, []| refuse(m, "environment");
    /// Refuses.
    internal "processes"() = |m, []| refuse(m, "processes");
    /// Refuses.
    internal "clock"() = |m, []| refuse(m, "clock");
    /// Refuses.
    internal "random"() = |m, []| refuse(m, "random");
    /// Refuses.
    internal "stdin"() = |m, []| refuse(m, "stdin");
    /// Refuses.
    internal "stdout"() = |m, []| refuse(m, "stdout");
    /// Refuses.
    internal "halt"() = |m, []| refuse(m, "halt");
}

/// An engine in which nothing that needs a capability works.
fn without_capabilities() -> Engine {
    let mut engine = Engine::new().unwrap();
    for entry in &mut engine.machine.world.program.builtins {
        let wanted = |&&(need, _): &&(Needs, &str)| entry.needs.any(need);
        let all = Needs::ALL.iter();
        let mut capabilities = all.filter(|(need, _)| Needs::CAPABILITIES.any(*need));
        let Some((_, word)) = capabilities.find(wanted) else {
            continue;
        };
        assert!(matches!(entry.body, Body::Det(_)), "{}", entry.name);
        let refusal = REFUSALS.iter().find(|refusal| refusal.name == *word);
        let refused = Builtin {
            name: entry.name,
            modes: entry.modes,
            doc: entry.doc,
            class: entry.class,
            needs: entry.needs,
            scope_step: entry.scope_step,
            body: refusal.unwrap().body,
        };
        *entry = Box::leak(Box::new(refused));
    }
    engine
}

/// Goals, and what they need.
const GOALS: &[(&str, &str)] = &[
    ("read", "open('Cargo.toml', read, _)"),
    ("read", "G =.. [open, 'Cargo.toml', read, _], call(G)"),
    (
        "read",
        "atom_codes(F, `Cargo.toml`), maplist(open(F, read), [_])",
    ),
    ("read", "see('Cargo.toml')"),
    ("read", "consult(none)"),
    ("read", "use_module(none, [])"),
    ("read", "load_files(none, [if(true)])"),
    ("read", "exists_file(none)"),
    ("read", "exists_directory(src)"),
    ("read", "directory_files(src, _)"),
    ("read", "expand_file_name('src/*', [_, _|_])"),
    ("read", "expand_file_name('~root', [X]), X \\== '~root'"),
    ("read", "absolute_file_name(x, _)"),
    ("read", "working_directory(D, D)"),
    ("read", "read_link(src, _, _)"),
    ("read", "size_file('Cargo.toml', _)"),
    ("read", "time_file('Cargo.toml', _)"),
    ("read", "access_file('Cargo.toml', read)"),
    ("read", "same_file(src, 'src/.')"),
    ("read", "read_file_to_string('Cargo.toml', _, [])"),
    ("read", "read_file_to_codes('Cargo.toml', _, [])"),
    ("read", "read_file_to_terms('Cargo.toml', _, [])"),
    ("read", "exists_source('Cargo.toml')"),
    ("read", "directory_member(src, _, [])"),
    ("read", "phrase_from_file([], 'Cargo.toml')"),
    ("read", "source_file(_), fail ; make"),
    ("write", "tell(made)"),
    ("write", "append(made)"),
    ("write", "delete_file(none)"),
    ("write", "rename_file(none, nothing)"),
    ("write", "make_directory(made)"),
    ("write", "make_directory_path('made/within')"),
    ("write", "delete_directory(none)"),
    ("write", "link_file(none, made, symbolic)"),
    ("write", "tmp_file(x, _)"),
    ("write", "tmp_file_stream(utf8, _, S), close(S)"),
    ("processes", "shell(true)"),
    ("processes", "shell('exit 0', 0)"),
    (
        "processes",
        "use_module(library(lolli)), lolli:system(true)",
    ),
    ("environment", "getenv('PATH', _)"),
    ("environment", "setenv(doors, 1)"),
    ("environment", "unsetenv(doors)"),
    ("clock", "get_time(_)"),
    ("clock", "statistics(walltime, _)"),
    ("clock", "statistics(cputime, _)"),
    ("clock", "sleep(0.01)"),
    ("clock", "time(true)"),
    ("random", "random(_)"),
    ("random", "random(1, 6, _)"),
    ("random", "random_between(1, 6, _)"),
    ("random", "set_random(seed(1))"),
    ("halt", "halt"),
    ("halt", "halt(1)"),
];

#[test]
fn goals_are_refused_by_what_they_need() {
    let mut escaped = Vec::new();
    for &(capability, goal) in GOALS {
        let mut engine = without_capabilities();
        let caught =
            format!("catch(({goal}), error(permission_error(use, capability, C), _), true)");
        let solution = engine.query_once(&caught);
        let refused = solution
            .as_ref()
            .is_ok_and(|solution| format!("{solution:?}").contains(capability));
        if !refused {
            escaped.push(format!("{capability}: {goal}: {solution:?}"));
        }
    }
    assert!(escaped.is_empty(), "{}", escaped.join("\n"));
}

#[test]
fn evaluables_change_what_the_column_says() {
    let mut engine = Engine::new().unwrap();
    for (id, row) in evaluable::all() {
        let needs = match row.name {
            "random" | "random_float" => Needs::RANDOM.and(Needs::HISTORY),
            "cputime" | "realtime" => Needs::CLOCK,
            _ => Needs::NONE,
        };
        assert_eq!(row.needs, needs, "{}", row.name);
        let before = engine.machine.world.effects;
        let numbers = vec![Number::Int(1); row.arity()];
        // Not all are defined for 1.
        let _ = evaluable::apply(id, &numbers, &mut *engine.machine);
        let noted = engine.machine.world.effects > before;
        assert_eq!(noted, needs.any(Needs::HISTORY), "{}", row.name);
    }
}
