//! Predicates that the host registers belong to the host. No text, image or goal changes them, and the host cannot
//! replace an existing predicate.

use wamlet::{Call, Engine, ErrorKind};

fn allows_only_root(call: &mut Call<'_>) -> Result<bool, wamlet::Term> {
    Ok(call.arg(0).as_atom() == Some("root"))
}

fn engine() -> Engine {
    let mut engine = Engine::new().expect("there is memory");
    engine
        .register("has_role", 2, allows_only_root)
        .expect("the name is free");
    engine
}

fn holds(engine: &mut Engine, goal: &str) -> bool {
    engine.query_once(goal).expect(goal).is_some()
}

#[track_caller]
fn assert_unchanged(engine: &mut Engine, after: &str) {
    assert!(holds(engine, "has_role(root, admin)"), "{after}");
    assert!(!holds(engine, "has_role(guest, admin)"), "{after}");
    assert!(!holds(engine, "user:has_role(guest, admin)"), "{after}");
}

/// Each text is loaded, but its clause is refused. Its other clauses are loaded.
#[test]
fn texts_do_not_define_it() {
    for text in [
        "has_role(_, admin).",
        "has_role(X, Y) :- member(X-Y, [guest-admin]).",
        ":- multifile has_role/2.\nhas_role(_, admin).",
        ":- dynamic has_role/2.\nhas_role(_, admin).",
        ":- discontiguous has_role/2.\nhas_role(_, admin).",
        ":- multifile(has_role/2), dynamic(has_role/2).\nhas_role(_, admin).",
        ":- table has_role/2.\nhas_role(_, admin).",
        ":- det(has_role/2).\nhas_role(_, admin).",
        ":- thread_local has_role/2.\nhas_role(_, admin).",
        ":- dynamic([has_role/2], [incremental(true)]).\nhas_role(_, admin).",
        ":- volatile(has_role/2).\nhas_role(_, admin).",
        ":- table has_role/2 as subsumptive.\nhas_role(_, admin).",
        ":- meta_predicate has_role(0, 0).\nhas_role(_, admin).",
        ":- assertz(has_role(_, admin)).",
        ":- asserta((has_role(_, _) :- true)).",
        ":- abolish(has_role/2).\nhas_role(_, admin).",
        ":- retractall(has_role(_, _)).\nhas_role(_, admin).",
        ":- redefine_system_predicate(has_role(_, _)).\nhas_role(_, admin).",
        "user:has_role(_, admin).",
        ":- module(policy, [has_role/2]).\nuser:has_role(_, admin).",
        ":- module(policy, []).\n:- multifile user:has_role/2.\nuser:has_role(_, admin).",
        ":- module(policy, [has_role/2]).\nhas_role(_, admin).",
        "term_expansion(grant(X), has_role(X, admin)).\ngrant(_).",
        "has_role --> [].",
        ":- module(policy, []).\nhas_role(_, admin).",
        ":- module(policy, []).\n:- dynamic has_role/2.",
        ":- module(policy, []).\n:- multifile has_role/2.",
        ":- module(policy, [has_role/2]).\n:- table has_role/2.",
        ":- assertz(other:has_role(_, admin)).",
        ":- import(other:has_role/2).",
        ":- use_module(library(lists), [append/3 as has_role]).\nhas_role(_, admin).",
        ":- initialization(assertz(has_role(_, admin))).",
    ] {
        let mut engine = engine();
        let report = engine
            .consult_text("policy.pl", &format!("{text}\nloaded.\n"))
            .expect(text);
        assert!(!report.errors.is_empty(), "{text}");
        assert_unchanged(&mut engine, text);
        // Loads the text once more, and then another text in its place.
        engine
            .consult_text("policy.pl", &format!("{text}\nloaded.\n"))
            .expect(text);
        engine.consult_text("policy.pl", "other.").expect(text);
        assert_unchanged(&mut engine, text);
    }
}

#[test]
fn the_error_is_the_same_as_of_assertz() {
    let mut engine = engine();
    let report = engine
        .consult_text("policy.pl", "has_role(_, admin).\n")
        .unwrap();
    let term = report.errors[0].term.clone().unwrap_or_default();
    assert!(
        term.contains("permission_error(modify,static_procedure,has_role/2)"),
        "{term}"
    );
    assert_eq!(report.errors[0].line, 1);
    for goal in [
        "assertz(has_role(_, admin))",
        "asserta(has_role(_, admin))",
        "assertz(user:has_role(_, admin))",
        "assertz(lists:(user:has_role(_, admin)))",
        "retract(has_role(_, _))",
        "abolish(has_role/2)",
        "dynamic(has_role/2)",
        "multifile(has_role/2)",
        "'$load_clause'(has_role(_, admin)), has_role(guest, admin)",
        "has_role(_, admin) => has_role(guest, admin)",
        "use_module(library(linear)), (has_role(_, admin) -<> has_role(guest, admin))",
    ] {
        let done = engine.query_once(goal);
        assert!(!matches!(done, Ok(Some(_))), "{goal}");
        assert_unchanged(&mut engine, goal);
    }
}

/// If a text was loaded before, the host still takes the name, and the text goes on without it.
#[test]
fn earlier_declarations_do_not_open_it() {
    let mut engine = Engine::new().unwrap();
    engine
        .consult_text(
            "first.pl",
            ":- multifile has_role/2.\n:- discontiguous has_role/2.\n",
        )
        .unwrap();
    engine.register("has_role", 2, allows_only_root).unwrap();
    engine
        .consult_text("policy.pl", "has_role(_, admin).\n")
        .unwrap();
    assert_unchanged(&mut engine, "a declaration before");
}

#[test]
fn images_do_not_define_it() {
    for text in [
        "has_role(_, admin).\nloaded.\n",
        ":- multifile has_role/2.\nhas_role(X, _) :- atom(X).\nloaded.\n",
    ] {
        let mut maker = Engine::new().unwrap();
        let (_, image) = maker.compile_text("policy.pl", text).unwrap();
        let mut engine = engine();
        let report = engine
            .consult_image("policy.wam", image.expect("no error"))
            .unwrap();
        assert!(!report.errors.is_empty(), "{text}");
        assert_unchanged(&mut engine, text);
    }
}

#[test]
fn the_host_replaces_no_predicate() {
    let mut engine = Engine::new().unwrap();
    engine
        .consult_text("p.pl", ":- dynamic d/1.\np(1).\n")
        .unwrap();
    engine.query_once("assertz(a(1))").unwrap();
    for (name, arity) in [
        ("p", 1),
        ("d", 1),
        ("a", 1),
        ("atom_length", 2),
        ("call", 1),
        (",", 2),
        ("memberchk", 2),
        ("succ_or_zero", 1),
        ("forall", 2),
        ("nb_getval", 2),
    ] {
        let registered = engine.register(name, arity, |_| Ok(true));
        if name == "succ_or_zero" {
            registered.expect("a new name");
            continue;
        }
        let error = registered.expect_err(name);
        assert!(
            matches!(error.kind(), ErrorKind::Usage | ErrorKind::Uncaught),
            "{name}: {error}"
        );
    }
    assert!(holds(
        &mut engine,
        "p(1), \\+ d(_), a(X), X == 1, atom_length(abc, 3)"
    ));
    // The host cannot replace its own predicates either.
    let error = engine.register("succ_or_zero", 1, |_| Ok(false));
    let error = error.expect_err("a second function");
    assert_eq!(error.message(), "the host has registered succ_or_zero/1");
    let error = engine.register_each("succ_or_zero", 1, |_| Ok([].into_iter()));
    assert_eq!(
        *error.expect_err("a second function").kind(),
        ErrorKind::Usage
    );
    assert!(holds(&mut engine, "succ_or_zero(1)"));
}

/// A name is reserved in all modules, whether their texts are loaded before or after.
#[test]
fn all_modules_reserve_the_name() {
    let mut engine = Engine::new().unwrap();
    let own = ":- module(own, []).\nhas_role(_, admin).\n";
    engine.consult_text("own.pl", own).unwrap();
    let error = engine.register("has_role", 2, allows_only_root);
    let error = error.expect_err("a module has it");
    assert_eq!(error.message(), "the program defines has_role/2");

    let mut engine = Engine::new().unwrap();
    let before = ":- module(before, []).\nmay(X) :- has_role(X, admin).\n\
                  all(Xs) :- maplist([X]>>has_role(X, admin), Xs).\n";
    engine.consult_text("before.pl", before).unwrap();
    assert!(engine.query_once("before:may(root)").is_err());
    engine.register("has_role", 2, allows_only_root).unwrap();
    engine
        .consult_text("after.pl", &before.replace("before", "after"))
        .unwrap();
    // A module that imports nothing from `user`.
    let alone = before.replace("before", "alone");
    let alone = alone.replace("[]).", "[]).\n:- delete_import_module(alone, user).");
    engine.consult_text("alone.pl", &alone).unwrap();
    for module in ["before", "after", "alone"] {
        for (person, may) in [("root", true), ("guest", false)] {
            for goal in [
                "may(P)",
                "all([P])",
                "has_role(P, _)",
                "call(has_role, P, _)",
            ] {
                let goal = format!("{module}:{}", goal.replace('P', person));
                assert_eq!(holds(&mut engine, &goal), may, "{goal}");
            }
        }
        let goal = format!("assertz({module}:has_role(_, _))");
        assert!(engine.query_once(&goal).is_err(), "{goal}");
    }
}

/// The libraries use other names.
#[test]
fn libraries_do_not_call_it() {
    let mut engine = Engine::new().unwrap();
    for (name, arity) in [("append", 3), ("insert", 3), ("foldl_", 4), ("pairs_", 3)] {
        engine.register(name, arity, |_| Ok(false)).unwrap();
    }
    let goal = "list_to_assoc([a-1], A), put_assoc(b, A, 2, B), assoc_to_list(B, L), \
                foldl([X, S0, S]>>(S is S0 + X), [1, 2], 0, 3), lists:append([a], [b], _), \
                \\+ append([a], [b], _), subtract([a, b], [a], [b]), sumlist([1, 2], 3)";
    assert!(holds(&mut engine, goal));
    engine
        .consult_text("p.pl", ":- use_module(library(lists)).\nloaded.\n")
        .unwrap();
    assert!(holds(&mut engine, "loaded, \\+ append([a], [b], _)"));
}

#[test]
fn expansions_do_not_see_its_goals() {
    for (hooks, module) in [
        ("user:", "user"),
        ("system:", "user"),
        ("", "policy"),
        ("user:", "policy"),
    ] {
        let mut engine = engine();
        let text = format!(
            "{}:- multifile {hooks}goal_expansion/2, {hooks}goal_expansion/4.\n:- dynamic {hooks}goal_expansion/2, {hooks}goal_expansion/4.\n\
             {hooks}goal_expansion(has_role(_, _), true).\n\
             {hooks}goal_expansion(has_role(_, _), P, true, P).\n\
             {hooks}goal_expansion(may(X), has_role(X, admin)).\n\
             allow(X) :- has_role(X, admin).\n\
             allow(X, Y) :- ( has_role(X, Y) ; may(X) ; user:has_role(X, Y) ).\n\
             ask(G0, G) :- expand_goal(G0, G).\n",
            match module {
                "user" => "",
                _ => ":- module(policy, []).\n",
            }
        );
        let report = engine.consult_text("policy.pl", &text).unwrap();
        assert!(report.errors.is_empty(), "{:?}", report.errors);
        for goal in [
            "allow(guest)",
            "allow(guest, admin)",
            "ask(has_role(guest, admin), G), call(G)",
        ] {
            assert!(
                !holds(&mut engine, &format!("{module}:{goal}")),
                "{hooks}{goal}"
            );
        }
        assert!(holds(&mut engine, &format!("{module}:allow(root, admin)")));
    }
}

const POLICY: &str = ":- module(policy, [allow/1, op(700, xfx, may)]).\n:- dynamic staff/1.\n\
                      allow(X) :- staff(X).\nstaff(ann).\n";

/// A protected module is closed to all texts and goals. Its exports belong to the host in all modules.
#[test]
fn marked_modules_are_closed() {
    let texts = [
        "allow(_).",
        ":- module(t, [allow/1]).\nallow(_).",
        ":- module(t, []).\n:- dynamic allow/1.",
        ":- multifile policy:staff/1.\npolicy:staff(bob).",
        "policy:staff(bob).",
        "policy:more(1).",
        ":- assertz(policy:staff(bob)).",
        ":- assertz(policy:more(1)).",
        ":- assertz(policy:(allow(_) :- true)).",
        ":- retract(policy:staff(ann)).",
        ":- retractall(policy:staff(_)).",
        ":- abolish(policy:staff/1).",
        ":- dynamic policy:more/1.",
        ":- policy:export(staff/1).",
        ":- add_import_module(policy, lists, start).",
        ":- set_module(policy:base(lists)).",
        ":- set_module(policy:class(test)).",
        ":- op(200, xfx, policy:staff).",
        ":- set_prolog_flag(policy:unknown, fail).",
        ":- set_prolog_flag(policy:double_quotes, atom).",
        ":- module(policy, [allow/1]).\nallow(_).",
        ":- unload_file('policy.pl').",
        ":- import(policy:(lists:append/3)).",
        ":- import(lists:allow/1).",
    ];
    for text in texts {
        let mut engine = Engine::new().unwrap();
        engine.consult_text("policy.pl", POLICY).unwrap();
        engine.protect("policy").unwrap();
        let report = engine.consult_text("t.pl", text).expect(text);
        let refused = |error: &wamlet::Diagnostic| error.message.contains("ermission");
        assert!(
            report.errors.iter().any(refused),
            "{text}: {:?}",
            report.errors
        );
        let goal = "findall(X, allow(X), [ann]), findall(X, t:allow(X), [ann]), policy:allow(ann), \
                    findall(X, clause(policy:staff(X), true), [ann]), \\+ catch(policy:more(_), _, fail), \
                    module_property(policy, exports([allow/1])), findall(M, import_module(policy, M), [system])";
        assert!(holds(&mut engine, goal), "{text}");
        assert!(
            engine.consult_text("policy.pl", "allow(_).").is_err(),
            "{text}"
        );
        assert!(holds(&mut engine, goal), "{text}");
        // A copy is closed, too.
        let mut copy = engine.fork().unwrap();
        assert!(
            !copy
                .consult_text("t.pl", text)
                .expect(text)
                .errors
                .is_empty(),
            "{text}"
        );
        assert!(holds(&mut copy, goal), "{text}");
    }
    for module in ["lists", "nowhere"] {
        let error = Engine::new().unwrap().protect(module);
        assert_eq!(*error.expect_err(module).kind(), ErrorKind::Usage);
    }
}

#[test]
fn the_module_of_the_host_is_closed() {
    let mut engine = Engine::new().unwrap();
    let text = ":- dynamic role/2.\nrole(ann, admin).\n:- op(700, xfx, is_a).\nmay(P) :- role(P, admin).\n";
    engine.consult_text("host.pl", text).unwrap();
    engine.protect("user").unwrap();
    for text in [
        "role(bob, admin).",
        "other.",
        ":- assertz(role(bob, admin)).",
        ":- assertz(other).",
        ":- module(t, []).\nrole(bob, admin).",
        ":- module(t, []).\n:- user:assertz(role(bob, admin)).",
        ":- op(0, xfx, is_a).",
        ":- op(200, xfy, user:(**)).",
        ":- retractall(role(_, _)).",
        "term_expansion(a, b).",
        "user:portray(_) :- true.",
        ":- set_prolog_flag(user:unknown, fail).",
        ":- use_module(library(lists), [append/3 as other]).",
    ] {
        let report = engine.consult_text("t.pl", text).expect(text);
        assert!(!report.errors.is_empty(), "{text}");
        assert!(
            holds(
                &mut engine,
                "may(ann), \\+ may(bob), X = (a is_a b), X =.. [is_a, a, b], 8 is 2 ** 3"
            ),
            "{text}"
        );
    }
}
