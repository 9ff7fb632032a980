//! The command under failures of its environment: nobody reads its output, or files vanish or change while
//! it uses them.
#![cfg(all(feature = "cli", unix))]

use std::process::{Command, Stdio};

#[path = "support/process.rs"]
mod process;

use process::{Folder, Ran, run_in};

/// Runs the command in a folder and reads only the beginning of its output.
fn run_unread(folder: &Folder, args: &[&str]) -> Ran {
    let mut child = Command::new(env!("CARGO_BIN_EXE_wamlet"))
        .args(args)
        .current_dir(&folder.0)
        .stdin(Stdio::null())
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .expect("the command runs");
    let mut output = child.stdout.take().expect("the command runs");
    let mut seen = [0; 2];
    std::io::Read::read_exact(&mut output, &mut seen).expect("the command runs");
    drop(output);
    let result = child.wait_with_output().expect("the command runs");
    Ran {
        status: result.status.code().unwrap_or(-1),
        output: String::from_utf8_lossy(&seen).into_owned(),
        errors: String::from_utf8_lossy(&result.stderr).into_owned(),
    }
}

#[test]
fn output_that_nobody_reads_is_an_error() {
    let folder = Folder::new();
    folder.file(
        "main.pl",
        ":- initialization(main, main).\nmain :- repeat, write(1), nl, fail.\n",
    );
    let goal = "forall(between(1, 1000000, X), (write(X), nl))";
    for args in [&["-g", goal][..], &["-t", goal], &["main.pl"]] {
        let ran = run_unread(&folder, args);
        assert_eq!((ran.output.as_str(), ran.status), ("1\n", 2), "{args:?}");
        assert!(ran.errors.contains("broken pipe"), "{}", ran.errors);
        assert!(!ran.errors.contains("panicked"), "{}", ran.errors);
    }
    // A program that catches the error chooses its exit status.
    let caught = format!("catch({goal}, error(io_error(_, _), _), true), halt(5)");
    assert_eq!(run_unread(&folder, &["-g", &caught]).status, 5);
}

/// For output of the command itself, a closed pipe is no error: the reader has seen enough.
#[cfg(unix)]
#[test]
fn results_that_nobody_reads_are_no_error() {
    let folder = Folder::new();
    folder.file("p.pl", "p(1).\n?- p(1).\n   true.\n");
    for (args, status) in [
        (&["test", "p.pl"][..], 0),
        (&["test", "--format", "json", "p.pl"], 0),
        (&["tree", "-g", "p(X)", "p.pl"], 0),
        (&["compile", "--time", "p.pl"], 0),
        (&["--listing", "p.pl"], 0),
        (&["man"], 0),
        (&["completions", "bash"], 0),
    ] {
        let (reader, writer) = std::io::pipe().expect("a pipe");
        drop(reader);
        let result = Command::new(env!("CARGO_BIN_EXE_wamlet"))
            .args(args)
            .current_dir(&folder.0)
            .stdin(Stdio::null())
            .stdout(writer)
            .output()
            .expect("the command runs");
        let errors = String::from_utf8_lossy(&result.stderr);
        assert_eq!(
            (result.status.code(), &*errors),
            (Some(status), ""),
            "{args:?}"
        );
    }
}

/// If the disk has no space for the new answers, the file stays unchanged. A link stays a link.
#[cfg(unix)]
#[test]
fn answers_are_written_as_a_whole_or_not() {
    let folder = Folder::new();
    let query = format!("?- X = {}.\n   true.\n", "a".repeat(500));
    let text = query.repeat(20);
    let file = folder.file("long.queries", &text);
    let limited = "trap '' XFSZ; ulimit -f 4; exec \"$0\" test --accept long.queries";
    let result = Command::new("sh")
        .args(["-c", limited, env!("CARGO_BIN_EXE_wamlet")])
        .current_dir(&folder.0)
        .env_remove("CI")
        .stdin(Stdio::null())
        .output()
        .expect("a shell runs");
    assert_eq!(result.status.code(), Some(2));
    let errors = String::from_utf8_lossy(&result.stderr);
    assert!(errors.contains("long.queries: "), "{errors}");
    assert!(std::fs::read_to_string(&file).is_ok_and(|now| now == text));
    assert_eq!(std::fs::read_dir(&folder.0).map_or(0, Iterator::count), 1);

    let link = folder.0.join("link.queries");
    std::os::unix::fs::symlink("long.queries", &link).expect("a link");
    let ran = Command::new(env!("CARGO_BIN_EXE_wamlet"))
        .args(["test", "--accept", "link.queries"])
        .current_dir(&folder.0)
        .env_remove("CI")
        .output()
        .expect("the command runs");
    assert_eq!(ran.status.code(), Some(0));
    assert!(link.is_symlink());
    assert!(std::fs::read_to_string(&file).is_ok_and(|now| now != text));
}

/// The same holds for other output files: there is no space for the new files, and the old ones stay.
#[cfg(unix)]
#[test]
fn results_are_written_as_a_whole_or_not() {
    let folder = Folder::new();
    let atom = "a".repeat(5000);
    folder.file("p.pl", &format!("p({atom}).\n?- p(X).\n   X = {atom}.\n"));
    let goal =
        format!("use_module(library(prolog_debug)), profile(atom_length({atom}, _), [svg('old')])");
    std::os::unix::fs::symlink("old", folder.0.join("old.svg")).expect("a link");
    for (args, status) in [
        (&["tree", "-g", "p(X)", "p.pl", "-o", "old.svg"][..], 2),
        (&["test", "--coverage-lcov", "old", "p.pl"], 2),
        (&["-g", &goal], 2),
    ] {
        let old = folder.file("old", "the old text");
        let result = Command::new("sh")
            .args(["-c", "trap '' XFSZ; ulimit -f 0; exec \"$0\" \"$@\""])
            .arg(env!("CARGO_BIN_EXE_wamlet"))
            .args(args)
            .current_dir(&folder.0)
            .stdin(Stdio::null())
            .output()
            .expect("a shell runs");
        let errors = String::from_utf8_lossy(&result.stderr);
        assert_eq!(result.status.code(), Some(status), "{args:?}: {errors}");
        assert!(errors.contains("old"), "{errors}");
        let now = std::fs::read_to_string(&old);
        assert!(now.is_ok_and(|now| now == "the old text"), "{args:?}");
        assert_eq!(std::fs::read_dir(&folder.0).map_or(0, Iterator::count), 3);
    }
}

#[test]
fn small_allocations_that_the_system_refuses_are_errors() {
    for goal in [
        "repeat, recordz(k, a), fail",
        "dynamic(p/1), repeat, asserta(p(\"s\")), fail",
        "between(1, inf, X), assertz((p(X) :- q(X), r)), fail",
        "between(1, inf, X), flag(X, _, X), fail",
        "between(1, inf, X), atom_concat(a, X, A), A:assertz(p), fail",
    ] {
        let result = Command::new("sh")
            .args(["-c", "ulimit -v 100000; exec \"$0\" \"$@\""])
            .arg(env!("CARGO_BIN_EXE_wamlet"))
            .args(["-g", goal])
            .stdin(Stdio::null())
            .output()
            .expect("a shell runs");
        let errors = String::from_utf8_lossy(&result.stderr);
        assert_eq!(result.status.code(), Some(3), "{goal}: {errors}");
        assert!(errors.contains("Not enough resources: memory"), "{errors}");
    }
}

const PROGRAM: &str = "p(1).\nq(X) :- Y is X + a, print(Y).\np(2).\n";

#[test]
fn a_file_that_vanishes_during_loading_is_loaded() {
    let folder = Folder::new();
    for change in [
        "delete_file('gone.pl')",
        "open('gone.pl', write, S), write(S, 'é日本'), close(S)",
        "open('gone.pl', append, S), write(S, 'p(3).'), close(S)",
    ] {
        folder.file(
            "gone.pl",
            &format!(":- discontiguous p/1.\n:- {change}.\n{PROGRAM}"),
        );
        let goal = "forall(p(X), write(X)), catch(q(1), error(E, _), true), print(E)";
        let ran = run_in(
            &folder.0,
            &["-q", "--no-warn", "arithmetic", "-g", goal, "gone.pl"],
            "",
        );
        assert_eq!(ran.output, "12type_error(evaluable,a/0)", "{change}");
        assert_eq!((ran.errors.as_str(), ran.status), ("", 0), "{change}");
    }
}

/// A message reads the file again to show the location of a clause. By then the file may have any content.
#[test]
fn errors_in_changed_files_have_at_least_a_line() {
    let folder = Folder::new();
    let write = |text: &str| format!("open('later.pl', write, S), write(S, {text}), close(S)");
    for change in [
        "true".to_owned(),
        "delete_file('later.pl')".to_owned(),
        "delete_file('later.pl'), make_directory('later.pl')".to_owned(),
        "delete_file('later.pl'), shell('mkfifo later.pl')".to_owned(),
        "delete_file('later.pl'), shell('ln -s /dev/zero later.pl')".to_owned(),
        write("''"),
        write("'é'"),
        write("'x\\né日本日本日本日本日本日本日本日本'"),
        write("'x\\nq(X) :- \\'abc'"),
        write("'x\\n/* '"),
    ] {
        let _ = std::fs::remove_dir(folder.0.join("later.pl"));
        let _ = std::fs::remove_file(folder.0.join("later.pl"));
        folder.file("later.pl", PROGRAM);
        let goal = format!("{change}, q(1)");
        let args = ["--timeout", "20", "-q", "-g", &goal, "later.pl"];
        let ran = run_in(&folder.0, &args, "");
        assert_eq!(ran.status, 2, "{change}: {}", ran.errors);
        let place = ran
            .errors
            .find("later.pl:2:")
            .map(|at| &ran.errors[at + 11..]);
        let has_error = place.is_some_and(|text| text.contains("error: (is)/2: "));
        assert!(has_error, "{change}: {}", ran.errors);
    }
}

/// Makes a pipe `pipe.pl` in a folder. The text of a pipe can be read only once.
fn make_pipe(folder: &Folder) -> std::path::PathBuf {
    let pipe = folder.0.join("pipe.pl");
    let made = Command::new("mkfifo").arg(&pipe).status();
    assert!(made.expect("mkfifo runs").success());
    pipe
}

/// Limits end the wait, however the program is loaded.
#[test]
fn limits_end_the_wait_for_a_writer_of_a_pipe() {
    let folder = Folder::new();
    make_pipe(&folder);
    folder.file("includes.pl", ":- include('pipe.pl').\n");
    for args in [
        &["--timeout", "0.2", "-g", "true", "pipe.pl"] as &[&str],
        &["--timeout", "0.2", "-g", "true", "includes.pl"],
        &["tree", "--timeout", "0.2", "-g", "true", "pipe.pl"],
        &["compile", "--timeout", "0.2", "pipe.pl", "-o", "x.wam"],
    ] {
        let ran = run_in(&folder.0, args, "");
        assert_eq!(ran.status, 3, "{args:?}: {}", ran.errors);
        assert!(ran.errors.contains("Time limit exceeded"), "{}", ran.errors);
    }
    let goal = "catch(call_with_time_limit(0.1, consult('pipe.pl')), E, true), print(E)";
    let ran = run_in(&folder.0, &["-g", goal], "");
    assert_eq!(
        (ran.status, &*ran.output),
        (0, "time_limit_exceeded"),
        "{}",
        ran.errors
    );
}

#[test]
fn a_pipe_as_a_program_is_read_once() {
    let folder = Folder::new();
    let pipe = make_pipe(&folder);
    let writer = std::thread::spawn(move || std::fs::write(pipe, PROGRAM));
    let args = ["--timeout", "20", "-q", "-g", "q(1)", "pipe.pl"];
    let ran = run_in(&folder.0, &args, "");
    writer.join().unwrap().unwrap();
    assert_eq!(ran.status, 2);
    assert!(
        ran.errors.contains("pipe.pl:2:1: error: "),
        "{}",
        ran.errors
    );
}

/// A file of tests must be a plain file, because other files may have no end.
#[test]
fn devices_and_pipes_are_no_files_of_tests() {
    let folder = Folder::new();
    make_pipe(&folder);
    for path in ["/dev/zero", "pipe.pl"] {
        let ran = run_in(&folder.0, &["test", path], "");
        assert_eq!(ran.status, 2);
        assert_eq!(ran.errors, format!("ERROR: {path}: not a plain file\n"));
    }
}

/// Output to a full pipe that nobody reads: limits and interrupts end the wait.
#[test]
fn limits_end_the_wait_for_a_reader() {
    let goal = "repeat, write(abcdefghijklmnopqrstuvwxyz), fail";
    let caught =
        format!("catch(call_with_time_limit(0.2, ({goal})), Ball, true), print(user_error, Ball)");
    for (args, status, message) in [
        (
            &["--timeout", "0.2", "-g", goal][..],
            3,
            "Time limit exceeded",
        ),
        (&["-g", &caught], 0, "time_limit_exceeded"),
    ] {
        let mut child = Command::new(env!("CARGO_BIN_EXE_wamlet"))
            .args(args)
            .stdin(Stdio::null())
            .stdout(Stdio::piped())
            .stderr(Stdio::piped())
            .spawn()
            .expect("the command runs");
        let unread = child.stdout.take().expect("the command runs");
        let watched = child.id();
        let patience = std::thread::spawn(move || {
            std::thread::sleep(std::time::Duration::from_secs(30));
            drop(unread);
        });
        let ran = child.wait_with_output().expect("the command runs");
        assert!(!patience.is_finished(), "process {watched} waited");
        let errors = String::from_utf8_lossy(&ran.stderr);
        assert_eq!(ran.status.code(), Some(status), "{errors}");
        assert!(errors.contains(message), "{errors}");
    }
}

/// Names of files, arguments and variables are bytes. Bytes that are no text survive all operations of a
/// program.
#[test]
fn names_that_are_no_text_keep_their_bytes() {
    use std::ffi::OsStr;
    use std::os::unix::ffi::OsStrExt;
    let folder = Folder::new();
    let name = OsStr::from_bytes(b"caf\xe9.pl");
    let text = "p(1).\np(X) :- q.\n:- prolog_load_context(source, S), assertz(source(S)).\n";
    std::fs::write(folder.0.join(name), text).expect("a name of bytes");
    std::fs::create_dir(folder.0.join(OsStr::from_bytes(b"\xff"))).expect("a name of bytes");
    let run = |args: &[&OsStr]| {
        let ran = Command::new(env!("CARGO_BIN_EXE_wamlet"))
            .args(args)
            .current_dir(&folder.0)
            .env("OF_BYTES", OsStr::from_bytes(b"\xfe"))
            .stdin(Stdio::null())
            .output()
            .expect("the command runs");
        let errors = String::from_utf8_lossy(&ran.stderr).into_owned();
        assert_eq!(ran.status.code(), Some(0), "{errors}");
        (ran.stdout, errors)
    };
    // Listing, patterns, arguments, variables.
    let same = "directory_files('.', Fs), member(F, Fs), file_name_extension(_, pl, F), expand_file_name('caf?.pl', [F]), current_prolog_flag(argv, [F]), \
                atom_codes(F, [_, _, _, C|_]), C =:= 0x10FEE9, getenv('OF_BYTES', V), char_code(V, 0x10FEFE)";
    // Loading, source files, existence, size, renaming, writing, and commands of the shell.
    let used = "consult(F), source(S), source_file(S), source_file(p(_), S), exists_file(S), make, absolute_file_name(F, S), \
                size_file(F, _), rename_file(F, other), rename_file(other, F), read_file_to_string(F, _, []), \
                format(atom(Goal), 'ls ~w', [F]), shell(Goal), setenv(again, V), shell('printf %s \"$again\"')";
    let moved = "absolute_file_name(F, S1), char_code(D, 0x10FEFF), working_directory(Old, D), working_directory(New, New), atom_concat(Old, D, New0), \
                 atom_concat(New0, /, New), open(D, write, Out), close(Out), exists_file(D)";
    let goal = format!("{same}, {used}, {moved}");
    let (output, _) = run(&[
        OsStr::new("-g"),
        OsStr::new(&goal),
        OsStr::new("-t"),
        OsStr::new("halt"),
        OsStr::new("--"),
        name,
    ]);
    assert_eq!(output, b"caf\xe9.pl\n\xfe");
    assert!(folder.0.join(OsStr::from_bytes(b"\xff/\xff")).is_file());
    // As a program, as a compiled program, and as a file of tests.
    let (output, errors) = run(&[
        OsStr::new("-g"),
        OsStr::new("p(1), write(yes)"),
        OsStr::new("-t"),
        OsStr::new("halt"),
        name,
    ]);
    assert_eq!(output, b"yes", "{errors}");
    assert!(errors.contains(":2:"), "{errors}");
    run(&[OsStr::new("compile"), name]);
    let (output, _) = run(&[
        OsStr::new("-g"),
        OsStr::new("p(1), write(yes)"),
        OsStr::new("-t"),
        OsStr::new("halt"),
        OsStr::from_bytes(b"caf\xe9.wam"),
    ]);
    assert_eq!(output, b"yes");
    std::fs::write(folder.0.join(name), "p(1).\n?- p(X).\n   X = 1.\n").expect("a name of bytes");
    run(&[OsStr::new("test"), name]);
}

/// A program in a deleted working directory can leave it. Goals that use no file there still work.
#[test]
fn a_working_directory_that_is_deleted_keeps_its_name() {
    let folder = Folder::new();
    folder.file("x.pl", "p(1).\n");
    let here = folder.0.canonicalize().expect("a folder");
    let here = here.display();
    let inside = "working_directory(D, D), \\+ exists_directory(D), atom_concat('HERE', '/gone/', D), absolute_file_name(a, A), atom_concat(D, a, A), \
                  catch(consult(a), error(existence_error(_, _), _), true), catch(open(a, write, _), error(existence_error(_, _), _), true), \
                  expand_file_name('*', []), make, consult('HERE/x.pl'), source_file('HERE/x.pl')";
    let out = "chdir('..'), exists_file('x.pl'), working_directory(E, E), atom_concat('HERE', /, E), write(out)";
    let inside = inside.replace("HERE", &here.to_string());
    let out = out.replace("HERE", &here.to_string());
    let goals = format!("{inside}, {out}");
    // The directory is deleted before the command begins, and then by the program.
    let line = r#"mkdir gone && cd gone && rmdir ../gone && exec "$0" -g "$1" -t halt"#;
    for args in [
        ["sh", "-c", line, env!("CARGO_BIN_EXE_wamlet"), &goals],
        [
            "sh",
            "-c",
            r#"mkdir gone && exec "$0" -g "chdir(gone), delete_directory('../gone'), catch(shell(true), error(existence_error(directory, _), _), true), $1" -t halt"#,
            env!("CARGO_BIN_EXE_wamlet"),
            &goals,
        ],
    ] {
        let ran = Command::new(args[0])
            .args(&args[1..])
            .current_dir(&folder.0)
            .stdin(Stdio::null())
            .output()
            .expect("a shell runs");
        let errors = String::from_utf8_lossy(&ran.stderr);
        assert_eq!(String::from_utf8_lossy(&ran.stdout), "out", "{errors}");
        assert_eq!(errors, "");
    }
}

/// A text from a pipe is loaded once and not read again.
#[test]
fn a_program_may_come_through_a_pipe() {
    let folder = Folder::new();
    let text = "p(1).\np(X) :- q.\n:- initialization((write(loaded), nl)).\np( , .\n";
    for name in ["/dev/stdin", "/dev/fd/0"] {
        let goal = format!(
            "consult('{name}'), make, source_file(p(_), '{name}'), p(1), catch(p(2), _, true)"
        );
        let ran = run_in(&folder.0, &["-g", &goal, "-t", "halt"], text);
        assert_eq!(
            (ran.output.as_str(), ran.status),
            ("loaded\n", 1),
            "{}",
            ran.errors
        );
        assert!(
            ran.errors.contains(&format!("{name}:4:4: error")),
            "{}",
            ran.errors
        );
    }
}

/// If the home directory of the user is unknown, `~` is the root.
#[test]
fn an_unknown_home_directory_is_the_root() {
    let ran = Command::new(env!("CARGO_BIN_EXE_wamlet"))
        .args([
            "-g",
            "expand_file_name('~/x', L), expand_file_name(~, M), print(L-M)",
            "-t",
            "halt",
        ])
        .env_remove("HOME")
        .stdin(Stdio::null())
        .output()
        .expect("the command runs");
    assert_eq!(String::from_utf8_lossy(&ran.stdout), "['/x']-[/]");
}
