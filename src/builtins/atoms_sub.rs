//! Parts of atoms and strings (ISO 13211-1, 8.16.3).

use super::args::atomic_text;
use super::atoms::{Make, make_text};
use crate::base::char_index::{Indexed, LONG, index_of};
use crate::base::passing_text::PassingText;
use crate::base::room::{Grow, GrowText};
use crate::base::stop::Stop;
use crate::base::symbol::atoms;
use crate::base::watch::Watch;
use crate::machine::builtin::{Step, builtins};
use crate::machine::state::Machine;
use crate::machine::throw::Throw;
use crate::store::cell::Cell;
use crate::store::heap::View;
use std::borrow::Cow;

/// One way to cut a text: number of characters before, of the part itself, and after.
#[derive(Copy, Clone, Debug, PartialEq, Eq)]
struct Cut {
    before: usize,
    length: usize,
    after: usize,
}

/// What is known of a cut.
struct Known {
    before: Option<usize>,
    length: Option<usize>,
    after: Option<usize>,
}

/// The index of the text that was taken apart last. It is kept for an atom, so that going through
/// a long one is not quadratic; long strings have their own.
#[derive(Default)]
pub(super) struct LastIndexed {
    atom: Option<Cell>,
    /// Sweeps of atoms until then: since the next one the number may be another one's.
    sweeps: u64,
    index: Vec<u64>,
    /// The part that was found last.
    part: String,
}

/// Of so many bytes the characters are told without an index.
const SHORT_WHOLE: usize = 1 << 8;

/// A part that is longer than this leaves no room for the next one.
const SHORT_PART: usize = 1 << 12;

impl LastIndexed {
    /// Indexes the text of `whole`, which is an atom, a short string or a number.
    fn prepare(&mut self, whole: Cell, text: &str, m: &Machine) -> Result<(), Stop> {
        let sweeps = m.world.symbols.sweeps().count;
        let atom = whole.is_atom().then_some(whole);
        if atom.is_some() && self.atom == atom && self.sweeps == sweeps {
            return Ok(());
        }
        m.store.watch.did_bytes(text.len());
        self.atom = None;
        self.index.clear();
        if !text.is_ascii() {
            self.index.put_all(index_of(text))?;
        }
        self.atom = atom;
        self.sweeps = sweeps;
        Ok(())
    }
}

/// Makes a text this one, with the room that it has.
fn set_text(place: &mut String, text: &str) -> Result<(), Stop> {
    if place.capacity() > SHORT_PART {
        *place = String::new();
    }
    place.clear();
    place.put_str(text)
}

/// The cuts of a text, in order: by what is before, then by length. Each is made from the last one.
fn next_cut(total: usize, known: &Known, last: Option<Cut>) -> Option<Cut> {
    let cut = |before: usize, length: usize| {
        let after = total.checked_sub(before.checked_add(length)?)?;
        Some(Cut {
            before,
            length,
            after,
        })
    };
    match *known {
        Known {
            before: Some(before),
            length: Some(length),
            after,
        } => {
            let only = cut(before, length)?;
            (last.is_none() && after.is_none_or(|after| after == only.after)).then_some(only)
        }
        Known {
            before: Some(before),
            length: None,
            after: Some(after),
        } => {
            let length = total.checked_sub(before.checked_add(after)?)?;
            if last.is_none() {
                cut(before, length)
            } else {
                None
            }
        }
        Known {
            before: None,
            length: Some(length),
            after: Some(after),
        } => {
            let before = total.checked_sub(length.checked_add(after)?)?;
            if last.is_none() {
                cut(before, length)
            } else {
                None
            }
        }
        Known {
            before: Some(before),
            length: None,
            after: None,
        } => cut(before, last.map_or(0, |last| last.length + 1)),
        Known {
            before: None,
            length: Some(length),
            after: None,
        } => cut(last.map_or(0, |last| last.before + 1), length),
        Known {
            before: None,
            length: None,
            after: Some(after),
        } => {
            let before = last.map_or(0, |last| last.before + 1);
            cut(before, total.checked_sub(before.checked_add(after)?)?)
        }
        Known {
            before: None,
            length: None,
            after: None,
        } => match last {
            None => cut(0, 0),
            Some(last) if last.after > 0 => cut(last.before, last.length + 1),
            Some(last) => cut(last.before + 1, 0),
        },
    }
}

/// The state of a cut, for the machine.
fn pack(cut: Cut) -> i64 {
    (cut.before as i64) << 31 | cut.length as i64
}

fn unpack(state: i64, total: usize) -> Cut {
    let before = ((state >> 31) as usize).min(total);
    let length = ((state & 0x7fff_ffff) as usize).min(total - before);
    Cut {
        before,
        length,
        after: total - before - length,
    }
}

/// The cuts that a call may give: all that fit what is known and variables that occur twice.
struct Search<'t> {
    text: Indexed<'t>,
    known: Known,
    part: Option<&'t str>,
    args: [Cell; 3],
    watch: &'t Watch,
}

impl<'t> Search<'t> {
    /// The next cut after `last`.
    fn next(&self, mut last: Option<Cut>) -> Option<Cut> {
        loop {
            let cut = self.candidate(last)?;
            if self.fits(cut) {
                return Some(cut);
            }
            last = Some(cut);
        }
    }

    fn candidate(&self, last: Option<Cut>) -> Option<Cut> {
        let total = self.text.len();
        let Some(part) = self.part else {
            return next_cut(total, &self.known, last);
        };
        let length = part.chars().count();
        if self.known.length.is_some_and(|known| known != length) {
            return None;
        }
        let fixed = match (self.known.before, self.known.after) {
            (Some(before), _) => Some(before),
            (None, Some(after)) => Some(total.checked_sub(length.checked_add(after)?)?),
            (None, None) => None,
        };
        let Some(before) = fixed else {
            let before = self.find(part, last.map_or(0, |last| last.before + 1))?;
            return Some(Cut {
                before,
                length,
                after: total - before - length,
            });
        };
        let after = total.checked_sub(before.checked_add(length)?)?;
        let cut = Cut {
            before,
            length,
            after,
        };
        let after_fits = self.known.after.is_none_or(|known| known == after);
        (last.is_none() && after_fits && self.cut_out(cut) == part).then_some(cut)
    }

    /// The part of the text.
    fn cut_out(&self, cut: Cut) -> &'t str {
        &self.text.text[self.text.byte(cut.before)..self.text.byte(cut.before + cut.length)]
    }

    /// The first place of `part` from character `from` on.
    fn find(&self, part: &str, from: usize) -> Option<usize> {
        if from > self.text.len() {
            return None;
        }
        let rest = &self.text.text[self.text.byte(from)..];
        let found = rest.find(part);
        let gone = found.map_or(rest.len(), |at| at + part.len());
        self.watch.did_bytes(gone);
        let start = self.text.text.len() - rest.len();
        found.map(|at| self.text.char_at(start + at))
    }

    /// Whether arguments that are the same variable get the same value.
    fn fits(&self, cut: Cut) -> bool {
        let [before, length, after] = self.args;
        let same = |a: Cell, b: Cell| a.is_var() && a == b;
        (!same(before, length) || cut.before == cut.length)
            && (!same(before, after) || cut.before == cut.after)
            && (!same(length, after) || cut.length == cut.after)
    }
}

/// `sub_atom/5` and its like.
fn sub_text(
    m: &mut Machine,
    [whole, before, length, after, part]: [Cell; 5],
    state: Option<i64>,
    make: Make,
) -> Result<Step, Throw> {
    check_whole(m, whole, make)?;
    if !part.is_var() {
        match (make, m.store.view(part)) {
            (_, View::Atom(_) | View::String(_)) => {}
            (Make::Atom, _) => return Err(m.type_error(atoms::ATOM, part)),
            _ => {
                m.atomic_text_arg(part, atoms::ATOMIC)?;
            }
        }
    }
    let known = Known {
        before: m.optional_size(before)?,
        length: m.optional_size(length)?,
        after: m.optional_size(after)?,
    };
    if state.is_none()
        && let Some(found) = only_part(m, whole, part, &known)?
    {
        let Some((cut, text)) = found else {
            return Ok(Step::Fail);
        };
        if let Some(text) = text {
            let made = make_text(m, &text, make)?;
            if !m.unify(part, made)? {
                return Ok(Step::Fail);
            }
        }
        return Ok(match unify_cut(m, [before, length, after], cut)? {
            true => Step::Last,
            false => Step::Fail,
        });
    }
    let mut index = std::mem::take(m.world.layers.of::<LastIndexed>());
    let found = next_part(
        m,
        whole,
        part,
        [before, length, after],
        known,
        state,
        &mut index,
    );
    let made = match found {
        Ok(Some(_)) if part.is_var() => make_text(m, &index.part, make).map(Some),
        _ => Ok(None),
    };
    *m.world.layers.of::<LastIndexed>() = index;
    let Some(Found { cut, next }) = found? else {
        return Ok(Step::Fail);
    };
    if let Some(made) = made?
        && !m.unify(part, made)?
    {
        return Ok(Step::Fail);
    }
    let done = unify_cut(m, [before, length, after], cut)?;
    Ok(match (done, next) {
        (false, _) => Step::Fail,
        (true, Some(next)) => Step::More(pack(next)),
        (true, None) => Step::Last,
    })
}

fn unify_cut(m: &mut Machine, [before, length, after]: [Cell; 3], cut: Cut) -> Result<bool, Stop> {
    Ok(m.unify_size(before, cut.before)?
        && m.unify_size(length, cut.length)?
        && m.unify_size(after, cut.after)?)
}

/// A cut, and the text of the part if that is asked for; `None` if there is none.
type OnlyPart = Option<(Cut, Option<PassingText>)>;

/// The part of a short text in ASCII where what is known leaves one place for it; `None` of others.
fn only_part(
    m: &Machine,
    whole: Cell,
    part: Cell,
    known: &Known,
) -> Result<Option<OnlyPart>, Stop> {
    let text = match m.store.view(whole) {
        View::Atom(atom) => m.world.symbols.text(atom),
        View::String(addr) => m.store.text(addr),
        _ => return Ok(None),
    };
    if text.len() > SHORT_WHOLE || !text.is_ascii() {
        return Ok(None);
    }
    let wanted = match m.store.view(part) {
        View::Var(_) => None,
        View::Atom(atom) => Some(m.world.symbols.text(atom)),
        View::String(addr) => Some(m.store.text(addr)),
        _ => return Ok(None),
    };
    let length = wanted.map_or(known.length, |wanted| Some(wanted.len()));
    let total = text.len();
    let start = match (known.before, known.after, length) {
        (Some(before), ..) => Some(before),
        (None, Some(after), Some(length)) => total.checked_sub(after.saturating_add(length)),
        _ => return Ok(None),
    };
    let length = match (length, known.after, start) {
        (Some(length), ..) => Some(length),
        (None, Some(after), Some(start)) => total.checked_sub(start.saturating_add(after)),
        (None, Some(_), None) => None,
        (None, None, _) => return Ok(None),
    };
    let (Some(before), Some(length)) = (start, length) else {
        return Ok(Some(None));
    };
    let end = before.saturating_add(length);
    let Some(found) = text.get(before..end) else {
        return Ok(Some(None));
    };
    let after = total - end;
    let fits = known.after.is_none_or(|known| known == after)
        && known.length.is_none_or(|known| known == length)
        && wanted.is_none_or(|wanted| wanted == found);
    if !fits {
        return Ok(Some(None));
    }
    let cut = Cut {
        before,
        length,
        after,
    };
    let text = match wanted {
        Some(_) => None,
        None => Some(PassingText::of(&[found], &m.store.watch)?),
    };
    Ok(Some(Some((cut, text))))
}

/// A part that was found.
struct Found {
    cut: Cut,
    /// The one after it: the state until that is asked for.
    next: Option<Cut>,
}

/// The part of `state`, or the first one. Its text is left in `index` if that is asked for.
fn next_part(
    m: &Machine,
    whole: Cell,
    part: Cell,
    args: [Cell; 3],
    known: Known,
    state: Option<i64>,
    index: &mut LastIndexed,
) -> Result<Option<Found>, Stop> {
    let Some(text) = whole_text(m, whole)? else {
        return Ok(None);
    };
    let (places, place) = places(m, whole, &text, index)?;
    let part_text = if part.is_var() {
        None
    } else {
        atomic_text(m, part)?
    };
    let search = Search {
        text: Indexed {
            text: &text,
            index: places,
        },
        known,
        part: part_text.as_deref(),
        args,
        watch: &m.store.watch,
    };
    let cut = match state {
        Some(state) => Some(unpack(state, search.text.len())),
        None => search.next(None),
    };
    let Some(cut) = cut else {
        return Ok(None);
    };
    let next = search.next(Some(cut));
    if part.is_var() {
        set_text(place, search.cut_out(cut))?;
    }
    Ok(Some(Found { cut, next }))
}

/// The text of an atomic term, of which only a part may be looked at.
fn whole_text(m: &Machine, whole: Cell) -> Result<Option<Cow<'_, str>>, Stop> {
    Ok(match m.store.view(whole) {
        View::Atom(atom) => Some(Cow::Borrowed(m.world.symbols.text(atom))),
        View::String(addr) => Some(Cow::Borrowed(m.store.text(addr))),
        _ => atomic_text(m, whole)?,
    })
}

/// The index of the characters of a text, and the place for its part.
fn places<'i>(
    m: &'i Machine,
    whole: Cell,
    text: &str,
    last: &'i mut LastIndexed,
) -> Result<(&'i [u64], &'i mut String), Stop> {
    if let View::String(addr) = m.store.view(whole)
        && text.len() >= LONG
    {
        return Ok((m.store.text_index(addr), &mut last.part));
    }
    last.prepare(whole, text, m)?;
    Ok((&last.index, &mut last.part))
}

/// Character number `nth`, from 0, of an atom, a string or a number.
pub(super) fn nth_char(m: &mut Machine, whole: Cell, nth: usize) -> Result<Option<char>, Stop> {
    let mut last = std::mem::take(m.world.layers.of::<LastIndexed>());
    let found = char_at(m, whole, nth, &mut last);
    *m.world.layers.of::<LastIndexed>() = last;
    found
}

fn char_at(
    m: &Machine,
    whole: Cell,
    nth: usize,
    last: &mut LastIndexed,
) -> Result<Option<char>, Stop> {
    let Some(text) = whole_text(m, whole)? else {
        return Ok(None);
    };
    let (index, _) = places(m, whole, &text, last)?;
    let indexed = Indexed { text: &text, index };
    Ok(text[indexed.byte(nth)..].chars().next())
}

/// Whether the call has one solution at most.
fn one_part(m: &Machine) -> bool {
    let [_, before, length, after, part] = m.args();
    let told = |cell: &Cell| !cell.is_var();
    let sizes = [before, length, after];
    sizes.iter().filter(|&size| told(size)).count() >= 2
        || told(&part) && (told(&before) || told(&after))
}

/// Checks that the whole is a text.
fn check_whole(m: &mut Machine, whole: Cell, make: Make) -> Result<(), Throw> {
    let expected = if make == Make::Atom {
        atoms::ATOM
    } else {
        atoms::STRING
    };
    match m.store.view(whole) {
        View::Atom(_) | View::String(_) => Ok(()),
        View::Int(_) | View::Big(_) | View::Float(_) if !m.world.flags.iso => Ok(()),
        _ => Err(m.type_or_instantiation_error(expected, whole)),
    }
}

builtins! { ATOMS_SUB =
    /// `Part` is the part of `Atom` with `Length` characters that has `Before` characters before it
    /// and `After` characters after it. Gives all such parts. ISO 8.16.3.
    ///
    /// ?- sub_atom(hello, 1, 3, After, Sub).
    /// After = 1,
    /// Sub = ell.
    ///
    /// ?- sub_atom('file.txt', Before, _, 0, '.txt').
    /// Before = 4.
    ///
    /// ?- findall(S, sub_atom(abc, _, 2, _, S), L).
    /// L = [ab, bc].
    ///
    /// ?- sub_atom(hello, _, _, _, ell).
    /// true.
    iso nondet "sub_atom"("+atom", "?integer", "?integer", "?integer", "?atom")
        with once one_part = |m, [whole, before, length, after, part], state| {
        sub_text(m, [whole, before, length, after, part], state, Make::Atom)
    };

    /// `Part` is the part of `String` with `Length` characters that has `Before` characters before
    /// it and `After` characters after it. Gives all such parts.
    ///
    /// ?- sub_string('hello world', 6, 5, _, S).
    /// S = "world".
    ///
    /// ?- sub_string('key=value', B, 1, _, '='), sub_string('key=value', 0, B, _, Key).
    /// B = 3,
    /// Key = "key".
    library nondet "sub_string"("+string", "?integer", "?integer", "?integer", "?string")
        with once one_part = |m, [whole, before, length, after, part], state| {
        sub_text(m, [whole, before, length, after, part], state, Make::String)
    };
}
