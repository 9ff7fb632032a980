//! The time and order in which output of a program leaves the process. No output is lost, however the process ends.
#![cfg(all(feature = "cli", unix))]

use std::io::{BufRead, BufReader, Read};
use std::process::{Child, ChildStdin, Command, Stdio};

#[path = "support/process.rs"]
#[expect(dead_code, reason = "processes are started and signalled here")]
mod process;

use process::Folder;

/// Starts the command with these arguments. Its two outputs are one pipe.
fn start(args: &[&str]) -> (Child, BufReader<std::io::PipeReader>) {
    let (reader, writer) = std::io::pipe().expect("a pipe");
    let child = Command::new(env!("CARGO_BIN_EXE_wamlet"))
        .args(args)
        .stdin(Stdio::piped())
        .stdout(writer.try_clone().expect("a pipe"))
        .stderr(writer)
        .spawn()
        .expect("the command starts");
    (child, BufReader::new(reader))
}

fn line(output: &mut impl BufRead) -> String {
    let mut line = String::new();
    output.read_line(&mut line).expect("output");
    line
}

fn rest(output: &mut impl Read) -> String {
    let mut rest = String::new();
    output.read_to_string(&mut rest).expect("output");
    rest
}

/// Ends a process that waits, and all its children.
fn end(mut child: Child) {
    child.kill().expect("a process");
    child.wait().expect("its end");
}

fn signal(child: &Child, name: &str) {
    let sent = Command::new("kill")
        .args([format!("-{name}"), child.id().to_string()])
        .status();
    assert!(sent.expect("the command kill").success());
}

/// The process never ends, so it must write its output before its end.
#[test]
fn lines_leave_a_process_that_continues() {
    for (goal, lines) in [
        ("write(one), nl, repeat, fail", 1),
        (
            "forall(between(1, 20000, X), (write(X), nl)), repeat, fail",
            20000,
        ),
        // After a moment without output, each line is written at once again.
        (
            "forall(between(1, 200, X), (write(X), nl)), sleep(0.1), write(more), nl, repeat, fail",
            201,
        ),
    ] {
        let (child, mut output) = start(&["-g", goal]);
        let last = (0..lines).map(|_| line(&mut output)).last();
        assert!(last.is_some_and(|line| line.ends_with('\n')), "{goal}");
        end(child);
    }
}

#[test]
fn partial_lines_leave_the_process_before_it_waits() {
    for goal in [
        "write(on), sleep(100)",
        "write(on), shell('sleep 100')",
        "write(on), read(_)",
        "write(on), open('/dev/stdin', read, S), get_char(S, _)",
    ] {
        let (child, mut output) = start(&["-g", goal]);
        let mut seen = [0; 2];
        output.read_exact(&mut seen).expect("output");
        assert_eq!(&seen, b"on", "{goal}");
        end(child);
    }
}

#[test]
fn outputs_and_commands_keep_their_order() {
    for goal in [
        "write(a), write(user_error, b), write(c), nl, write(user_error, d)",
        "write(a), shell('printf b'), write(c), nl, shell('printf d >&2')",
        "forall(between(1, 500, _), nl), write(a), write(user_error, b), write(c), nl, write(user_error, d)",
    ] {
        let (mut child, mut output) = start(&["-g", goal]);
        assert_eq!(rest(&mut output).trim_start(), "abc\nd", "{goal}");
        child.wait().expect("its end");
    }
}

#[test]
fn lines_can_be_left_to_the_buffer() {
    let (child, mut output) = start(&[
        "-g",
        "set_stream(user_output, buffer(full)), write(first), nl, write(user_error, second), nl(user_error), repeat, fail",
    ]);
    assert_eq!(
        (line(&mut output), line(&mut output)),
        ("first\n".into(), "second\n".into())
    );
    end(child);
}

/// Sends a signal after the process has written `start`. Returns the output after it, and the exit status.
fn signalled(name: &str, args: &[&str]) -> (String, Option<i32>) {
    let (mut child, mut output) = start(args);
    let stdin: Option<ChildStdin> = child.stdin.take();
    assert_eq!(line(&mut output), "start\n", "{args:?}");
    signal(&child, name);
    let rest = rest(&mut output);
    let status = child.wait().expect("its end");
    drop(stdin);
    (rest, status.code())
}

#[test]
fn fatal_signals_let_the_process_clean_up() {
    for (name, status) in [("TERM", 143), ("HUP", 129)] {
        for waits in [
            "repeat, fail",
            "sleep(100)",
            "shell('sleep 100')",
            "read(_)",
            "catch((repeat, fail), _, true)",
            "length(L, 100000), repeat, msort(L, _), fail",
        ] {
            let goal = format!(
                "at_halt((write(bye), nl)),
                 setup_call_cleanup(true, (write(start), nl, {waits}), write('clean '))"
            );
            let ended = ("clean bye\n".to_owned(), Some(status));
            assert_eq!(signalled(name, &["-g", &goal]), ended, "{waits}");
        }
    }
}

#[test]
fn loading_ends_at_a_signal_too() {
    let folder = Folder::new();
    let file = folder.file(
        "a.pl",
        ":- at_halt((write(bye), nl)).\n:- write(start), nl, repeat, fail.\n",
    );
    let file = file.to_str().expect("a name");
    assert_eq!(signalled("TERM", &[file]), ("bye\n".to_owned(), Some(143)));
}

#[test]
fn a_second_signal_ends_goals_that_run_at_the_end() {
    let (mut child, mut output) = start(&[
        "-g",
        "at_halt((write(end), nl, repeat, fail)), write(start), nl, sleep(100)",
    ]);
    assert_eq!(line(&mut output), "start\n");
    signal(&child, "TERM");
    assert_eq!(line(&mut output), "end\n");
    signal(&child, "TERM");
    assert_eq!(child.wait().expect("its end").code(), Some(143));
}

#[test]
fn a_signal_that_is_ignored_stays_ignored() {
    let (reader, writer) = std::io::pipe().expect("a pipe");
    let goal = "write(start), nl, sleep(0.3), write(end), nl";
    let mut child = Command::new("sh")
        .args([
            "-c",
            "trap '' HUP; exec \"$0\" -g \"$1\"",
            env!("CARGO_BIN_EXE_wamlet"),
            goal,
        ])
        .stdout(writer)
        .spawn()
        .expect("a shell");
    let mut output = BufReader::new(reader);
    assert_eq!(line(&mut output), "start\n");
    signal(&child, "HUP");
    assert_eq!(rest(&mut output), "end\n");
    assert!(child.wait().expect("its end").success());
}

#[test]
fn the_limit_of_file_sizes_is_an_error_of_the_write() {
    let folder = Folder::new();
    let goal = "open(f, write, S),
        catch((repeat, write(S, text), fail), error(E, _), true), close(S, [force(true)]),
        E = io_error(output, S), write(caught), nl";
    let limited = Command::new("sh")
        .args([
            "-c",
            "ulimit -f 8; \"$0\" -g \"$1\"",
            env!("CARGO_BIN_EXE_wamlet"),
            goal,
        ])
        .current_dir(&folder.0)
        .output()
        .expect("a shell");
    assert_eq!(String::from_utf8_lossy(&limited.stdout), "caught\n");
}
