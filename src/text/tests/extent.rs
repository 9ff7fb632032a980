//! The scanner for the end of a clause agrees with the reader.

use super::super::clause_extent::ClauseExtent;
use super::Reader;
use crate::base::flags::Flags;

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
        ("X = 'a. \n b'. c.", "X = 'a. \n b'."),
        ("X = 'a. \n b. c.", "X = 'a. \n b. c."),
        ("X = 16'FF. '. b.", "X = 16'FF."),
        ("X = 16'FF_ff+'. '. b.", "X = 16'FF_ff+'. '."),
        ("X = 16'div'2. '. b.", "X = 16'div'2."),
        ("X = 37'. '. b.", "X = 37'. '."),
        ("X = 1_6'. '. b.", "X = 1_6'. '."),
        ("X = 0'\n. b.", "X = 0'\n."),
        ("X = 0'\\\n. b.", "X = 0'\\\n."),
        ("X = 0'\\x41. b.", "X = 0'\\x41."),
        ("X = 0'\\1019. b.", "X = 0'\\1019."),
        ("X = '\\0a\\'. '. b.", "X = '\\0a\\'. '."),
    ];
    for (text, expected) in table {
        let end = ClauseExtent::new(Flags::default().lexis()).end_in(text, 0);
        assert_eq!(&text[..end], expected, "{text:?}");
    }
}

/// Where more is to come, and by the standard, a line that ends in `.` ends the clause in spite of a quote.
#[test]
fn quotes_that_are_not_closed() {
    let text = "X = 'a. \n b'. c.";
    let lexis = Flags::default().lexis();
    for mut extent in [
        ClauseExtent::typed(lexis),
        ClauseExtent::new(lexis.strict()),
    ] {
        let mut chars = text.char_indices().peekable();
        let mut ends = std::iter::from_fn(|| {
            let (at, c) = chars.next()?;
            let ended = extent.push(c, chars.peek().map(|&(_, next)| next));
            Some((at + 1, ended))
        });
        assert_eq!(ends.find(|&(_, ended)| ended), Some((9, true)));
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
        let mut extent = ClauseExtent::new(Flags::default().lexis());
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
        "mod", "u0041", "''", "0''", "0'a", "foo", "; ", "!", "\t", "16'", "FF", "2'1", " 000",
        "\\c", "\\x4", "\\0", "\r\n", "f()", "=>", "1_",
    ];
    let mut state = 88_172_645_463_325_252u64;
    let mut random = |below: usize| {
        state ^= state << 13;
        state ^= state >> 7;
        state ^= state << 17;
        (state % below as u64) as usize
    };
    let mut accepted = 0;
    for nth in 0..60_000 {
        let mut text = String::new();
        for _ in 0..=random(9) {
            text.push_str(pieces[random(pieces.len())]);
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
