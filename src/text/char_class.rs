//! Classes of characters (ISO 13211-1, 6.5), extended to Unicode: letters of any script form names,
//! other visible characters form symbol atoms.

/// The class of a character, which says where it may be used.
#[derive(Copy, Clone, Debug, PartialEq, Eq)]
pub(crate) enum CharClass {
    /// Blank, end of line and similar characters.
    Layout,
    /// A letter that begins an atom.
    Small,
    /// A letter, or `_`, that begins a variable.
    Capital,
    /// `0` to `9`.
    Digit,
    /// Part of a name but not its beginning: a combining mark.
    Mark,
    /// A character of atoms such as `=..`.
    Symbol,
    /// A character that is an atom by itself: `!` and `;`.
    Solo,
    /// A bracket, `,` or `|`.
    Punctuation,
    /// `'`, `"` or a back quote.
    Quote,
    /// `%`.
    Percent,
    /// A typographic quotation mark, which has no meaning in Prolog text.
    TypographicQuote,
    /// A control character, or an invisible one.
    Illegal,
}

const ASCII: [CharClass; 128] = ascii_table();

const fn ascii_table() -> [CharClass; 128] {
    let mut table = [CharClass::Illegal; 128];
    let mut code = 0usize;
    while code < 128 {
        table[code] = match code as u8 {
            b' ' | b'\t' | b'\n' | b'\r' | 0x0b | 0x0c => CharClass::Layout,
            b'a'..=b'z' => CharClass::Small,
            b'A'..=b'Z' | b'_' => CharClass::Capital,
            b'0'..=b'9' => CharClass::Digit,
            b'#' | b'$' | b'&' | b'*' | b'+' | b'-' | b'.' | b'/' | b':' | b'<' | b'=' | b'>'
            | b'?' | b'@' | b'^' | b'~' | b'\\' => CharClass::Symbol,
            b'!' | b';' => CharClass::Solo,
            b'(' | b')' | b'[' | b']' | b'{' | b'}' | b',' | b'|' => CharClass::Punctuation,
            b'\'' | b'"' | b'`' => CharClass::Quote,
            b'%' => CharClass::Percent,
            _ => CharClass::Illegal,
        };
        code += 1;
    }
    table
}

/// Returns the class of a character.
#[inline]
pub(crate) fn char_class(c: char) -> CharClass {
    match ASCII.get(c as usize) {
        Some(&class) => class,
        None => wide_class(c),
    }
}

fn wide_class(c: char) -> CharClass {
    if is_mark(c) {
        CharClass::Mark
    } else if c.is_alphabetic() {
        if c.is_uppercase() || is_title_case(c) {
            CharClass::Capital
        } else {
            CharClass::Small
        }
    } else if c.is_numeric() {
        CharClass::Small
    } else if c.is_whitespace() || c == '\u{feff}' {
        CharClass::Layout
    } else if matches!(c, '\u{2018}'..='\u{201f}') {
        CharClass::TypographicQuote
    } else if c.is_control() || is_invisible(c) {
        CharClass::Illegal
    } else {
        CharClass::Symbol
    }
}

/// Returns whether a character is a letter such as `ǅ`, which is neither upper nor lower case.
fn is_title_case(c: char) -> bool {
    !c.is_lowercase() && c.to_lowercase().next() != Some(c)
}

/// Returns whether it is a mark that joins the letter before it and is no letter itself. These are
/// accents, signs of the Indic scripts that remove a vowel, joiners, and variant selectors.
fn is_mark(c: char) -> bool {
    matches!(c,
        '\u{300}'..='\u{36f}' | '\u{483}'..='\u{489}' | '\u{591}'..='\u{5bd}'
        | '\u{64b}'..='\u{65f}' | '\u{93c}' | '\u{94d}' | '\u{9bc}' | '\u{9cd}' | '\u{a3c}'
        | '\u{a4d}' | '\u{abc}' | '\u{acd}' | '\u{b3c}' | '\u{b4d}' | '\u{bcd}' | '\u{c4d}'
        | '\u{cbc}' | '\u{ccd}' | '\u{d4d}' | '\u{dca}' | '\u{e47}'..='\u{e4e}'
        | '\u{eb8}'..='\u{ebc}' | '\u{ec8}'..='\u{ecd}' | '\u{1039}'..='\u{103a}' | '\u{1ab0}'..='\u{1aff}'
        | '\u{1dc0}'..='\u{1dff}' | '\u{200c}'..='\u{200d}' | '\u{20d0}'..='\u{20ff}'
        | '\u{302a}'..='\u{302f}' | '\u{3099}'..='\u{309a}' | '\u{fe00}'..='\u{fe0f}'
        | '\u{fe20}'..='\u{fe2f}' | '\u{e0100}'..='\u{e01ef}')
}

/// Returns whether the character is invisible. Unquoted names must not contain such characters.
fn is_invisible(c: char) -> bool {
    matches!(c,
        '\u{ad}' | '\u{200b}' | '\u{200e}'..='\u{200f}' | '\u{202a}'..='\u{202e}'
        | '\u{2060}'..='\u{206f}' | '\u{fff0}'..='\u{fffb}' | '\u{fffe}'..='\u{ffff}')
}

/// Returns whether the character may be inside a name or a variable.
#[inline]
pub(crate) fn is_alphanumeric(c: char) -> bool {
    matches!(
        char_class(c),
        CharClass::Small | CharClass::Capital | CharClass::Digit | CharClass::Mark
    )
}

/// Returns whether the character forms atoms such as `=..`.
#[inline]
pub(crate) fn is_symbol(c: char) -> bool {
    char_class(c) == CharClass::Symbol
}

/// Returns whether the character is blank.
#[inline]
pub(crate) fn is_layout(c: char) -> bool {
    char_class(c) == CharClass::Layout
}

/// Returns whether the character may follow the `.` that ends a clause; `None` is the end of the
/// text.
#[inline]
pub(crate) fn ends_clause(next: Option<char>) -> bool {
    next.is_none_or(|c| c == '%' || is_layout(c))
}

/// Returns whether this text is read as an atom without quotes. (An atom that is an operator may
/// still need parentheses.)
pub(crate) fn is_unquoted_atom(text: &str) -> bool {
    let Some(first) = text.chars().next() else {
        return false;
    };
    match char_class(first) {
        CharClass::Small => text.chars().all(is_alphanumeric),
        CharClass::Symbol => text.chars().all(is_symbol) && !text.starts_with("/*") && text != ".",
        CharClass::Solo => text.len() == 1,
        CharClass::Punctuation => text == "[]" || text == "{}",
        _ => false,
    }
}
