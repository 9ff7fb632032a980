//! Domains of constrained variables as values of a host.

use wamlet::{Domain, Engine, Term};

#[test]
fn domains_are_values() {
    let mut engine = Engine::new().expect("an engine");
    engine.query_once("use_module(library(clpfd))").unwrap();
    let mut domain =
        |goal: &str| -> Option<Domain> { engine.query_once(goal).unwrap().unwrap().domain("X") };
    for (goal, shown) in [
        ("X in 1..3", Some("1..3")),
        ("X in 1 \\/ 5..6 \\/ 9..sup", Some("1\\/5..6\\/9..sup")),
        ("X in inf.. -2", Some("inf.. -2")),
        ("X #= 3", Some("3")),
        ("X #> 2 ^ 70", Some("1180591620717411303425..sup")),
        ("X #> Y", None),
        ("true", None),
        ("X = a", None),
        ("X = f(Y), Y in 1..2", None),
        (
            "set_prolog_flag(clpfd_monotonic, true), #(X) #< 3, set_prolog_flag(clpfd_monotonic, false)",
            Some("inf..2"),
        ),
    ] {
        let found = domain(goal).map(|domain| domain.to_string());
        assert_eq!(found.as_deref(), shown, "{goal}");
    }
    let domain = domain("X in -2..2, X #\\= 0").unwrap();
    assert_eq!(domain.values().unwrap().collect::<Vec<_>>(), [-2, -1, 1, 2]);
    assert_eq!(
        (domain.size(), domain.contains(0), domain.contains(-1)),
        (Some(4), false, true)
    );
    assert_eq!(
        (domain.min(), domain.max()),
        (Some(Term::from(-2)), Some(Term::from(2)))
    );
    let intervals: Vec<_> = domain.intervals().collect();
    assert_eq!(intervals[1], (Some(Term::from(1)), Some(Term::from(2))));

    let solution = engine
        .query_once("Vs = [A,B], A in 1..2, B #> 7")
        .unwrap()
        .unwrap();
    let list = solution.get("Vs").unwrap().as_list().unwrap();
    assert_eq!(solution.domain_of(list[0]).unwrap().to_string(), "1..2");
    let open = solution.domain_of(list[1]).unwrap();
    assert_eq!(
        (open.size(), open.max(), open.values().is_none()),
        (None, None, true)
    );

    // Terms in any order, with overlaps.
    let term = engine
        .parse_term("7..9 \\/ 1..3 \\/ 2..4 \\/ 5 \\/ 8..7")
        .unwrap();
    assert_eq!(Domain::try_from(&term).unwrap().to_string(), "1..5\\/7..9");
    let term = engine.parse_term("3..1").unwrap();
    assert_eq!(Domain::try_from(&term).unwrap().to_string(), "1..0");
    assert!(Domain::try_from(&Term::atom("inf")).is_err());
}
