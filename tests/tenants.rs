//! Texts of tenants, each in its own module. A tenant sees the system and the things that the host grants, but not other
//! tenants or private modules of the host.

use wamlet::{Call, Capabilities, Engine, ErrorKind, Program, Term};

fn engine() -> Engine {
    let mut engine = Engine::new().expect("there is memory");
    let own = ":- op(700, xfx, is_a).\n:- dynamic secret/1.\nsecret(42).\nhelper(host).\n";
    load(&mut engine, "own.pl", own);
    let policy = ":- module(policy, [allow/1]).\nallow(X) :- helper(X).\nhelper(ann).\n";
    load(&mut engine, "policy.pl", policy);
    engine.protect("policy").expect("it is there");
    let root = |call: &mut Call<'_>| Ok(call.arg(0).as_atom() == Some("root"));
    engine.register("is_root", 1, root).expect("a new name");
    engine
}

fn load(engine: &mut Engine, name: &str, text: &str) {
    let report = engine.consult_text(name, text).expect(text);
    assert!(report.errors.is_empty(), "{:?}", report.errors);
}

fn tenant(engine: &mut Engine, module: &str, text: &str) {
    let report = engine.consult_tenant(module, "t.pl", text).expect(text);
    assert!(report.errors.is_empty(), "{text}: {:?}", report.errors);
}

#[track_caller]
fn answer(engine: &mut Engine, goal: &str, answer: &str) {
    let found = match engine.query_once(goal) {
        Ok(Some(solution)) => solution.to_string().replace(",\n", ", "),
        Ok(None) => "false".to_owned(),
        Err(error) => error.formal_text().unwrap_or(error.message()).to_owned(),
    };
    assert_eq!(found, answer, "{goal}");
}

#[test]
fn tenants_do_not_see_each_other() {
    let mut engine = engine();
    let north = ":- op(700, xfx, ==>).\n:- op(0, xfx, is).\n:- set_prolog_flag(double_quotes, atom).\n\
                 :- set_prolog_flag(unknown, fail).\n:- char_conversion(a, b).\n:- set_prolog_flag(char_conversion, on).\n\
                 x ==> y.\ntext(\"t\").\nhelper(north).\nsum(X) :- is(X, 1+1).\nlost(X) :- nowhere(X).\n";
    let south = ":- op(200, xfy, ==>).\n:- set_prolog_flag(double_quotes, codes).\nrule((a ==> b ==> c)).\n\
                 text(\"t\").\nhelper(south).\nsum(X) :- X is 1+2.\nlost(X) :- nowhere(X).\n";
    tenant(&mut engine, "north", north);
    tenant(&mut engine, "south", south);
    for (goal, found) in [
        (
            "north:helper(A), south:helper(B), helper(C)",
            "A = north, B = south, C = host",
        ),
        (
            "north:sum(A), south:sum(B), C is 2+2",
            "A = 2, B = 3, C = 4",
        ),
        (
            "north:text(A), south:text(B), C = \"t\"",
            "A = t, B = [116], C = \"t\"",
        ),
        ("north:'==>'(A, B)", "A = x, B = y"),
        (
            "south:rule(R), R =.. [_, A|_]",
            "R = ==>(a, ==>(b, c)), A = a",
        ),
        ("north:lost(_)", "false"),
        (
            "south:lost(_)",
            "existence_error(procedure, south:nowhere/1)",
        ),
        ("lost(_)", "existence_error(procedure, lost/1)"),
        (
            "A = is_a(b, a), A = (B is_a C)",
            "A = (b is_a a), B = b, C = a",
        ),
        ("current_op(P, xfx, is)", "P = 700"),
        ("current_op(P, T, ==>)", "false"),
        ("current_prolog_flag(char_conversion, F)", "F = off"),
        ("current_prolog_flag(unknown, F)", "F = error"),
    ] {
        answer(&mut engine, goal, found);
    }
    assert_eq!(
        engine.parse_term("\"t\"").expect("a term"),
        Term::string("t")
    );
    // When a text is loaded again, its operators and flags change. Those of other tenants stay.
    tenant(&mut engine, "south", &south.replace("south", "other"));
    answer(
        &mut engine,
        "north:helper(A), south:helper(B)",
        "A = north, B = other",
    );
}

/// Clauses of a tenant act on its module when they run, too.
#[test]
fn goals_of_tenants_change_their_module() {
    let mut engine = engine();
    let text = "go(1) :- op(700, xfx, ===>), op(0, xfx, [is]).\n\
                go(2) :- set_prolog_flag(double_quotes, codes), set_prolog_flag(unknown, fail).\n\
                go(3) :- char_conversion(a, b), set_prolog_flag(char_conversion, on).\n\
                go(4) :- assertz(secret(1)).\n\
                go(5) :- set_prolog_flag(occurs_check, true).\n\
                go(6) :- Flag = iso, set_prolog_flag(Flag, true).\n";
    tenant(&mut engine, "t", text);
    answer(&mut engine, "t:go(1), t:go(2), t:go(3), t:go(4)", "true");
    answer(
        &mut engine,
        "t:go(5)",
        "permission_error(modify, flag, occurs_check)",
    );
    answer(
        &mut engine,
        "t:go(6)",
        "permission_error(modify, flag, iso)",
    );
    answer(
        &mut engine,
        "X is 1+1, Y = \"a\", Z = a",
        "X = 2, Y = \"a\", Z = a",
    );
    answer(&mut engine, "t:secret(A), secret(B)", "A = 1, B = 42");
    answer(
        &mut engine,
        "nowhere",
        "existence_error(procedure, nowhere/0)",
    );
    answer(&mut engine, "t:nowhere", "false");
    answer(
        &mut engine,
        "current_op(P, xfx, t:(===>)), \\+ current_op(_, _, ===>)",
        "P = 700",
    );
}

#[test]
fn tenants_see_what_the_host_grants() {
    let mut engine = engine();
    let text = "a(X) :- allow(X).\nr(X) :- is_root(X).\ns(X) :- secret(X).\nl(X) :- append([1], [2], X).\nh(X) :- helper(X).\n\
                m(L) :- maplist([X]>>is_root(X), L).\n";
    tenant(&mut engine, "t", text);
    for (goal, found) in [
        ("t:a(X)", "X = ann"),
        ("t:r(root), \\+ t:r(ann)", "true"),
        ("t:m([root]), \\+ t:m([ann])", "true"),
        ("t:l(X)", "X = [1, 2]"),
        ("t:s(X)", "existence_error(procedure, t:secret/1)"),
        ("t:h(X)", "existence_error(procedure, t:helper/1)"),
    ] {
        answer(&mut engine, goal, found);
    }
    for text in [
        "is_root(_).",
        "allow(_).",
        ":- dynamic allow/1.",
        "user:secret(43).",
        "user:new(1).",
        "policy:helper(bob).",
        ":- multifile user:portray/1.\nuser:portray(_).",
        "user:term_expansion(a, b).",
        ":- op(0, xfx, user:is).",
        ":- op(0, xfx, user:is_a).",
        ":- set_prolog_flag(user:unknown, fail).",
        ":- set_prolog_flag(occurs_check, true).",
        ":- import(user:secret/1).",
        ":- import(policy:helper/1).",
        ":- add_import_module(t, user, start).",
        ":- set_module(base(user)).",
        ":- module(policy, []).",
        ":- module(user, []).",
        ":- module(lists, []).",
        ":- module(other, []).",
        ":- '$set_import_modules'(t, [user]).",
    ] {
        let mut engine = engine_with_other();
        let report = engine.consult_tenant("t", "t.pl", text).expect(text);
        assert!(!report.errors.is_empty(), "{text}");
        answer(
            &mut engine,
            "allow(X), secret(Y), \\+ is_root(bob), Z is 1+1, A = (b is_a c)",
            "X = ann, Y = 42, Z = 2, A = (b is_a c)",
        );
        answer(
            &mut engine,
            "t:secret(X)",
            "existence_error(procedure, t:secret/1)",
        );
        answer(&mut engine, "other:o(X)", "X = 1");
    }
}

fn engine_with_other() -> Engine {
    let mut engine = engine();
    tenant(&mut engine, "other", "o(1).\n");
    engine
}

#[test]
fn tenants_cannot_take_other_modules() {
    let mut engine = engine_with_other();
    for module in ["user", "policy", "lists", "system", "lolli"] {
        let error = engine.consult_tenant(module, "t.pl", "a.\n");
        assert_eq!(
            *error.expect_err(module).kind(),
            ErrorKind::Usage,
            "{module}"
        );
    }
    let error = engine.protect("other").expect_err("a tenant's");
    assert_eq!(*error.kind(), ErrorKind::Usage);
    // A text may name its module with its present name, or with another free name.
    tenant(
        &mut engine,
        "t",
        ":- module(t, [p/1]).\n:- op(700, xfx, is_b).\np(X) :- X = (a is_b b).\n",
    );
    tenant(
        &mut engine,
        "u",
        ":- module(shop, [p/1]).\np(1).\nq(X) :- secret(X).\n",
    );
    answer(&mut engine, "t:p(X), u:p(Y)", "X = is_b(a, b), Y = 1");
    answer(
        &mut engine,
        "shop:q(_)",
        "existence_error(procedure, shop:secret/1)",
    );
    let taken = engine.consult_tenant("v", "t.pl", ":- module(shop, [p/1]).\np(2).\n");
    assert_eq!(taken.expect("a report").errors.len(), 1);
    answer(&mut engine, "u:p(Y)", "Y = 1");
}

#[test]
fn programs_have_tenants() {
    let (program, report) = Program::builder()
        .predicate("is_root", 1, |call: &mut Call<'_>| {
            Ok(call.arg(0).as_atom() == Some("root"))
        })
        .text(
            "policy.pl",
            ":- module(policy, [allow/1]).\nallow(X) :- is_root(X).\n",
        )
        .protect("policy")
        .tenant(
            "a",
            "t.pl",
            ":- op(700, xfx, =>>).\nr(x =>> y).\np(X) :- allow(X).\n",
        )
        .tenant("b", "t.pl", "allow(_).\nr(1).\np(X) :- allow(X).\n")
        .build()
        .expect("a program");
    assert_eq!(report.errors.len(), 1);
    for mut engine in [
        program.engine().expect("memory"),
        program.engine().expect("memory"),
    ] {
        answer(
            &mut engine,
            "a:p(root), b:p(root), \\+ a:p(ann), \\+ b:p(ann)",
            "true",
        );
        answer(&mut engine, "a:r(X), b:r(Y)", "X = =>>(x, y), Y = 1");
        assert!(engine.register("is_root", 1, |_| Ok(true)).is_err());
        answer(
            &mut engine,
            "assertz(a:allow(_))",
            "permission_error(modify, static_procedure, allow/1)",
        );
    }
}

#[test]
fn queries_are_read_with_operators_of_the_host() {
    let host = ":- op(700, xfx, may).\n:- set_prolog_flag(unknown, error).\nann may enter.\n";
    let stranger =
        ":- op(0, xfx, may).\n:- op(700, xfx, costs).\n:- op(0, xfx, is).\ntea costs 3.\n";
    let (program, report) = Program::builder().text("host.pl", host).build().unwrap();
    assert!(report.is_clean());
    let mut engine = program.engine().unwrap();
    for _ in 0..2 {
        assert!(engine.query_once("ann may enter").unwrap().is_some());
        assert!(
            engine
                .consult_text("stranger.pl", stranger)
                .unwrap()
                .is_clean()
        );
        let mut fork = engine.fork().unwrap();
        for engine in [&mut engine, &mut fork] {
            assert!(engine.query_once("ann may enter").unwrap().is_some());
            let two = engine.query_once("X is 1+1").unwrap().unwrap();
            assert_eq!(two.to_string(), "X = 2");
            assert!(engine.query_once("tea costs 3").is_err());
            assert!(engine.query_once("costs(tea, 3)").unwrap().is_some());
            let term = engine.parse_term("ann may enter").unwrap();
            assert_eq!(engine.format_term(&term).unwrap(), "ann may enter");
        }
        engine.reset().unwrap();
    }
}

#[test]
fn flags_that_the_host_sets_hold_for_its_queries() {
    let capabilities = Capabilities::pure();
    let mut engine = Engine::builder()
        .capabilities(capabilities)
        .build()
        .unwrap();
    engine
        .set_flag("double_quotes", &Term::atom("atom"))
        .unwrap();
    engine.set_flag("unknown", &Term::atom("fail")).unwrap();
    let text =
        ":- set_prolog_flag(double_quotes, codes).\n:- set_prolog_flag(unknown, error).\np.\n";
    assert!(engine.consult_text("p.pl", text).unwrap().is_clean());
    let solution = engine.query_once("X = \"ab\"").unwrap().unwrap();
    assert_eq!(solution.to_string(), "X = ab");
    assert!(engine.query_once("absent").unwrap().is_none());
}

#[test]
fn operators_of_texts_apply_to_queries_without_a_host_scope() {
    let text = ":- op(700, xfx, may).\nann may enter.\n";
    for capabilities in [
        Capabilities::script(),
        Capabilities::full(),
        Capabilities::pure().host_scope(false),
    ] {
        let mut engine = Engine::builder()
            .capabilities(capabilities)
            .build()
            .unwrap();
        assert!(engine.consult_text("a.pl", text).unwrap().is_clean());
        assert!(engine.query_once("ann may enter").unwrap().is_some());
    }
}

#[test]
fn a_protected_module_keeps_its_callees() {
    let policy = ":- module(policy, [allow/1]).\nallow(P) :- member(P, [ann]), knows(P).\n\
        allow(P) :- catch(extra(P), _, fail).\n";
    for hostile in [
        "member(_, _).",
        ":- dynamic member/2.",
        ":- table member/2.\nmember(_, _).",
        "extra(_).",
        ":- assertz(member(_, _)), assertz(extra(_)).",
    ] {
        let mut engine = Engine::new().unwrap();
        let mut register = |name| engine.register(name, 1, |_| Ok(true));
        register("knows").unwrap();
        engine.consult_text("policy.pl", policy).unwrap();
        engine.protect("policy").unwrap();
        engine.consult_text("hostile.pl", hostile).unwrap();
        assert!(
            engine.query_once("allow(ann)").unwrap().is_some(),
            "{hostile}"
        );
        assert!(
            engine.query_once("allow(bob)").unwrap().is_none(),
            "{hostile}"
        );
    }
}

#[test]
fn a_protected_module_keeps_its_imports_from_the_host() {
    let mut engine = Engine::new().unwrap();
    let host =
        "of_user(1).\n:- module(policy, [allow/2]).\nallow(X, Y) :- of_user(X), registered(Y).\n";
    let (user, policy) = host.split_once('\n').unwrap();
    engine.consult_text("user.pl", user).unwrap();
    engine.consult_text("policy.pl", policy).unwrap();
    engine.protect("policy").unwrap();
    engine
        .register("registered", 1, |call| {
            Ok(call.arg(0).as_atom() == Some("late"))
        })
        .unwrap();
    assert!(engine.query_once("allow(1, late)").unwrap().is_some());
}

#[test]
fn flags_are_set_despite_definitions_of_a_text() {
    let (program, _) = Program::builder().build().unwrap();
    let mut engine = program.engine().unwrap();
    let text =
        "create_prolog_flag(_, _, _) :- nb_setval(ran, 1).\ncurrent_prolog_flag(_, never).\n";
    engine.consult_text("s.pl", text).unwrap();
    engine
        .set_flag("double_quotes", &Term::atom("codes"))
        .unwrap();
    let value = engine.flag("double_quotes").unwrap();
    assert_eq!(value, Some(Term::atom("codes")));
    assert!(engine.query_once("nb_getval(ran, _)").is_err());
}

#[test]
fn undefined_goals_of_queries_are_located_in_the_scope_of_the_host() {
    let (program, _) = Program::builder().build().unwrap();
    let mut engine = program.engine().unwrap();
    for (query, column) in [
        ("true, X = 1, apend(X)", 14),
        ("findall(X, nope(X), L)", 12),
    ] {
        let error = engine.query_once(query).unwrap_err();
        let place = error.location().expect("a place");
        assert_eq!((place.line, place.column), (1, column), "{query}");
    }
}

/// While the text of a tenant is loaded, the system, the host and other tenants stay unchanged.
#[test]
fn texts_of_tenants_do_not_change_others() {
    for text in [
        "system:extra(1).",
        ":- asserta(system:extra(1)).",
        ":- @(assertz(extra(1)), system).",
        ":- dynamic system:extra/1.",
        "system:term_expansion(o(_), o(9)).",
        "lists:append(_, _, _).",
        ":- lists:assertz(extra(1)).",
        ":- assertz(gensym:gensym_last(a, 1)).",
        ":- user:assertz(extra(1)).",
        ":- other:retract(o(1)).",
        ":- clause(other:o(1), true, R), erase(R).",
        ":- other:export(o/1).",
        ":- add_import_module(user, t, start).",
        ":- unload_file('other/t.pl').",
        ":- open_string(\"o(9).\", S), load_files('other/t.pl', [stream(S)]).",
        ":- open_string(\"o(9).\", S), load_files(other:x, [stream(S)]).",
        ":- open_string(\"extra(1).\", S), load_files(user:x, [stream(S)]).",
    ] {
        let mut engine = engine_with_other();
        let report = engine.consult_tenant("t", "t.pl", text).expect(text);
        assert_eq!(report.errors.len(), 1, "{text}");
        let message = report.errors[0].message.as_str();
        assert!(message.contains("permission_error"), "{text}: {message}");
        answer(
            &mut engine,
            "findall(X, other:o(X), L), append(A, [1], [1]), \\+ catch(extra(_), _, fail)",
            "L = [1], A = []",
        );
    }
    // A tenant can unload and reload its own files.
    let own = ":- open_string(\"p(1).\", S), load_files('t/x.pl', [stream(S)]).\n\
               :- open_string(\"p(2).\", S), load_files('t/x.pl', [stream(S)]).\n\
               :- open_string(\"q(1).\", S), load_files('t/y.pl', [stream(S)]).\n:- unload_file('t/y.pl').\n";
    let mut engine = engine_with_other();
    tenant(&mut engine, "t", own);
    answer(&mut engine, "t:p(X), \\+ catch(t:q(_), _, fail)", "X = 2");
}

/// Many existing programs have modules with the names of libraries, and hooks in `system`.
#[test]
fn programs_of_the_host_may_hook_into_the_system() {
    let lists = ":- module(lists, [mine/1]).\nmine(1).\n";
    let hook = "system:term_expansion(a0, a1).\na0.\n";
    for (capabilities, open) in [
        (Capabilities::script(), true),
        (Capabilities::full(), true),
        (Capabilities::pure(), false),
        (Capabilities::pure().host_scope(false), false),
    ] {
        for text in [lists, hook] {
            let builder = Engine::builder().capabilities(capabilities.clone());
            let mut engine = builder.build().expect("memory");
            let report = engine.consult_text("own.pl", text).expect("memory");
            assert_eq!(report.errors.is_empty(), open, "{:?}", report.errors);
        }
        let builder = Engine::builder().capabilities(capabilities);
        let mut engine = builder.build().expect("memory");
        let error = "permission_error(modify, static_procedure, foo/1)";
        for goal in [
            "assertz(system:foo(1))",
            "assertz(lists:foo(1))",
            "dynamic(lists:foo/1)",
            "retractall(lists:foo(_))",
        ] {
            answer(&mut engine, goal, error);
        }
        answer(&mut engine, "gensym(a, X)", "X = a1");
    }
}

/// The message of Lolli for this error.
const LOLLI_NO_ROLE: &str = "No permission to modify static procedure `has_role/2'";
const NO_ROLE: &str = "permission_error(modify, static_procedure, has_role/2)";

fn register(engine: &mut Engine) {
    let root = |call: &mut Call<'_>| Ok(call.arg(0).as_atom() == Some("root"));
    engine.register("has_role", 2, root).expect("it works");
}

/// Returns the outcome of a Lolli query in these modules.
fn lolli(engine: &mut Engine, modules: &[&str], goal: &str) -> String {
    let found = engine
        .lolli_query_in(modules, goal)
        .and_then(|mut all| all.next().transpose());
    match found {
        Ok(Some(_)) => "true".to_owned(),
        Ok(None) => "false".to_owned(),
        Err(error) => error.message().to_owned(),
    }
}

#[test]
fn modules_of_lolli_define_nothing_of_the_host() {
    let mut engine = Engine::new().expect("it works");
    register(&mut engine);
    load(
        &mut engine,
        "policy.pl",
        ":- module(policy, [allow/1]).\nallow(X) :- has_role(X, admin).\n",
    );
    engine.protect("policy").expect("it works");
    let text = "MODULE x.\nhas_role A B.\nfree.\nallow A :- free.\n";
    engine.capture_error_output();
    engine.print_diagnostics(true);
    assert!(engine.consult_text("x.ll", text).is_err());
    let errors = engine.take_error_output();
    for (line, name) in [(2, "has_role/2"), (4, "allow/1")] {
        let refused =
            format!("x.ll:{line}:1: error: No permission to modify static procedure `{name}`");
        assert!(errors.contains(&refused), "{errors}");
    }
    let text = "MODULE y.\nok X :- has_role X admin.\nhide X :- has_role X admin => ok X.\n";
    load(&mut engine, "y.ll", text);
    for (goal, found) in [
        ("ok root", "true"),
        ("ok guest", "false"),
        ("hide guest", LOLLI_NO_ROLE),
        ("has_role guest admin => ok guest", LOLLI_NO_ROLE),
        ("has_role guest admin -o ok guest", LOLLI_NO_ROLE),
        ("(has_role X admin :- true) => ok guest", LOLLI_NO_ROLE),
        ("P = has_role, (P guest admin => ok guest)", LOLLI_NO_ROLE),
    ] {
        assert_eq!(lolli(&mut engine, &["y"], goal), found, "{goal}");
    }
}

/// The host registers a name after texts that assume this name were loaded.
#[test]
fn registered_names_can_no_longer_be_assumed() {
    let mut engine = Engine::new().expect("it works");
    let text = ":- use_module(library(linear)).\ngo(1) :- has_role(guest, admin) => has_role(guest, admin).\n\
                go(2) :- (has_role(X, _) :- X = guest) => has_role(guest, admin).\n\
                go(3) :- x --o has_role(guest, admin).\n\
                go(4) :- Fact = has_role(guest, admin), (Fact => has_role(guest, admin)).\n";
    load(&mut engine, "go.pl", text);
    load(&mut engine, "x.ll", "MODULE x.\nhas_role A B.\n");
    let goals: Vec<String> = (1..=4).map(|number| format!("go({number})")).collect();
    for goal in &goals {
        answer(&mut engine, goal, "true");
    }
    assert_eq!(lolli(&mut engine, &["x"], "has_role guest admin"), "true");
    register(&mut engine);
    for goal in &goals {
        answer(&mut engine, goal, NO_ROLE);
    }
    assert_eq!(
        lolli(&mut engine, &["x"], "has_role guest admin"),
        LOLLI_NO_ROLE
    );
    answer(&mut engine, "has_role(root, admin)", "true");
}

/// Clauses of a protected module may assume private facts of the module.
#[test]
fn protected_modules_assume_their_private_facts() {
    let mut engine = Engine::new().expect("it works");
    let text = ":- module(policy, [allow/1, all/1]).\n:- use_module(library(linear)).\n:- dynamic session/1.\n\
                allow(X) :- session(X) => granted.\nall(X) :- (session(Y) :- Y = X) -<> granted.\n\
                granted :- session(ann).\n";
    load(&mut engine, "policy.pl", text);
    engine.protect("policy").expect("it works");
    let text = ":- use_module(library(linear)).\ngo(1) :- policy:session(ann) => policy:granted.\n\
                go(2) :- policy:(session(ann) => granted).\ngo(3) :- policy:(session(_) :- true) => policy:granted.\n";
    load(&mut engine, "go.pl", text);
    let mut fork = engine.fork().expect("it works");
    for engine in [&mut engine, &mut fork] {
        for goal in ["allow(ann)", "all(ann)"] {
            answer(engine, goal, "true");
        }
        answer(engine, "allow(bob)", "false");
        for goal in [
            "go(1)",
            "go(2)",
            "go(3)",
            "policy:(session(ann) => granted)",
        ] {
            answer(
                engine,
                goal,
                "permission_error(modify, static_procedure, session/1)",
            );
        }
    }
}
