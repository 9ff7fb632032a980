//! Replays cases with which the guided fuzzer reached new code. `tests/corpora` has a file for each target of the
//! fuzzer. A line is a case, escaped as a literal of bytes. Each case must end in an answer or an error.

#[allow(unreachable_pub, reason = "it is a library of its own, too")]
#[path = "guided/lib.rs"]
mod guided;

use std::fs;
use std::path::Path;

/// Returns the bytes of a line.
fn unescaped(line: &str) -> Vec<u8> {
    let mut bytes = Vec::new();
    let mut rest = line.bytes();
    while let Some(byte) = rest.next() {
        bytes.push(match (byte, byte == b'\\') {
            (byte, false) => byte,
            _ => match rest.next().expect("an escaped character") {
                b'n' => b'\n',
                b'r' => b'\r',
                b't' => b'\t',
                b'x' => {
                    let digits = [rest.next(), rest.next()].map(|digit| digit.expect("a digit"));
                    let digits = std::str::from_utf8(&digits).expect("a digit");
                    u8::from_str_radix(digits, 16).expect("digits")
                }
                other => other,
            },
        });
    }
    bytes
}

/// Runs all cases of a file with a target.
fn replay(target: &str, work: fn(&[u8])) {
    let file = Path::new(env!("CARGO_MANIFEST_DIR")).join(format!("tests/corpora/{target}.txt"));
    let text = fs::read_to_string(&file).expect("the cases");
    assert!(text.lines().count() > 50, "{}", file.display());
    for line in text.lines() {
        work(&unescaped(line));
    }
}

#[test]
fn texts_are_read() {
    replay("reader", guided::reader);
}

#[test]
fn texts_of_lolli_are_read() {
    replay("lolli", guided::lolli);
}

#[test]
fn programs_run() {
    replay("machine", guided::machine);
}

#[test]
fn terms_are_read_as_written() {
    replay("round_trip", guided::round_trip);
}

#[test]
fn builtins_take_any_arguments() {
    replay("builtins", guided::builtins);
}

#[test]
fn images_are_loaded_or_refused() {
    replay("images", guided::images);
}

#[test]
fn collections_change_no_answers() {
    replay("collections", guided::collections);
}
