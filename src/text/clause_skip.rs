//! Where a clause ends, found quickly, for those who read only some clauses of a whole text. Agrees with
//! [`ClauseExtent`](super::clause_extent::ClauseExtent) on every text that the lexer accepts.

use super::char_class::{ends_clause, is_alphanumeric, is_symbol};
use super::resume::begins_clause;

/// Bytes at which the scan stops: those that begin a quoted item, a comment or the end of a clause.
const STOPS: [bool; 256] = {
    let mut stops = [false; 256];
    let marks = b"'\"`%/.";
    let mut at = 0;
    while at < marks.len() {
        stops[marks[at] as usize] = true;
        at += 1;
    }
    stops
};

/// Returns the offset after the clause that begins at byte `start` of `text`; the end of the text if nothing
/// ends it. The flag `character_escapes` is taken to be on.
pub(crate) fn clause_end(text: &str, start: usize) -> usize {
    find_end(text, start).0
}

/// Returns the same, unless the clause may be one with an error after which reading goes on elsewhere: a quoted
/// item goes over lines, or a line of the clause looks like the beginning of another one.
pub(crate) fn plain_clause_end(text: &str, start: usize) -> Option<usize> {
    let (end, quoted_lines) = find_end(text, start);
    let mut lines = text[start..end].match_indices('\n');
    let plain = !quoted_lines && !lines.any(|(at, _)| begins_clause(text, start + at + 1));
    plain.then_some(end)
}

/// The offset after the clause that begins at byte `start`, and whether a quoted item of it goes over lines.
fn find_end(text: &str, start: usize) -> (usize, bool) {
    let bytes = text.as_bytes();
    let (mut at, mut quoted_lines) = (start, false);
    while let Some(&byte) = bytes.get(at) {
        if !STOPS[byte as usize] {
            at += 1;
            continue;
        }
        at = match byte {
            b'%' => after(text, at, "\n"),
            b'/' if bytes.get(at + 1) == Some(&b'*') && !after_symbol(text, start, at) => {
                after(text, at + 2, "*/")
            }
            b'.' if ends_clause(text[at + 1..].chars().next())
                && !after_symbol(text, start, at) =>
            {
                return (at + 1, quoted_lines);
            }
            b'/' | b'.' => at + 1,
            b'\'' if after_digit(bytes, start, at) => after_number(text, start, at),
            quote => {
                let end = quoted_end(bytes, at + 1, quote);
                quoted_lines |= bytes[at..end].contains(&b'\n');
                end
            }
        };
    }
    (text.len(), quoted_lines)
}

/// The offset after the next occurrence of `mark`.
fn after(text: &str, at: usize, mark: &str) -> usize {
    let found = text.get(at..).and_then(|rest| rest.find(mark));
    found.map_or(text.len(), |found| at + found + mark.len())
}

/// Does a symbol character stand before this offset, of a token that has begun there?
fn after_symbol(text: &str, start: usize, at: usize) -> bool {
    text[start..at].chars().next_back().is_some_and(is_symbol)
}

fn after_digit(bytes: &[u8], start: usize, at: usize) -> bool {
    at > start && bytes[at - 1].is_ascii_digit()
}

/// The offset after the quote at `at`, which follows a digit: it is that of a character, of digits of a radix, or
/// of a quoted item.
fn after_number(text: &str, start: usize, at: usize) -> usize {
    let bytes = text.as_bytes();
    let before = &text[start..at];
    let name = before.len() - before.trim_end_matches(is_alphanumeric).len();
    let digits = &before[before.len() - name..];
    let next = text[at + 1..].chars().next();
    match (digits, next) {
        ("0", Some('\\')) => {
            // The digits of an escape by number end with themselves, or with a backslash, which begins nothing.
            let escaped = text[at + 2..].chars().next();
            at + 2 + escaped.map_or(0, char::len_utf8)
        }
        ("0", Some('\'')) if bytes.get(at + 2) == Some(&b'\'') => at + 3,
        ("0", Some('\'')) => at + 2,
        ("0", Some(next)) => at + 1 + next.len_utf8(),
        (radix, Some(next))
            if radix
                .parse()
                .is_ok_and(|radix: u32| (2..=36).contains(&radix) && next.is_digit(radix)) =>
        {
            let rest = text[at + 1..].trim_start_matches(is_alphanumeric);
            // A whole quoted item is an operator in quotes.
            if rest.starts_with('\'') {
                quoted_end(bytes, at + 1, b'\'')
            } else {
                at + 1
            }
        }
        _ => quoted_end(bytes, at + 1, b'\''),
    }
}

/// The offset after the quoted item whose contents begin at `at`.
fn quoted_end(bytes: &[u8], mut at: usize, quote: u8) -> usize {
    while let Some(&byte) = bytes.get(at) {
        match byte {
            b'\\' => at += 2,
            _ if byte == quote => return at + 1,
            _ => at += 1,
        }
    }
    bytes.len()
}

#[cfg(test)]
mod tests {
    use super::clause_end;
    use crate::base::flags::Flags;
    use crate::text::clause_extent::ClauseExtent;

    fn ends(text: &str, end: impl Fn(&str, usize) -> usize) -> Vec<usize> {
        let (mut at, mut found) = (0, Vec::new());
        while at < text.len() {
            at = end(text, at);
            found.push(at);
        }
        found
    }

    #[test]
    fn clauses_end_where_they_end_character_by_character() {
        let texts = [
            "a. b :- c, 'd. e'. % f. g\n/* h. i */ j. k",
            "X = \"a. \\\" b\". X =.. Y. p(0'., 0''', 0'\\n, 0'a). q.",
            "p(0'\\\\). q('it''s. '). r(`a. b`). s(1.5e3). t(a.b). u.",
            "a = '\\x41\\. b'. c. e --> \"f\", [0' ]. g. ",
            "a /* b */ . c. d=/*e. */f. 'g\\\nh. '. i.",
        ];
        for text in texts {
            let slow =
                |text: &str, at| ClauseExtent::new(Flags::of_programs().lexis()).end_in(text, at);
            assert_eq!(ends(text, clause_end), ends(text, slow), "{text}");
        }
    }
}
