//! The scanner for the end of a clause agrees with the reader.

use super::super::clause_extent::ClauseExtent;
use super::Reader;

#[test]
fn ends() {
    let table = [
        ("a. b.", "a."),
        ("a.", "a."),
        ("a.%", "a."),
        ("a.b. c", "a.b."),
        ("a. ", "a."),
        ("X = '. '. b.", "X = '. '."),
        ("X = 'it''s. '. b.", "X = 'it''s. '."),
        ("X = '\\'. '. b.", "X = '\\'. '."),
        ("X = \"%. \". b.", "X = \"%. \"."),
        ("X = `. `. b.", "X = `. `."),
        ("X = 0'. . b.", "X = 0'. ."),
        ("X = 0'.. b.", "X = 0'.."),
        ("X = 0'''. b.", "X = 0'''."),
        ("X = 0'\\'. b.", "X = 0'\\'."),
        ("X = 0'\\x41\\. b.", "X = 0'\\x41\\."),
        ("X = 0'\\\\. b.", "X = 0'\\\\."),
        ("X = 0'\". b.", "X = 0'\"."),
        ("X = a0'. '. b.", "X = a0'. '."),
        ("X = 10'. '. b.", "X = 10'. '."),
        ("X = 1.0'. '. b.", "X = 1.0'. '."),
        ("X = 0''. b. ", "X = 0''."),
        ("X = '\\x41\\. '. b.", "X = '\\x41\\. '."),
        ("a % b. \n. c.", "a % b. \n."),
        ("a /* b. */ . c.", "a /* b. */ ."),
        ("a //* b. c.", "a //* b."),
        ("/* . */ % . \na. b.", "/* . */ % . \na."),
        ("X = +. b. c.", "X = +. b."),
        ("X = 1.5. b.", "X = 1.5."),
        ("X = 1. b.", "X = 1."),
        ("X = \"a\\\n. \". b.", "X = \"a\\\n. \"."),
        ("X = 'a. \n b. c.", "X = 'a. \n"),
    ];
    for (text, expected) in table {
        let end = ClauseExtent::new().end_in(text, 0);
        assert_eq!(&text[..end], expected, "{text:?}");
    }
}

#[test]
fn knows_when_a_clause_has_begun() {
    for (text, begun) in [
        ("", false),
        (" % a\n /* b */ ", false),
        ("/", true),
        ("a", true),
        ("'", true),
        ("(", true),
    ] {
        let mut extent = ClauseExtent::new();
        let chars: Vec<char> = text.chars().collect();
        for (at, &c) in chars.iter().enumerate() {
            extent.push(c, chars.get(at + 1).copied());
        }
        assert_eq!(extent.has_begun(), begun, "{text:?}");
    }
}

/// Texts made of pieces put together at random: whatever the reader accepts ends where the
/// scanner says, and no text makes the reader panic or stand still.
#[test]
fn agrees_with_the_reader() {
    let pieces = [
        "a", "X", "0", "1", "12", "0'", "'", "\"", "`", "\\", "\\x41\\", "\\n", ".", ". ", ".\n",
        "%", "/*", "*/", "e", "E", "_", "x", "b", "+", "-", "*", "(", ")", "[", "]", "{", "}", ",",
        "|", " ", "\n", "=", ":-", "1.0", "1.0e", "0x", "0b1", "\u{e9}", "\u{2264}", "'a'", "f(",
        "mod", "u0041", "''", "0''", "0'a", "foo", "; ", "!", "\t",
    ];
    let mut state = 88_172_645_463_325_252u64;
    let mut random = |below: usize| {
        state ^= state << 13;
        state ^= state >> 7;
        state ^= state << 17;
        (state % below as u64) as usize
    };
    let mut accepted = 0;
    for _ in 0..30_000 {
        let mut text = String::new();
        for _ in 0..=random(9) {
            text.push_str(pieces[random(pieces.len())]);
        }
        text.push_str(". ");
        let mut reader = Reader::new();
        let mut pos = 0;
        while pos < text.len() {
            let start = pos;
            match reader.read(&text, &mut pos) {
                Ok(true) => {
                    accepted += 1;
                    let end = ClauseExtent::new().end_in(&text, start);
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
    assert!(accepted > 3_000, "{accepted}");
}
