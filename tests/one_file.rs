//! A file is recognized under all its paths: with `.` and `..`, through symbolic links, through an alias, and relative
//! to another file or working directory.
#![cfg(unix)]

use std::os::unix::fs::symlink;
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicUsize, Ordering};
use wamlet::{Capabilities, Engine};

/// A folder that is deleted on drop.
struct Folder(PathBuf);

impl Folder {
    fn new() -> Folder {
        static COUNT: AtomicUsize = AtomicUsize::new(0);
        let number = COUNT.fetch_add(1, Ordering::Relaxed);
        let name = format!("wamlet-one-file-{}-{number}", std::process::id());
        let path = std::env::temp_dir().join(name);
        std::fs::create_dir_all(path.join("sub")).expect("a folder for temporary files");
        // The path of the temporary folder may contain a link.
        Folder(path.canonicalize().expect("it works"))
    }

    fn file(&self, name: &str, text: &str) {
        let path = self.0.join(name);
        std::fs::create_dir_all(path.parent().expect("it works")).expect("it works");
        std::fs::write(path, text).expect("a writable folder");
    }

    /// Returns an engine with this working directory and the alias `here`.
    fn engine(&self) -> Engine {
        let builder = Engine::builder().capabilities(Capabilities::full());
        let mut engine = builder.build().expect("it works");
        yes(
            &mut engine,
            &format!("working_directory(_, '{}')", self.0.display()),
        );
        yes(
            &mut engine,
            "assertz(user:file_search_path(here, sub/'..'))",
        );
        engine
    }
}

impl Drop for Folder {
    fn drop(&mut self) {
        let _ = std::fs::remove_dir_all(&self.0);
    }
}

fn yes(engine: &mut Engine, goal: &str) {
    let found = engine.query_once(goal);
    assert!(matches!(found, Ok(Some(_))), "{goal}: {found:?}");
}

fn value(engine: &mut Engine, goal: &str) -> String {
    let found = engine.query_once(goal).expect("it works");
    found
        .unwrap_or_else(|| panic!("{goal} fails"))
        .get("X")
        .expect("it works")
        .to_string()
}

/// Ways to name the file `m.pl`; `ABS` stands for the folder.
const NAMES: [&str; 12] = [
    "m",
    "'m.pl'",
    "'./m'",
    "'sub/../m'",
    "'sub/.././sub/..//m.pl'",
    "'link/m'",
    "'sub/up/m.pl'",
    "other",
    "'sub/other.pl'",
    "here(m)",
    "library(m)",
    "'ABS/link/sub/../m'",
];

fn with_names() -> Folder {
    let folder = Folder::new();
    symlink("sub/up", folder.0.join("link")).expect("it works");
    symlink("..", folder.0.join("sub/up")).expect("it works");
    symlink("m.pl", folder.0.join("other.pl")).expect("it works");
    symlink("../m.pl", folder.0.join("sub/other.pl")).expect("it works");
    let file = ":- initialization(flag(loads, N, N + 1)).\np(1).\n";
    folder.file("m.pl", &format!(":- module(m, [p/1]).\n{file}"));
    folder
}

fn spelled(folder: &Folder, name: &str) -> String {
    name.replace("ABS", &folder.0.display().to_string())
}

#[test]
fn a_file_is_loaded_once_by_all_names() {
    let folder = with_names();
    let here = format!("user:library_directory('{}/sub/up')", folder.0.display());
    let goals = [
        "use_module(F)",
        "ensure_loaded(F)",
        "load_files(F, [if(not_loaded)])",
    ];
    for (at, first) in NAMES.iter().enumerate() {
        let mut engine = folder.engine();
        yes(&mut engine, &format!("assertz({here})"));
        yes(
            &mut engine,
            &format!("use_module({})", spelled(&folder, first)),
        );
        for (number, other) in NAMES.iter().enumerate() {
            let other = spelled(&folder, other);
            let goal = goals[(at + number) % 3].replace('F', &other);
            yes(&mut engine, &goal);
            assert_eq!(
                value(&mut engine, "flag(loads, X, X)"),
                "1",
                "{first}, {goal}"
            );
            // Loading the file again replaces it.
            let goal = ["consult(F)", "[F]", "load_files(F, [])"][(at + number) % 3];
            yes(&mut engine, &goal.replace('F', &other));
            assert_eq!(
                value(&mut engine, "flag(loads, X, 1)"),
                "2",
                "{first}, {goal}"
            );
        }
        assert_eq!(value(&mut engine, "findall(Y, p(Y), X)"), "[1]", "{first}");
        let files = "findall(F, (source_file(F), module_property(m, file(F))), L), length(L, X)";
        assert_eq!(value(&mut engine, files), "1", "{first}");
        yes(
            &mut engine,
            "module_property(m, file(F)), source_file(m:p(_), F), predicate_property(m:p(_), file(F))",
        );
        yes(&mut engine, "make");
        assert_eq!(value(&mut engine, "flag(loads, X, X)"), "1", "{first}");
        yes(
            &mut engine,
            &format!(
                "unload_file({}), \\+ source_file(_)",
                spelled(&folder, NAMES[11 - at])
            ),
        );
    }
}

#[test]
fn files_of_the_same_name_in_two_folders_are_distinct() {
    let folder = Folder::new();
    folder.file(
        "a/x.pl",
        "p(a).\n:- discontiguous(p/1).\n:- multifile(p/1).\n",
    );
    folder.file("b/x.pl", ":- multifile(p/1).\np(b).\n");
    let mut engine = folder.engine();
    yes(
        &mut engine,
        "chdir(a), consult(x), chdir('../b'), consult(x), consult('./x')",
    );
    assert_eq!(value(&mut engine, "findall(Y, p(Y), X)"), "[a,b]");
    let files = "findall(Y, (source_file(F), file_directory_name(F, D), file_base_name(D, Y)), X)";
    assert_eq!(value(&mut engine, files), "[a,b]");
    // Each file is found again, also from another directory, and both still exist.
    yes(&mut engine, "chdir(..), unload_file('b/x.pl')");
    assert_eq!(value(&mut engine, "findall(Y, p(Y), X)"), "[a]");
    engine.capture_error_output();
    yes(&mut engine, "make");
    assert_eq!(engine.take_error_output(), "");
}

#[test]
fn a_changed_link_is_loaded_again() {
    let folder = Folder::new();
    folder.file("one.pl", "p(1).\n");
    folder.file("two.pl", "p(2).\n");
    symlink("one.pl", folder.0.join("present.pl")).unwrap();
    let mut engine = folder.engine();
    yes(&mut engine, "consult(present)");
    std::fs::remove_file(folder.0.join("present.pl")).unwrap();
    symlink("two.pl", folder.0.join("present.pl")).unwrap();
    assert!(engine.consult_file("present.pl").unwrap().is_clean());
    assert_eq!(value(&mut engine, "findall(Y, p(Y), X)"), "[2]");
    // The former target is a different file now.
    yes(&mut engine, "ensure_loaded(one)");
    assert_eq!(
        value(&mut engine, "findall(F, source_file(F), L), length(L, X)"),
        "2"
    );
}

#[test]
fn a_text_that_includes_itself_by_another_path_is_refused() {
    let folder = Folder::new();
    symlink("self.pl", folder.0.join("again.pl")).unwrap();
    for name in ["self", "./self", "sub/../self.pl", "again"] {
        folder.file("self.pl", &format!("p.\n:- include('{name}').\n"));
        let report = folder.engine().consult_file("self.pl").unwrap();
        assert_eq!(report.errors.len(), 1, "{name}: {:?}", report.errors);
        assert!(
            report.errors[0].message.contains("being loaded"),
            "{}",
            report.errors[0]
        );
        folder.file("self.pl", &format!("p.\n:- consult('{name}').\n"));
        let report = folder.engine().consult_file("self.pl").unwrap();
        assert!(
            report.errors[0].message.contains("being loaded"),
            "{}",
            report.errors[0]
        );
    }
}

#[test]
fn modules_of_many_folders_may_import_each_other() {
    let folder = Folder::new();
    let count = 600;
    for at in 0..count {
        let next = (at + 1) % count;
        let text = format!(
            ":- module(m{at}, [p{at}/0]).\n:- use_module('../d{next}/m{next}').\n\
             :- initialization(flag(loads, N, N + 1)).\np{at}.\n"
        );
        folder.file(&format!("d{at}/m{at}.pl"), &text);
    }
    for first in [
        "d0/m0.pl".to_owned(),
        format!("{}/d0/m0.pl", folder.0.display()),
    ] {
        let mut engine = folder.engine();
        assert!(engine.consult_file(first).unwrap().is_clean());
        assert_eq!(value(&mut engine, "flag(loads, X, X)"), count.to_string());
    }
}

/// A host may use any path of a file. Messages use the path of the first load.
#[test]
fn a_file_under_another_name_of_the_host_is_loaded_again() {
    let folder = Folder::new();
    folder.file("x.pl", "p(1).\np(X) :- q.\n");
    let mut engine = folder.engine();
    let whole = folder.0.join("sub/../x.pl");
    for name in [Path::new("x.pl"), Path::new("./x"), &whole] {
        let report = engine.consult_file(name).unwrap();
        assert_eq!(
            (report.errors.len(), report.warnings.len()),
            (0, 1),
            "{report:?}"
        );
        assert_eq!(report.warnings[0].file, "x.pl");
        assert_eq!(
            value(&mut engine, "findall(Y, clause(p(Y), _), L), length(L, X)"),
            "2"
        );
    }
    // The same holds for a text that replaces the file.
    for name in ["./x.pl", "x.pl", whole.to_str().unwrap()] {
        assert!(engine.consult_text(name, "p(3).\n").unwrap().is_clean());
        assert_eq!(value(&mut engine, "findall(Y, p(Y), X)"), "[3]");
    }
    // A text that is no file is identified by its name, in every working directory.
    assert!(engine.consult_text("policy", "r(1).\n").unwrap().is_clean());
    yes(&mut engine, "chdir(sub)");
    assert!(engine.consult_text("policy", "r(2).\n").unwrap().is_clean());
    assert_eq!(value(&mut engine, "findall(Y, r(Y), X)"), "[2]");
}

/// Names in a text are relative to the folder of the text, even if the engine has another working directory.
#[test]
fn names_in_a_text_are_relative_to_its_folder() {
    let folder = Folder::new();
    folder.file("a/main.pl", ":- chdir(sub).\n:- ensure_loaded(part).\n:- prolog_load_context(directory, D), assertz(where(D)).\np(X) :- q(X).\n");
    folder.file("a/part.pl", "q(1).\n");
    folder.file("part.pl", "q(wrong).\n");
    let mut engine = folder.engine();
    assert!(engine.consult_file("a/main.pl").unwrap().is_clean());
    assert_eq!(value(&mut engine, "p(X)"), "1");
    assert_eq!(
        value(&mut engine, "where(X)"),
        format!("'{}/a'", folder.0.display())
    );
    yes(&mut engine, "make");
}

/// An image contains each file once. It finds its files under all names, even without the source texts.
#[test]
fn an_image_knows_its_files_by_all_names() {
    let folder = with_names();
    let names = ["m", "'./m'", "'sub/../m'", "'link/m'", "other", "here(m)"];
    let uses: String = names
        .iter()
        .map(|name| format!(":- use_module({name}).\n"))
        .collect();
    folder.file(
        "app/main.pl",
        &format!(":- use_module('../sub/../m').\n{uses}q(X) :- p(X).\n"),
    );
    let report = folder
        .engine()
        .compile_file("app/main.pl", "app/main.wam")
        .unwrap();
    assert!(report.is_clean(), "{report:?}");
    let moved = Folder::new();
    for name in ["app", "sub/up"] {
        std::fs::create_dir_all(moved.0.join(name)).unwrap();
    }
    std::fs::copy(folder.0.join("app/main.wam"), moved.0.join("app/main.wam")).unwrap();
    for place in [&folder, &moved] {
        let mut engine = place.engine();
        let report = engine.consult_file("app/main.wam").unwrap();
        if std::ptr::eq(place, &folder) {
            assert!(report.is_clean(), "{report:?}");
        }
        assert_eq!(value(&mut engine, "flag(loads, X, X)"), "1");
        assert_eq!(value(&mut engine, "findall(Y, q(Y), X)"), "[1]");
    }
}
