//! Random texts. The scanner for the ends of clauses agrees with the reader. The two modes of the reader also
//! agree: the default reads every text that the strict reader accepts to the same term and the same end.

use super::{Random, Reader};
use crate::base::atom_table::atoms;
use crate::base::op_table::OpType;
use crate::text::clause_extent::ClauseExtent;

/// Tests texts made of random pieces: a term that the reader accepts ends where the scanner says,
/// and no text makes the reader panic or loop.
#[test]
fn agrees_with_the_reader() {
    let pieces = [
        "a", "X", "0", "1", "12", "0'", "'", "\"", "`", "\\", "\\x41\\", "\\n", ".", ". ", ".\n",
        "%", "/*", "*/", "e", "E", "_", "x", "b", "+", "-", "*", "(", ")", "[", "]", "{", "}", ",",
        "|", " ", "\n", "=", ":-", "1.0", "1.0e", "0x", "0b1", "\u{e9}", "\u{2264}", "'a'", "f(",
        "mod", "u0041", "''", "0''", "0'a", "foo", "; ", "!", "\t", "16'", "FF", "2'1", " 000",
        "\\c", "\\x4", "\\0", "\r\n", "f()", "=>", "1_",
    ];
    let mut random = Random(88_172_645_463_325_252);
    let mut accepted = 0;
    for nth in 0..60_000 {
        let mut text = String::new();
        for _ in 0..=random.below(9) {
            text.push_str(random.of(&pieces));
        }
        text.push_str(". ");
        let mut reader = Reader::new();
        if nth % 2 == 1 {
            reader = reader.strict();
        }
        let mut pos = 0;
        while pos < text.len() {
            let start = pos;
            match reader.read(&text, &mut pos) {
                Ok(true) => {
                    accepted += 1;
                    let end = ClauseExtent::new(reader.flags.lexis()).end_in(&text, start);
                    assert_eq!(pos, end, "{text:?} from {start}");
                }
                Ok(false) => assert_eq!(pos, text.len(), "{text:?}"),
                Err(error) => {
                    assert!(pos > start, "{text:?} from {start}");
                    assert!(error.span.start <= error.span.end, "{text:?}");
                    assert!(error.span.end as usize <= text.len(), "{text:?}");
                    assert!(!error.message().is_empty());
                    error.hint();
                }
            }
        }
    }
    assert!(accepted > 6_000, "{accepted}");
}

/// Pieces that are read differently in the two modes.
#[rustfmt::skip]
const PIECES: &[&str] = &[
    "a", "b", "f(", "g(", "X", "_", "0", "1", "2", "16", "000", " 000", "1_", "0'", "0''", "'",
    "''", "\"", "`", "'a'", "'+'", "'e9'", "'1'", "'-'", "'='", "':-'", "'dynamic'", "'mod'",
    "\\", "\\x4", "\\0", "\\c", "\\e", "\\n", "e9", "e", "E9", "b1", "FF", "x", "+", "-", "*",
    "\\+", "=", "=>", "|", ";", "->", ":-", "dynamic", "table", "mod", "is", "$", "(", ")", "[",
    "]", "{", "}", "()", ",", ".", "%", "/*", "*/", "\n", "\t", "\r\n", "xf", "fy", "1.0", "!",
];

/// Names that the random tables declare as operators.
const NAMES: &[&str] = &[
    "a", "b", "e9", "e", "b1", "x", "1", "", "+", "-", "*", "=", "mod", "dynamic", "xf", "fy",
    "FF", "\\+", "[]", "!",
];

fn random_reader(random: &mut Random) -> Reader {
    let mut reader = Reader::new();
    for _ in 0..random.below(6) {
        let name = reader.symbols.intern(random.of(NAMES)).unwrap();
        let priority = random.of(&[0, 1, 100, 200, 400, 700, 999, 1000, 1001, 1150, 1200]);
        let op_type = random.of(OpType::ALL);
        reader.ops.add(name, priority, op_type).unwrap();
    }
    let bar = random.of(&[0, 1001, 1100, 1105, 1200]);
    reader.ops.add(atoms::BAR, bar, OpType::Xfy).unwrap();
    reader
}

/// Uses `TEXTS` in the environment of the compiler as the number of texts.
#[test]
fn default_reader_agrees_with_strict_reader() {
    let texts = option_env!("TEXTS").and_then(|texts| texts.parse().ok());
    let mut random = Random(0x2545_f491_4f6c_dd1d);
    let mut accepted = 0usize;
    let texts = texts.unwrap_or(30_000usize);
    for _ in 0..texts / 10 {
        let mut here = random_reader(&mut random);
        let mut strict = here.copy();
        strict.flags.iso = true;
        for _ in 0..10 {
            let mut text = String::new();
            for _ in 0..=random.below(8) {
                text.push_str(random.of(PIECES));
                text.push_str(random.of(&["", "", " "]));
            }
            text.push_str(". ");
            let (mut end, mut strict_end) = (0, 0);
            let Ok(read) = strict.read(&text, &mut strict_end) else {
                continue;
            };
            let same = here.read(&text, &mut end);
            assert_eq!(same, Ok(read), "{text:?}");
            assert_eq!(end, strict_end, "{text:?}");
            if read {
                accepted += 1;
                assert_eq!(here.written(), strict.written(), "{text:?}");
            }
        }
    }
    assert!(accepted > texts / 40, "{accepted} of {texts}");
}
