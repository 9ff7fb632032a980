//! Queries that the host stops and continues: where they stop, and the output of the tracer afterwards.

#[path = "support/host.rs"]
#[expect(dead_code, reason = "the helpers for answers are not used here")]
mod host;

use host::engine;
use wamlet::Call;

/// The next goal is the location of a stopped query, also within a called body.
#[test]
fn a_query_stops_before_its_next_goal() {
    let mut engine = engine();
    engine.stop_and_go(true);
    let handle = engine.interrupt_handle();
    let stop = move |_: &mut Call<'_>| {
        handle.interrupt();
        Ok(true)
    };
    engine.register("stop", 0, stop).unwrap();
    for (goal, at) in [
        ("G = (stop, number(1)), call(G)", "number/1"),
        ("G = (stop, (atom(a) ; fail)), call(G)", "atom/1"),
        (
            "G = (stop, (user:atomic(a) -> fail ; true)), call(G)",
            "atomic/1",
        ),
        ("stop, atom(a)", "atom/1"),
    ] {
        let mut solutions = engine.query(goal).expect("a goal");
        assert!(solutions.advance().is_err(), "{goal}");
        assert_eq!(solutions.stopped_at().as_deref(), Some(at), "{goal}");
    }
}

/// After a stop, the tracer shows assumptions and their uses at the right depth. It computes the depth from the
/// waiting clauses, although it has not seen their calls.
#[test]
fn assumptions_after_a_stop_are_as_deep_as_their_clauses() {
    let folder = std::env::temp_dir().join(format!("wamlet-deep-{}", std::process::id()));
    std::fs::create_dir_all(&folder).unwrap();
    let text = "MODULE deep.\nstart :- mid , end.\nmid :- stop , low , end.\n\
        low :- (c 1 -o (use , end)) , (d 2 => also) , end.\nuse :- c X , end.\nalso :- d X , end.\nend.\n";
    std::fs::write(folder.join("deep.ll"), text).unwrap();
    let mut engine = engine();
    engine.add_module_folder(&folder);
    engine.stop_and_go(true);
    let handle = engine.interrupt_handle();
    let stop = move |_: &mut Call<'_>| {
        handle.interrupt();
        Ok(true)
    };
    engine.register("stop", 0, stop).unwrap();
    engine.capture_error_output();
    let mut solutions = engine.lolli_query_in(&["deep"], "start").unwrap();
    assert!(solutions.advance().is_err());
    assert_eq!(solutions.stopped_at().as_deref(), Some("low/0"));
    solutions.engine().set_debugging(wamlet::Debugging::Tracing);
    assert!(solutions.advance().unwrap());
    let shown = solutions.engine().take_error_output();
    std::fs::remove_dir_all(&folder).unwrap();
    let of_data = |line: &str| line.contains(" c 1") || line.contains(" d 2");
    let is_event = |line: &&str| {
        line.starts_with("Assume") || line.starts_with("Consume: (5)") && of_data(line)
    };
    let events: Vec<&str> = shown.lines().map(str::trim).filter(is_event).collect();
    let expected = [
        "Assume: (3) linear c 1",
        "Consume: (5) linear c 1 by c _B",
        "Assume: (3) intuitionistic d 2",
        "Consume: (5) intuitionistic d 2 by d _D",
    ];
    assert_eq!(events, expected, "{shown}");
}
