//! The command `wamlet compile`, run as a process: exit statuses, messages, and the use of the image.
#![cfg(feature = "cli")]

#[path = "support/process.rs"]
mod process;

use process::{Folder, run_in};

const PROGRAM: &str = "
    :- use_module('parts/words').
    :- initialization(main, main).
    main :- word(W), write(W), nl, fail.
    main :- word(W), W \\== one, X is W + 1, write(X).
";

fn folder() -> Folder {
    let folder = Folder::new();
    std::fs::create_dir_all(folder.0.join("parts")).expect("a folder");
    std::fs::create_dir_all(folder.0.join("bin")).expect("a folder");
    folder.file("main.pl", PROGRAM);
    folder.file(
        "parts/words.pl",
        ":- module(words, [word/1]).\n:- include(list).\n",
    );
    folder.file("parts/list.pl", "word(one).\nword(two).\n");
    folder
}

#[test]
fn an_image_runs_as_its_program() {
    let folder = folder();
    let program = run_in(&folder.0, &["main.pl"], "");
    assert_eq!(program.status, 2);
    assert_eq!(program.output, "one\ntwo\n");
    let compiled = run_in(&folder.0, &["compile", "main.pl"], "");
    let written = (compiled.output.as_str(), compiled.errors.as_str());
    assert_eq!((written, compiled.status), (("", ""), 0));
    let image = run_in(&folder.0, &["main.wam"], "");
    assert_eq!(
        (image.output, image.errors, image.status),
        (program.output, program.errors, program.status)
    );
}

#[test]
fn an_image_may_be_elsewhere_and_be_moved() {
    let folder = folder();
    let compiled = run_in(&folder.0, &["compile", "main.pl", "-o", "bin/main.wam"], "");
    assert_eq!(compiled.status, 0, "{}", compiled.errors);
    let goal = "findall(W, word(W), L), write(L)";
    for (place, file) in [
        ("", "bin/main.wam"),
        ("bin", "main.wam"),
        ("parts", "../bin/main.wam"),
    ] {
        let ran = run_in(&folder.0.join(place), &["-g", goal, file], "");
        let written = (ran.output.as_str(), ran.errors.as_str());
        assert_eq!(
            (written, ran.status),
            (("[one,two]", ""), 0),
            "{place} {file}"
        );
    }
    let other = Folder::new();
    std::fs::copy(folder.0.join("bin/main.wam"), other.0.join("main.wam")).expect("a copy");
    let ran = run_in(&other.0, &["-g", goal, "main.wam"], "");
    assert_eq!(
        (ran.output.as_str(), ran.status),
        ("[one,two]", 0),
        "{}",
        ran.errors
    );
    // A change of a source text is noticed from the folder of the image.
    folder.file("parts/list.pl", "word(three).\n");
    let ran = run_in(&folder.0, &["-g", goal, "bin/main.wam"], "");
    assert_eq!((ran.output.as_str(), ran.status), ("[three]", 0));
    assert!(
        ran.errors.contains("parts/list.pl:1:1: warning: "),
        "{}",
        ran.errors
    );
    assert!(
        ran.errors.contains(
            "help: make the image again with `wamlet compile bin/../main.pl -o bin/main.wam`"
        ),
        "{}",
        ran.errors
    );
}

#[test]
fn reasons_against_an_image_are_reported() {
    let folder = folder();
    folder.file("bad.pl", "p(1).\np(.\n");
    folder.file("halts.pl", ":- halt.\n");
    folder.file("loops.pl", ":- repeat, fail.\n");
    folder.file("m.ll", "MODULE m.\n");
    for (args, status, message) in [
        (&["bad.pl"][..], 1, "bad.pl:2:"),
        (&["bad.pl"], 1, "Wamlet wrote no image"),
        (&["halts.pl"], 1, "Wamlet wrote no image"),
        (&["--max-steps", "1000", "loops.pl"], 3, "limit exceeded"),
        (&["none.pl"], 2, "none.pl"),
        (&["m.ll"], 2, "only a Prolog text can have an image"),
        (&["main.pl", "-o", "main.pl"], 2, "must end in .wam"),
        (&["main.pl", "-o", "none/main.wam"], 2, "none/main.wam"),
        (&[], 2, "Usage"),
        (&["--what", "main.pl"], 2, "--what"),
    ] {
        let args: Vec<&str> = ["compile"]
            .into_iter()
            .chain(args.iter().copied())
            .collect();
        let ran = run_in(&folder.0, &args, "");
        assert_eq!(ran.status, status, "{args:?}: {}", ran.errors);
        assert!(ran.errors.contains(message), "{args:?}: {}", ran.errors);
    }
    let files = std::fs::read_dir(&folder.0).expect("the folder");
    let mut names = files.map(|file| file.expect("a file").file_name());
    assert!(!names.any(|name| name.to_string_lossy().contains("wam")));
}

#[test]
fn other_files_than_images_are_reported() {
    let folder = folder();
    run_in(&folder.0, &["compile", "main.pl"], "");
    let image = std::fs::read(folder.0.join("main.wam")).expect("the image");
    std::fs::write(folder.0.join("half.wam"), &image[..image.len() / 2]).expect("a file");
    folder.file("text.wam", "p(1).\n");
    for (name, message) in [
        ("half.wam", "the image is damaged at byte "),
        ("text.wam", "this is not an image of a program"),
        ("none.wam", "does not exist"),
    ] {
        let ran = run_in(&folder.0, &["-g", "true", name], "");
        assert_eq!(ran.status, 2, "{}", ran.errors);
        assert!(
            ran.errors.contains(name) && ran.errors.contains(message),
            "{}",
            ran.errors
        );
    }
}

#[test]
fn the_time_of_loading_is_reported_in_parts() {
    let folder = folder();
    let ran = run_in(&folder.0, &["compile", "--time", "main.pl"], "");
    assert_eq!(ran.status, 0, "{}", ran.errors);
    let rows: Vec<&str> = ran.output.lines().collect();
    let names = [
        "lexing",
        "parsing",
        "making terms",
        "compiling",
        "loading the text",
        "loading the image",
    ];
    assert_eq!(rows.len(), names.len(), "{}", ran.output);
    for (row, name) in rows.iter().zip(names) {
        assert!(
            row.starts_with(name) && row.contains(" ms "),
            "{}",
            ran.output
        );
    }
}
