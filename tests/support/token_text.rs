//! Printed terms compared as sequences of tokens: layout does not count, and variables that a
//! system named itself (`_12`, `_G3`, `_A`) are compared up to renaming.

use std::collections::HashMap;

/// A token of printed Prolog.
#[derive(Debug, PartialEq, Eq)]
struct Token<'a> {
    text: &'a str,
    /// Layout stands before it, and that makes a difference: before `(` and before a number.
    spaced: bool,
}

impl Token<'_> {
    fn is_system_variable(&self) -> bool {
        self.text.starts_with('_')
    }
}

/// Whether both texts are the same tokens, up to the names of system variables.
pub(crate) fn same_text(left: &str, right: &str) -> bool {
    let (left, right) = (tokens(left), tokens(right));
    let mut there = HashMap::new();
    let mut back = HashMap::new();
    left.len() == right.len()
        && left.iter().zip(&right).all(|(l, r)| {
            if l.is_system_variable() && r.is_system_variable() {
                // `_` is a variable that occurs once.
                l.text == "_"
                    || r.text == "_"
                    || *there.entry(l.text).or_insert(r.text) == r.text
                        && *back.entry(r.text).or_insert(l.text) == l.text
            } else {
                l == r
            }
        })
}

/// Whether both texts are the same character by character, up to the names of system variables.
pub(crate) fn same_output(left: &str, right: &str) -> bool {
    let mut there = HashMap::new();
    let mut back = HashMap::new();
    let (mut left, mut right) = (left, right);
    let mut in_word = false;
    loop {
        let (l, r) = (left.chars().next(), right.chars().next());
        if l == Some('_') && r == l && !in_word {
            let (l_name, r_name) = (
                &left[..token_length(left, '_')],
                &right[..token_length(right, '_')],
            );
            if *there.entry(l_name).or_insert(r_name) != r_name
                || *back.entry(r_name).or_insert(l_name) != l_name
            {
                return false;
            }
            left = &left[l_name.len()..];
            right = &right[r_name.len()..];
        } else if l != r {
            return false;
        } else if let Some(c) = l {
            in_word = c == '_' || c.is_alphanumeric();
            left = &left[c.len_utf8()..];
            right = &right[c.len_utf8()..];
        } else {
            return true;
        }
    }
}

/// The text of the first argument of a compound term in canonical form.
pub(crate) fn first_argument(term: &str) -> Option<&str> {
    let mut level = 0_usize;
    let mut start = None;
    for token in tokens(term) {
        let at = token.text.as_ptr() as usize - term.as_ptr() as usize;
        match token.text {
            "(" | "[" | "{" => {
                level += 1;
                start = start.or(Some(at + 1));
            }
            ")" | "]" | "}" => level = level.checked_sub(1)?,
            "," if level == 1 => return term.get(start?..at),
            _ => {}
        }
        if level == 0 && start.is_some() {
            return term.get(start?..at);
        }
    }
    None
}

fn tokens(text: &str) -> Vec<Token<'_>> {
    let mut found = Vec::new();
    let mut rest = text;
    let mut spaced = false;
    while let Some(first) = rest.chars().next() {
        let length = token_length(rest, first);
        if first.is_whitespace() {
            spaced = true;
        } else {
            let matters = first == '(' || first.is_ascii_digit();
            found.push(Token {
                text: &rest[..length],
                spaced: spaced && matters && !found.is_empty(),
            });
            spaced = false;
        }
        rest = &rest[length..];
    }
    // After these, layout before a number or a parenthesis says nothing.
    for at in 1..found.len() {
        if matches!(
            found[at - 1].text,
            "," | "(" | "[" | "{" | "|" | "=" | ":-" | "-->"
        ) {
            found[at].spaced = false;
        }
    }
    found
}

fn token_length(text: &str, first: char) -> usize {
    const SYMBOLS: &str = "+-*/\\^<>=~:.?@#&$";
    let run = |same: &dyn Fn(char) -> bool| text.find(|c| !same(c)).unwrap_or(text.len());
    match first {
        '\'' | '"' | '`' => quoted_length(text, first),
        c if c == '_' || c.is_alphanumeric() => run(&|c| c == '_' || c.is_alphanumeric()),
        c if SYMBOLS.contains(c) => run(&|c| SYMBOLS.contains(c)),
        c => c.len_utf8(),
    }
}

fn quoted_length(text: &str, quote: char) -> usize {
    let mut chars = text.char_indices().skip(1);
    while let Some((at, c)) = chars.next() {
        if c == '\\' {
            chars.next();
        } else if c == quote {
            return at + c.len_utf8();
        }
    }
    text.len()
}

#[cfg(test)]
mod tests {
    use super::{first_argument, same_output, same_text};

    #[test]
    fn layout_counts_only_where_it_changes_the_term() {
        assert!(same_text("X = [1, 2,3]", "X=[1,2, 3]"));
        assert!(same_text("f(a, (b:-c))", "f(a,(b:-c))"));
        assert!(!same_text("X = - 1", "X = -1"));
        assert!(!same_text("- (1)", "-(1)"));
        assert!(!same_text("'a b'", "'a  b'"));
        assert!(!same_text("a b", "ab"));
    }

    #[test]
    fn system_variables_are_renamed_one_to_one() {
        assert!(same_text("f(_A,_B,_A)", "f(_1,_2,_1)"));
        assert!(!same_text("f(_A,_B)", "f(_1,_1)"));
        assert!(!same_text("f(_A,_A)", "f(_1,_2)"));
        assert!(!same_text("f(X)", "f(Y)"));
        assert!(same_text("f(_,_)", "f(_1,_2)"));
    }

    #[test]
    fn output_is_the_same_with_other_names_of_variables_only() {
        assert!(same_output("[_G1, _G2, _G1] a_b", "[_10, _11, _10] a_b"));
        assert!(!same_output("[_G1, _G2]", "[_10, _10]"));
        assert!(!same_output("a  b", "a b"));
        assert!(!same_output("a_b", "a_c"));
        assert!(!same_output("a", "ab"));
    }

    #[test]
    fn the_first_argument_is_cut_out() {
        assert_eq!(first_argument("error(f(a,[b,c]),x)"), Some("f(a,[b,c])"));
        assert_eq!(first_argument("error('a,(b',x)"), Some("'a,(b'"));
        assert_eq!(first_argument("f(a)"), Some("a"));
        assert_eq!(first_argument("a"), None);
    }
}
