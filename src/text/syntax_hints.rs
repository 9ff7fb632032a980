//! Hints for wrong texts: signs and words of other languages, and signs that word processors replace.

use super::syntax_error::Before;
use crate::base::growth::Gather;
use crate::base::stop::Stop;

/// The directive that makes the connectives of linear logic operators.
const LINEAR: &str = ":- use_module(library(linear)).";

/// The replacements for the dicts of other systems.
const INSTEAD_OF_DICTS: &str = "library(assoc), library(pairs) or a compound term";

/// Statements of other languages that are predicates in Prolog.
const PRINTING: [&str; 5] = ["format", "print", "write", "writeln", "printf"];

/// Returns the hint for signs that look like operators, and for other frequent causes.
pub(super) fn found_hint(found: &str, left: Option<&str>, before: Before) -> Option<String> {
    if let Before::Quoted(quote) = before
        && let Some(hint) = quoted_hint(found, quote)
    {
        return Some(hint);
    }
    match (found, before) {
        (".", Before::Variable) => {
            let end = end_hint(found, left);
            return Some(format!("{end}; dicts, as in X.key, are not supported"));
        }
        ("{", Before::Variable) => {
            return Some(format!("dicts are not supported; use {INSTEAD_OF_DICTS}"));
        }
        _ => {}
    }
    if matches!(found, "." | "?" | "?.") {
        return Some(end_hint(found, left));
    }
    if let Some(digits) = found.strip_prefix('r')
        && before == Before::Number
        && digits.starts_with(|digit: char| digit.is_ascii_digit())
    {
        return Some("rational numbers are not supported; write a division".to_owned());
    }
    if let Some(digits) = found.strip_prefix(['e', 'E'])
        && !digits.is_empty()
        && digits.bytes().all(|b| b.is_ascii_digit())
    {
        return Some(format!(
            "a float needs digits before and after its point; write 1.0e{digits}"
        ));
    }
    if found == ".." {
        return Some("`..` is not an operator; for a range use between(Low, High, X)".to_owned());
    }
    // The `.` after a sign was read as part of it.
    let sign = found.strip_suffix('.').filter(|sign| !sign.is_empty());
    let found = sign.unwrap_or(found);
    if matches!(found, ":=" | ":==" | "if" | "when" | "where") && before == Before::Head {
        return Some("write a rule as `Head :- Body`".to_owned());
    }
    if let Some(hint) = left.and_then(|left| beside_hint(left, found, before)) {
        return Some(hint);
    }
    if let Some(hint) = sign_hint(left, found) {
        return Some(hint);
    }
    if let Some(hint) = left.and_then(word_hint).or_else(|| linear_hint(found)) {
        return Some(hint);
    }
    let mut signs = found.chars();
    if let (Some(sign), None) = (signs.next(), signs.next())
        && let Some(hint) = wide_hint(sign)
    {
        return Some(hint);
    }
    if matches!(found, "<-" | "←") && before != Before::Head {
        return sign_hint(left, ":=");
    }
    let plain = with_plain_dashes(found).ok()?;
    if plain.len() > 1 && plain != found {
        return Some(format!(
            "`{found}` contains a dash; write `{plain}` with the `-` of the keyboard"
        ));
    }
    if let Some(meant) = sign_meant(found, &plain) {
        return Some(format!("`{found}` is not an operator; write `{meant}`"));
    }
    found
        .starts_with(|first: char| first.is_alphanumeric() || first == '_')
        .then(|| "is a `,` or an operator missing between two terms?".to_owned())
}

/// Returns the hint for signs and words of other languages and of libraries.
fn sign_hint(left: Option<&str>, found: &str) -> Option<String> {
    match (left, found) {
        (Some("not"), _) => Some("write `\\+ Goal` or not(Goal)".to_owned()),
        (_, "then" | "else" | "if" | "elif") => word_hint(found),
        (_, "#=" | "#\\=" | "#<" | "#>" | "#=<" | "#>=" | "#<==>" | "#==>" | "ins") => Some(
            "for integer constraints, load the library first: `:- use_module(library(clpfd)).`"
                .to_owned(),
        ),
        (_, "in") => {
            Some("`in` is not an operator; use member(X, List) or between(Low, High, X), or for constraints load the library first: `:- use_module(library(clpfd)).`".to_owned())
        }
        (_, "++") => Some(
            "`++` is not an operator; to count write New is X + 1, to join lists use append/3"
                .to_owned(),
        ),
        (_, "::") => {
            Some("`::` is not an operator: Prolog has no declarations of types, and a list with its first element is [H|T]".to_owned())
        }
        (_, ":=" | "+=" | "-=" | "*=" | "^=" | "--") => {
            Some("a variable keeps its value; write `New is Expression`".to_owned())
        }
        _ => None,
    }
}

/// Returns the hint for a token immediately after an item in these quotes.
fn quoted_hint(found: &str, quote: char) -> Option<String> {
    if found == "(" && quote != '\'' {
        return Some("the name before `(` must be without quotes or in single quotes".to_owned());
    }
    let inside = found.starts_with(|first: char| first.is_alphanumeric() || first == quote);
    inside
        .then(|| format!("the quoted text ends before it; write `\\{quote}` for a {quote} inside"))
}

/// Returns the hint for the connectives of linear logic, which are operators only if their library
/// is imported.
pub(super) fn linear_hint(found: &str) -> Option<String> {
    let instead = match found {
        "=>" => {
            return Some(format!(
                "`=>` is for rules; for a comparison write `>=`; the connective `=>` needs {LINEAR}"
            ));
        }
        "--o" | "-<>" | "⊸" => return Some(format!("the connective `{found}` needs {LINEAR}")),
        "&" => ",",
        _ => return None,
    };
    Some(format!(
        "`{found}` is not an operator; write `{instead}`; the connective `{found}` needs {LINEAR}"
    ))
}

/// Returns the hint for an atom next to the unexpected token.
fn beside_hint(left: &str, found: &str, before: Before) -> Option<String> {
    let name = |text: &str| text.starts_with(|first: char| first.is_alphabetic());
    match (left, found) {
        ("#" | "##" | "###" | "//" | "--", _) => Some("a comment begins with `%`".to_owned()),
        ("~", _) if before == Before::Beside && found.len() == 1 && name(found) => Some(format!(
            "a negation is `\\+ Goal`; a format is a text in quotes, as in \"~{found}\""
        )),
        ("~" | "!", _) if name(found) && before == Before::Beside => {
            Some("write a negation as `\\+ Goal`".to_owned())
        }
        (_, "?-") if name(left) => Some(
            "a query with a name is a test; write it in a file and run `wamlet test`".to_owned(),
        ),
        (".", _) if found.starts_with(|first: char| first.is_ascii_digit()) => Some(format!(
            "a float needs digits before and after its point; write 0.{found}"
        )),
        _ if PRINTING.contains(&left) => {
            Some(format!("arguments need parentheses; write `{left}(`"))
        }
        (_, "[") if name(left) && before == Before::Beside => {
            Some(format!("arguments need parentheses; write `{left}(`"))
        }
        (_, "{") if name(left) && before == Before::Beside => Some(format!(
            "arguments need parentheses; write `{left}(`; instead of a dict use {INSTEAD_OF_DICTS}"
        )),
        _ => None,
    }
}

/// Returns the operator that corresponds to a sign of another language, or to a similar sign. `plain` is
/// the sign with plain dashes.
fn sign_meant(found: &str, plain: &str) -> Option<&'static str> {
    Some(match found {
        "<=" => "=<",
        ">==" => ">=",
        "#!=" | "#/=" => "#\\=",
        "#<=" => "#=<",
        "#==" => "#=",
        "!=" | "/=" | "<>" | "~=" | "=/=" => "\\=` or `=\\=",
        "!==" => "\\==",
        "===" => "==",
        "and" | "&&" => ",",
        "or" | "||" => ";",
        _ if plain == "-" => "-",
        "←" | "<-" | "<--" | ":--" | "-:" | "::-" => ":-",
        "==>" => ":-` or `-->",
        "--->" => "-->",
        "→" => "-->` or `->",
        "≤" => "=<",
        "≥" => ">=",
        "≠" => "\\=",
        "×" | "·" | "∗" => "*",
        "÷" => "/",
        "∧" => ",",
        "∨" => ";",
        "⇒" => "->` or `-->",
        "⇐" => ":-",
        _ => return None,
    })
}

/// Returns the plain quote for a typographic one.
pub(super) fn plain_quote(found: char) -> char {
    if matches!(found, '\u{2018}'..='\u{201b}') {
        '\''
    } else {
        '"'
    }
}

/// Returns the hint for a word of another language before a token that is no operator.
pub(crate) fn word_hint(word: &str) -> Option<String> {
    let instead = match word {
        "if" | "then" | "else" | "elif" | "unless" => "write ( If -> Then ; Else )",
        "while" | "for" | "foreach" | "loop" | "until" => {
            "use recursion or forall(Condition, Action)"
        }
        "return" => "add an argument for the result",
        "def" | "function" | "fun" | "func" | "let" | "var" | "const" | "rule" => {
            "write a rule as `Head :- Body`"
        }
        _ => return None,
    };
    Some(format!("Prolog has no `{word}`; {instead}"))
}

/// Returns the text with all kinds of dashes replaced by `-`.
fn with_plain_dashes(text: &str) -> Result<String, Stop> {
    text.chars()
        .map(|c| match c {
            '\u{2010}'..='\u{2015}' | '\u{2212}' | '\u{fe63}' | '\u{ff0d}' => '-',
            _ => c,
        })
        .gather_text()
}

/// Returns the hint for a wide sign from a keyboard of another script.
pub(super) fn wide_hint(found: char) -> Option<String> {
    let meant = match found {
        '\u{ff01}'..='\u{ff0c}' | '\u{ff0e}'..='\u{ff5e}' => {
            char::from_u32(u32::from(found) - 0xfee0)?
        }
        '\u{3001}' => ',',
        '\u{3002}' => '.',
        _ => return None,
    };
    Some(format!("write `{meant}`"))
}

/// Returns the hint for a `.` without a blank or newline after it, or for a question mark.
fn end_hint(found: &str, left: Option<&str>) -> String {
    if found.starts_with('?') {
        return "a query ends with `.`; write a condition as `( If -> Then ; Else )`".to_owned();
    }
    let end = "a space or a line break must follow the `.` that ends a clause";
    let name = left.filter(|name| {
        name.starts_with(char::is_lowercase)
            && name.chars().all(|c| c.is_alphanumeric() || c == '_')
    });
    match name {
        Some(name) => format!("{end}; quote a file name, as in '{name}.pl'"),
        None => end.to_owned(),
    }
}
