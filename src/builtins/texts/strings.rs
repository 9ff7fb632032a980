//! Strings, as in SWI-Prolog.

use super::atoms::{
    Make, change_case, concat, exact_number, lower_text, number_text_arg, parts_are_bound,
    unify_found,
};
use super::atoms_sub::nth_char;
use crate::base::atom_table::atoms;
use crate::base::growth::{Grow, GrowText, text_with_room};
use crate::base::passing_text::PassingText;
use crate::base::stop::Stop;
use crate::builtins::args::{atomic_text, text_in_place};
use crate::machine::builtin::builtins;
use crate::machine::control::throw::Throw;
use crate::machine::state::Machine;
use crate::store::cell::Cell;
use crate::store::heap::View;
use crate::store::list::TextKind;

/// Runs `string_chars/2` and `string_codes/2`.
fn string_list(m: &mut Machine, string: Cell, list: Cell, kind: TextKind) -> Result<bool, Throw> {
    if !string.is_var() {
        let text = m.passing_text_arg(string)?;
        return m.unify_text_list(list, &text, kind);
    }
    if list.is_var() {
        return Err(m.instantiation_error());
    }
    let text = m.text_arg(list)?;
    m.unify_string(string, &text)
}

/// Splits a text at separators and strips padding from the parts. Padding is skipped even across separators. So if
/// a character is both, several of them separate only once.
fn split_string<'t>(
    text: &'t str,
    separators: &str,
    padding: &str,
) -> impl Iterator<Item = &'t str> {
    let is_padding = |c: char| padding.contains(c);
    let mut rest = Some(text.trim_matches(is_padding));
    std::iter::from_fn(move || {
        let text = rest.take()?.trim_start_matches(is_padding);
        let Some((part, after)) = text.split_once(|c: char| separators.contains(c)) else {
            return Some(text);
        };
        rest = Some(after);
        Some(part.trim_end_matches(is_padding))
    })
}

/// Converts a text to the other type: a string to another term, or another term to a string.
fn convert(
    m: &mut Machine,
    from: Cell,
    make: impl FnOnce(&mut Machine, &str) -> Result<Cell, Throw>,
) -> Result<Option<Cell>, Throw> {
    if from.is_var() {
        return Ok(None);
    }
    let text = m.passing_text_arg(from)?;
    make(m, &text).map(Some)
}

fn new_string(m: &mut Machine, text: &str) -> Result<Cell, Throw> {
    Ok(m.store.new_string(text)?)
}

fn new_atom(m: &mut Machine, text: &str) -> Result<Cell, Throw> {
    Ok(Cell::atom(m.new_atom(text)?))
}

/// Number of comparisons of a part with places of a text that take negligible time.
const FEW_COMPARISONS: usize = 1 << 12;

/// Returns the offset of a part in a text, ignoring case: at `start`, or the first one.
fn place_without_case(
    m: &Machine,
    text: &str,
    part: &str,
    start: Option<usize>,
) -> Result<Option<usize>, Stop> {
    let is_short = text.len().saturating_mul(part.len()) <= FEW_COMPARISONS;
    if is_short && text.is_ascii() && part.is_ascii() {
        let is_at = |at: usize| {
            let here = text.as_bytes().get(at..at + part.len());
            here.is_some_and(|here| here.eq_ignore_ascii_case(part.as_bytes()))
        };
        return Ok(match start {
            Some(start) => is_at(start).then_some(start),
            None => (0..=text.len()).find(|&at| is_at(at)),
        });
    }
    let (text, part) = (lower_text(m, text)?, lower_text(m, part)?);
    m.store.watch.did_bytes(text.len());
    Ok(match start {
        Some(start) => {
            let mut places = text.char_indices().map(|(at, _)| at).chain([text.len()]);
            places
                .nth(start)
                .and_then(|at| text[at..].starts_with(&part).then_some(start))
        }
        None => text.find(&part).map(|at| text[..at].chars().count()),
    })
}

builtins! { STRINGS =
    /// Unifies `string` with the concatenation of the two texts. If both texts are unbound, enumerates all
    /// splits of `string` on backtracking.
    ///
    /// ?- string_concat(abc, def, S).
    /// S = "abcdef".
    ///
    /// ?- string_concat(X, '.pl', 'file.pl').
    /// X = "file".
    library nondet "string_concat"("?text", "?text", "?string") with once parts_are_bound = |m, [left, right, whole], state| {
        concat(m, [left, right, whole], state, Make::String)
    };

    /// Unifies the third text with the concatenation of the first two: a string if one of the arguments is a
    /// string, else an atom. If the first two are both unbound, enumerates all splits of the third on
    /// backtracking.
    ///
    /// ?- text_concat(abc, def, T).
    /// T = abcdef.
    ///
    /// ?- text_concat(abc, X, abcdef).
    /// X = def.
    library nondet "text_concat"("?text", "?text", "?text") with once parts_are_bound = |m, [left, right, whole], state| {
        concat(m, [left, right, whole], state, Make::Like)
    };

    /// Unifies `integer` with the number of characters of `text`.
    ///
    /// ?- string_length(hello, N).
    /// N = 5.
    library "string_length"("+text", "?integer") = |m, [string, length]| {
        let count = match text_in_place(m, string)? {
            Some(text) => text.chars().count(),
            None => m.text_arg(string)?.chars().count(),
        };
        m.optional_size(length)?;
        Ok(m.unify_size(length, count)?)
    };

    /// Unifies `list` with the list of the characters of `string`, or makes `string` from `list`.
    ///
    /// ?- string_chars(S, [h,i]).
    /// S = "hi".
    ///
    /// ?- string_chars("hi", L).
    /// L = [h, i].
    library "string_chars"("?string", "?list") = |m, [string, list]| {
        string_list(m, string, list, TextKind::Chars)
    };

    /// Unifies `list` with the list of the character codes of `string`, or makes `string` from `list`.
    ///
    /// ?- string_codes(S, [104,105]).
    /// S = "hi".
    ///
    /// ?- string_codes("hi", L).
    /// L = [104, 105].
    library "string_codes"("?string", "?list") = |m, [string, list]| {
        string_list(m, string, list, TextKind::Codes)
    };

    /// Converts between `string` and the `atom` with the same text.
    ///
    /// ?- string_to_atom(S, abc).
    /// S = "abc".
    ///
    /// ?- string_to_atom("abc", A).
    /// A = abc.
    library "string_to_atom"("?string", "?atom") = |m, [string, atom]| {
        match convert(m, string, new_atom)? {
            Some(made) => Ok(m.unify(atom, made)?),
            None => match convert(m, atom, new_string)? {
                Some(made) => Ok(m.unify(string, made)?),
                None => Err(m.instantiation_error()),
            },
        }
    };

    /// Converts between `atom` and the `string` with the same text.
    ///
    /// ?- atom_string(abc, S).
    /// S = "abc".
    ///
    /// ?- atom_string(A, "abc").
    /// A = abc.
    ///
    /// ?- atom_string(42, S).
    /// S = "42".
    library "atom_string"("?atom", "?string") = |m, [atom, string]| {
        if let Some(text) = atomic_text(m, atom)? {
            let copy = PassingText::of(&[&text], &m.store.watch)?;
            let made = m.store.new_string(&copy)?;
            return Ok(m.unify(string, made)?
                || !string.is_var() && atomic_text(m, string)?.is_some_and(|other| *other == *copy));
        }
        match convert(m, string, new_atom)? {
            Some(made) => Ok(m.unify(atom, made)?),
            None => Err(m.instantiation_error()),
        }
    };

    /// Succeeds if `Part` occurs in `Text` at offset `Start`, ignoring case. If `Start` is unbound, it becomes the
    /// first offset.
    library "$place_without_case"("+text", "?integer", "+text") = |m, [text, start, part]| {
        let place = m.optional_size(start)?;
        let found = match (text_in_place(m, text)?, text_in_place(m, part)?) {
            (Some(text), Some(part)) => place_without_case(m, &text, &part, place)?,
            _ => {
                let (text, part) = (m.text_arg(text)?, m.text_arg(part)?);
                place_without_case(m, &text, &part, place)?
            }
        };
        match found {
            Some(found) => Ok(m.unify_size(start, found)?),
            None => Ok(false),
        }
    };

    /// Unifies `code` with the code of character number `integer` of `text`, counted from 1.
    ///
    /// ?- string_code(1, abc, Code).
    /// Code = 97.
    library "string_code"("+integer", "+text", "-code") = |m, [index, string, code]| {
        let index = m.size_arg(index)?;
        let Some(nth) = index.checked_sub(1) else {
            m.text_arg(string)?;
            return Ok(false);
        };
        let found = match m.store.view(string) {
            View::Atom(atom) if atom != atoms::NIL => nth_char(m, string, nth)?,
            View::String(_) => nth_char(m, string, nth)?,
            _ => m.text_arg(string)?.chars().nth(nth),
        };
        match found {
            Some(char) => Ok(m.unify_int(code, i64::from(u32::from(char)))?),
            None => Ok(false),
        }
    };

    /// Unifies `number` with the number that `string` denotes, or makes `string` from `number`. Ignores
    /// layout around the number. Fails if the text is no number.
    ///
    /// ?- number_string(N, ' 42').
    /// N = 42.
    ///
    /// ?- number_string(N, x).
    /// false.
    library "number_string"("?number", "?string") = |m, [number, string]| {
        if !string.is_var() {
            let value = match text_in_place(m, string)? {
                Some(text) => exact_number(m, text.trim())?,
                None => {
                    let text = m.text_arg(string)?;
                    exact_number(m, text.trim())?
                }
            };
            return unify_found(m, number, value);
        }
        let text = number_text_arg(m, number)?;
        m.unify_string(string, &text)
    };

    /// Unifies `codes` with the codes of the text of `atomic`. If `atomic` is unbound, makes it from `codes`:
    /// a number if they denote one, else an atom.
    ///
    /// ?- name(X, "42").
    /// X = 42.
    ///
    /// ?- name(abc, L).
    /// L = [97, 98, 99].
    library "name"("?atomic", "?codes") = |m, [atomic, codes]| {
        if !atomic.is_var() {
            let Some(text) = atomic_text(m, atomic)?.map(std::borrow::Cow::into_owned) else {
                return Err(m.type_error(atoms::ATOMIC, atomic));
            };
            if let View::String(addr) = m.store.view(codes) {
                return Ok(m.store.text(addr) == text);
            }
            let list = m.text_list(&text, TextKind::Codes)?;
            return Ok(m.unify(codes, list)?);
        }
        let text = m.text_arg(codes)?;
        match exact_number(m, &text)? {
            Some(number) => m.unify_number(atomic, &number),
            None => {
                let atom = m.new_atom(&text)?;
                Ok(m.unify_atom(atomic, atom)?)
            }
        }
    };

    /// Unifies `string` with `text` in upper case.
    ///
    /// ?- string_upper(hello, S).
    /// S = "HELLO".
    library "string_upper"("+text", "-string") = |m, [text, upper]| {
        change_case(m, text, upper, true, Make::String)
    };

    /// Unifies `string` with `text` in lower case.
    ///
    /// ?- string_lower('Hello', S).
    /// S = "hello".
    library "string_lower"("+text", "-string") = |m, [text, lower]| {
        change_case(m, text, lower, false, Make::String)
    };

    /// Unifies `string` with the text of `text`, an atomic term or a list of codes or characters.
    ///
    /// ?- text_to_string(abc, S).
    /// S = "abc".
    ///
    /// ?- text_to_string([h,i], S).
    /// S = "hi".
    library "text_to_string"("+text", "-string") = |m, [text, string]| {
        let text = m.passing_text_arg(text)?;
        m.unify_string(string, &text)
    };

    /// Splits the first text at each character of the second and unifies `list` with the parts, strings.
    /// Removes the characters of the third text from both ends of each part. Without separators it only
    /// removes this padding.
    ///
    /// ?- split_string("a,b,c", ",", "", Parts).
    /// Parts = ["a", "b", "c"].
    ///
    /// ?- split_string("/home//jan///nice/path", "/", "", L).
    /// L = ["", "home", "", "jan", "", "", "nice", "path"].
    ///
    /// ?- split_string("  hello  ", "", " ", L).
    /// L = ["hello"].
    ///
    /// ?- split_string("a b, c", ",", " ", L).
    /// L = ["a b", "c"].
    library "split_string"("+text", "+text", "+text", "-list")
        = |m, [string, separators, padding, parts]| {
        let text = m.text_arg(string)?;
        let (separators, padding) = (m.text_arg(separators)?, m.text_arg(padding)?);
        let mut items = Vec::new();
        for part in split_string(&text, &separators, &padding) {
            m.store.events.watch.go_on_at(items.len())?;
            items.put(m.store.new_string(part)?)?;
        }
        m.unify_items(parts, &items)
    };

    /// Returns the string of the words of a text, with one blank between them, for `normalize_space/2`.
    library "$normal_space"("+text", "-string") = |m, [text, string]| {
        let text = m.text_arg(text)?;
        let mut normal = text_with_room(text.len())?;
        for word in text.split_whitespace() {
            if !normal.is_empty() {
                normal.put(' ')?;
            }
            normal.put_str(word)?;
        }
        m.store.events.watch.did_bytes(text.len());
        m.unify_string(string, &normal)
    };
}

#[cfg(test)]
mod tests {
    use super::split_string;

    fn split<'t>(text: &'t str, separators: &str, padding: &str) -> Vec<&'t str> {
        split_string(text, separators, padding).collect()
    }

    #[test]
    fn splits_as_documented() {
        assert_eq!(split("a.b.c", ".", ""), ["a", "b", "c"]);
        assert_eq!(split("/home//jan", "/", ""), ["", "home", "", "jan"]);
        assert_eq!(split(" a ", "", " "), ["a"]);
        assert_eq!(split("//a//b//", "/", "/"), ["a", "b"]);
        assert_eq!(split("a , , b", ",", " "), ["a", "", "b"]);
        assert_eq!(split("", "", ""), [""]);
        assert_eq!(split("/", "/", "/"), [""]);
    }
}
