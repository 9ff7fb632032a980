//! Images of programs, through the public interface: loading them, cases in which they cannot be used,
//! and damaged images. `conformity.rs` tests that programs give the same answers from images.

use std::fs;
use std::path::PathBuf;
use std::time::Duration;
use wamlet::{Engine, Error, ErrorKind};

#[path = "support/image.rs"]
mod image;
#[path = "support/random.rs"]
mod random;

use image::{BODY, sealed};
use random::Random;

/// A program with everything that an image can hold.
const PROGRAM: &str = r#"
:- module(zoo, [animal/1, sound//1, (===>)/2, op(700, xfx, ===>)]).
:- use_module(library(lists)).
:- dynamic seen/2.
:- discontiguous big/1.
:- initialization(assertz(seen(started, 1))).
a ===> [b, "text", 1.5, -7, 123456789012345678901234567890, 'é'|_].
big(-1152921504606846977).
animal(X) :- member(X, [cat, dog]), \+ X = cow.
animal(f(Y, Z)) :- Y ===> [Z|_], ( Z == b -> true ; Z = g(Y, Y) ).
big(1.0e300).
sound(meow) --> [meow], !.
sound(S) --> [S], { atom(S) }.
seen(X, 2) :- animal(X).
:- table path/2.
path(X, Y) :- path(X, Z), edge(Z, Y).
path(X, Y) :- edge(X, Y).
edge(1, 2).
edge(2, 1).
"#;

const GOALS: &[&str] = &[
    "animal(X)",
    "a ===> X",
    "zoo:big(X)",
    "phrase(sound(X), [meow])",
    "zoo:seen(X, Y)",
    "findall(X-Y, zoo:path(X, Y), L)",
    "clause(zoo:animal(X), B)",
    "predicate_property(zoo:seen(_, _), dynamic)",
    "predicate_property(zoo:animal(_), number_of_clauses(N))",
    "zoo:edge(X, Y)",
];

fn engine() -> Engine {
    let mut engine = Engine::builder()
        .inference_limit(20_000)
        .memory_limit(64 << 20)
        .build()
        .expect("there is memory");
    engine.capture_output();
    engine.capture_error_output();
    engine.print_diagnostics(false);
    engine
}

fn image_of(program: &str) -> Vec<u8> {
    let (report, image) = engine()
        .compile_text("zoo.pl", program)
        .expect("the program can be loaded");
    assert!(report.is_clean(), "{report:?}");
    image.expect("there is no error in the program")
}

fn answers(engine: &mut Engine) -> Vec<String> {
    let answer = |goal: &&str| match engine.query(goal) {
        Ok(solutions) => solutions
            .map(|solution| solution.map_or_else(|error| error.to_string(), |one| one.to_string()))
            .collect::<Vec<_>>()
            .join(" ; "),
        Err(error) => error.to_string(),
    };
    GOALS.iter().map(answer).collect()
}

/// Loads arbitrary bytes. Returns whether they were an image.
fn survives(engine: &mut Engine, bytes: Vec<u8>) -> bool {
    let loaded = engine.consult_image("zoo.wam", bytes);
    let is_fault = |error: &Error| {
        *error.kind() == ErrorKind::Internal || error.ball_text().contains("system_error")
    };
    if let Err(error) = &loaded {
        assert!(!is_fault(error), "{error}");
    }
    for goal in GOALS {
        if let Ok(solutions) = engine.query(goal) {
            for solution in solutions.take(20) {
                assert!(!solution.is_err_and(|error| is_fault(&error)), "{goal}");
            }
        }
    }
    engine.take_output();
    loaded.is_ok()
}

/// A folder that is deleted on drop.
struct Folder(PathBuf);

impl Folder {
    fn new(name: &str) -> Folder {
        let name = format!("wamlet-images-{}-{name}", std::process::id());
        let path = std::env::temp_dir().join(name);
        fs::create_dir_all(path.join("inner")).expect("a folder for temporary files");
        Folder(path)
    }

    fn file(&self, name: &str, text: &str) -> PathBuf {
        let path = self.0.join(name);
        fs::write(&path, text).expect("a writable folder");
        path
    }
}

impl Drop for Folder {
    fn drop(&mut self) {
        let _ = fs::remove_dir_all(&self.0);
    }
}

#[test]
fn an_image_is_loaded_as_its_text() {
    let mut by_text = engine();
    by_text.consult_text("zoo.pl", PROGRAM).expect("a program");
    let mut by_image = engine();
    let report = by_image.consult_image("zoo.wam", image_of(PROGRAM));
    assert!(report.expect("an image").is_clean());
    let wanted = answers(&mut by_text);
    assert!(
        wanted[0].contains("cat") && wanted[5].contains("2-2"),
        "{wanted:?}"
    );
    assert_eq!(answers(&mut by_image), wanted);
}

#[test]
fn images_that_end_too_early_are_errors() {
    let image = image_of(PROGRAM);
    let mut engine = engine();
    for length in 0..image.len() {
        for bytes in [image[..length].to_vec(), sealed(image[..length].to_vec())] {
            assert!(!survives(&mut engine, bytes), "{length} bytes");
        }
    }
    let error = engine
        .consult_image("zoo.wam", &image[..image.len() / 2])
        .expect_err("half an image");
    assert_eq!(*error.kind(), ErrorKind::Io);
    assert!(error.message().contains("the image is damaged"), "{error}");
    assert!(error.message().contains("zoo.wam"), "{error}");
}

#[test]
fn changed_bytes_are_detected() {
    let image = image_of(PROGRAM);
    let mut engine = engine();
    for at in 0..image.len() {
        let mut bytes = image.clone();
        bytes[at] ^= 1 << (at % 8);
        assert!(!survives(&mut engine, bytes), "byte {at}");
    }
}

#[test]
fn changed_bytes_with_a_new_checksum_do_no_harm() {
    let image = image_of(PROGRAM);
    let mut random = Random::new(1);
    let mut loaded = 0;
    let mut one = engine();
    for at in BODY..image.len() {
        for value in [
            0,
            1,
            0x7f,
            0x80,
            0xff,
            image[at] ^ 1,
            image[at].wrapping_add(8),
        ] {
            let mut bytes = image.clone();
            bytes[at] = value;
            loaded += usize::from(survives(&mut one, sealed(bytes)));
        }
        if at % 64 == 0 {
            one = engine();
        }
    }
    for _ in 0..2000 {
        let mut bytes = image.clone();
        for _ in 0..=random.below(6) {
            let at = BODY + random.below(bytes.len() - BODY);
            bytes[at] = random.below(256) as u8;
        }
        loaded += usize::from(survives(&mut one, sealed(bytes)));
    }
    assert!(loaded > 0, "some changes are harmless");
    let mut last = engine();
    last.consult_image("zoo.wam", image).expect("an image");
}

#[test]
fn changed_files_are_loaded_instead_of_their_image() {
    let folder = Folder::new("stale");
    let program = folder.file(
        "main.pl",
        ":- include(part).\n:- use_module('inner/own').\np(1).\n",
    );
    folder.file("part.pl", "q(1).\n");
    folder.file("inner/own.pl", ":- module(own, [r/1]).\nr(1).\n");
    let image = folder.0.join("main.wam");
    assert!(
        engine()
            .compile_file(&program, &image)
            .expect("a program")
            .is_clean()
    );
    let ask = |wanted: &str, warnings: usize| {
        let mut engine = engine();
        let report = engine.consult_file(&image).expect("an image or its text");
        assert_eq!(report.warnings.len(), warnings, "{report:?}");
        assert!(report.errors.is_empty(), "{report:?}");
        let answer = engine.query_once("p(X), q(Y), r(Z), L = [X, Y, Z]");
        let answer = answer.expect("no error").expect("an answer");
        assert_eq!(
            answer.get("L").map(|list| list.to_string()).as_deref(),
            Some(wanted)
        );
        report
            .warnings
            .first()
            .map(|warning| warning.rendered.clone())
    };
    ask("[1,1,1]", 0);
    for (name, text, wanted) in [
        ("part.pl", "q(2).\n", "[1,2,1]"),
        ("inner/own.pl", ":- module(own, [r/1]).\nr(3).\n", "[1,1,3]"),
        (
            "main.pl",
            ":- include(part).\n:- use_module('inner/own').\np(4).\n",
            "[4,1,1]",
        ),
    ] {
        let path = folder.0.join(name);
        let before = fs::read_to_string(&path).expect("the file");
        folder.file(name, text);
        let warning = ask(wanted, 1).expect("a warning");
        assert!(
            warning.contains(name) && warning.contains("has changed since"),
            "{warning}"
        );
        folder.file(name, &before);
        ask("[1,1,1]", 0);
    }
    // An image works without its texts, unless some of them exist and have changed.
    fs::remove_file(&program).expect("the program");
    ask("[1,1,1]", 0);
    folder.file("part.pl", "q(2).\n");
    let error = engine()
        .consult_file(&image)
        .expect_err("a text has changed");
    assert_eq!(*error.kind(), ErrorKind::Io);
    assert!(error.message().contains("does not exist"), "{error}");
    fs::remove_file(folder.0.join("part.pl")).expect("the part");
    fs::remove_dir_all(folder.0.join("inner")).expect("the folder");
    ask("[1,1,1]", 0);
}

#[test]
fn an_image_of_another_version_is_not_loaded() {
    let folder = Folder::new("version");
    let program = folder.file("p.pl", "p(1).\n");
    let image = folder.0.join("p.wam");
    engine().compile_file(&program, &image).expect("a program");
    let mut bytes = fs::read(&image).expect("the image");
    // The version is the first text of its body.
    bytes[BODY + 1] ^= 1;
    let bytes = sealed(bytes);
    fs::write(&image, &bytes).expect("a writable folder");
    let report = engine().consult_file(&image).expect("the text");
    assert!(
        report.warnings[0].message.contains("another version"),
        "{report:?}"
    );
    fs::remove_file(&program).expect("the program");
    let error = engine().consult_file(&image).expect_err("there is no text");
    assert!(error.message().contains("another version"), "{error}");
    let error = engine()
        .consult_image("p.wam", bytes)
        .expect_err("bytes have no text");
    assert!(error.message().contains("another version"), "{error}");
}

#[test]
fn programs_that_cannot_be_compiled_are_errors() {
    let folder = Folder::new("wrong");
    let module = folder.file("m.ll", "MODULE m.\n");
    let wrong = folder.file("wrong.pl", "p(1).\np(.\n");
    let image = folder.0.join("x.wam");
    let error = engine().compile_file(&module, &image).expect_err("Lolli");
    assert_eq!(*error.kind(), ErrorKind::Usage);
    let error = engine()
        .compile_file(&wrong, "x.pl")
        .expect_err("no name of an image");
    assert_eq!(*error.kind(), ErrorKind::Usage);
    let error = engine()
        .compile_file(folder.0.join("none.pl"), &image)
        .expect_err("no file");
    assert_eq!(*error.kind(), ErrorKind::Io);
    let report = engine().compile_file(&wrong, &image).expect("a program");
    assert_eq!(report.errors.len(), 1);
    assert!(!image.exists());
    let right = folder.file("right.pl", "p(1).\n");
    let error = engine()
        .compile_file(&right, folder.0.join("no/x.wam"))
        .expect_err("no folder");
    assert_eq!(*error.kind(), ErrorKind::Io);
    folder.file("text.wam", "p(1).\n");
    let error = engine()
        .consult_file(folder.0.join("text.wam"))
        .expect_err("no image");
    assert!(
        error.message().contains("not an image of a program"),
        "{error}"
    );
}

#[test]
fn expansions_are_done_when_the_image_is_made() {
    let program = "
        :- initialization(nb_setval(images_run, 1)).
        term_expansion(gen(N), Clauses) :- findall(n(I), between(1, N, I), Clauses).
        goal_expansion(old(X), new(X)).
        :- if(current_prolog_flag(bounded, false)).
        kind(unbounded).
        :- else.
        kind(bounded).
        :- endif.
        gen(3).
        new(1).
        p(X) :- old(X).
        :- initialization(nb_setval(images_last, 2)).
    ";
    let mut maker = engine();
    let (_, image) = maker.compile_text("gen.pl", program).expect("a program");
    assert!(
        maker.query_once("nb_getval(images_run, _)").is_err(),
        "it does not run"
    );
    let mut engine = engine();
    engine
        .consult_image("gen.wam", image.expect("no error"))
        .expect("an image");
    let goal = "findall(N, n(N), L), p(1), kind(unbounded), \
                nb_getval(images_run, 1), nb_getval(images_last, 2)";
    let answer = engine
        .query_once(goal)
        .expect("no error")
        .expect("an answer");
    assert_eq!(answer.to_string(), "L = [1, 2, 3]");
}

#[test]
fn messages_have_the_places_of_the_text() {
    let folder = Folder::new("places");
    let text = "p(X) :- q(X).\n\n  :- fail.\nq(X) :- atom_length(X, a), r(X).\nr(_).\n:- initialization(p(1)).\n";
    let program = folder.file("places.pl", text);
    let image = folder.0.join("places.wam");
    engine().compile_file(&program, &image).expect("a program");
    let messages = |path: &PathBuf| {
        let report = engine().consult_file(path).expect("a program");
        let all = report.errors.into_iter().chain(report.warnings);
        all.map(|one| one.rendered).collect::<Vec<_>>()
    };
    let wanted = messages(&program);
    assert_eq!(wanted.len(), 2, "{wanted:?}");
    assert_eq!(messages(&image), wanted);
    fs::remove_file(&program).expect("the program");
    let alone = messages(&image);
    assert!(
        alone[1].contains("places.pl:3:3: warning: the directive failed"),
        "{alone:?}"
    );
    assert!(alone[0].contains("places.pl:4:"), "{alone:?}");
}

#[test]
fn an_image_is_loaded_again_and_unloaded_as_a_text() {
    let folder = Folder::new("again");
    let program = folder.file("a.pl", "p(1).\np(X) :- q(X).\nq(2).\n");
    let image = folder.0.join("a.wam");
    engine().compile_file(&program, &image).expect("a program");
    let mut engine = engine();
    let count =
        |engine: &mut Engine, goal: &str| engine.query(goal).map_or(0, |found| found.count());
    for _ in 0..3 {
        assert!(engine.consult_file(&image).expect("an image").is_clean());
        assert_eq!(count(&mut engine, "p(X)"), 2);
        assert_eq!(count(&mut engine, "clause(p(X), B)"), 2);
    }
    assert!(engine.consult_file(&image).expect("an image").is_clean());
    let name = program.display().to_string();
    assert_eq!(count(&mut engine, &format!("source_file('{name}')")), 1);
    assert_eq!(count(&mut engine, &format!("unload_file('{name}')")), 1);
    assert_eq!(
        count(
            &mut engine,
            "catch(p(_), error(existence_error(_, _), _), true)"
        ),
        1
    );
    assert_eq!(count(&mut engine, "clause(p(X), B)"), 0);
    // A declaration between loading and the first call.
    engine.consult_file(&image).expect("an image");
    assert_eq!(count(&mut engine, "dynamic(p/1), assertz(p(3)), p(3)"), 1);
    assert_eq!(count(&mut engine, "p(X)"), 3);
}

#[test]
fn an_interrupted_load_of_an_image_keeps_the_former_program() {
    let folder = Folder::new("cut");
    let facts: String = (0..20_000).map(|n| format!("p({n}).\n")).collect();
    let text = format!("{facts}first(X) :- p(X), !.\n");
    let program = folder.file("a.pl", &text);
    let image = folder.0.join("a.wam");
    let mut maker = Engine::new().expect("there is memory");
    maker.compile_file(&program, &image).expect("a program");
    let mut engine = Engine::new().expect("there is memory");
    engine.consult_file(&image).expect("an image");
    let handle = engine.interrupt_handle();
    let (mut cut, mut wait) = (0, 0);
    // The first interrupted load restores code that is not compiled yet, later ones restore compiled
    // code.
    while cut < 3 && wait < 20_000 {
        let handle = handle.clone();
        let interrupter = std::thread::spawn(move || {
            std::thread::sleep(Duration::from_micros(wait));
            handle.interrupt();
        });
        let loaded = engine.consult_file(&image);
        interrupter.join().expect("a thread that sleeps");
        cut += usize::from(loaded.is_err());
        wait += 100;
        let found = engine.query_once("first(X), aggregate_all(count, p(_), N)");
        let found = match found {
            Err(error) if *error.kind() == ErrorKind::Interrupted => continue,
            found => found.expect("no error").expect("a solution"),
        };
        assert_eq!(found.to_string(), "X = 0,\nN = 20000");
    }
    assert!(cut > 0, "no load was cut short");
}
