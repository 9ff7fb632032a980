//! Parts of atoms and strings (ISO 13211-1, 8.16.3).

use super::atoms::{Make, make_text};
use crate::base::atom_table::atoms;
use crate::base::char_index::{Indexed, LONG, index_of};
use crate::base::growth::Grow;
use crate::base::passing_text::PassingText;
use crate::base::stop::Stop;
use crate::base::watch::Watch;
use crate::builtins::args::atomic_text;
use crate::machine::builtin::{Step, builtins};
use crate::machine::control::throw::Throw;
use crate::machine::state::Machine;
use crate::machine::upper_layers::LayerState;
use crate::store::cell::Cell;
use crate::store::heap::View;
use std::borrow::Cow;

/// One way to cut a text: number of characters before the part, in the part, and after it.
#[derive(Copy, Clone, Debug, PartialEq, Eq)]
struct Cut {
    before: usize,
    length: usize,
    after: usize,
}

/// Known numbers of a cut.
struct Known {
    before: Option<usize>,
    length: Option<usize>,
    after: Option<usize>,
}

/// Index of the last text that was cut. It is kept for an atom, so that cutting a long one repeatedly is not
/// quadratic. Long strings have their own index.
#[derive(Default)]
pub(in crate::builtins) struct LastIndexed {
    atom: Option<Cell>,
    /// Number of sweeps of atoms until then. After the next sweep, another atom may have this number.
    sweeps: u64,
    index: Vec<u64>,
}

impl LayerState for LastIndexed {}

/// Length in bytes up to which an ASCII text needs no index.
const SHORT_WHOLE: usize = 1 << 8;

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

/// Returns the next cut of a text after `last`. Cuts are ordered by the number of characters before, then by
/// length.
fn next_cut(total: usize, known: &Known, last: Option<Cut>) -> Option<Cut> {
    let cut = |before: usize, length: usize| {
        let after = total.checked_sub(before.checked_add(length)?)?;
        Some(Cut {
            before,
            length,
            after,
        })
    };
    let only = |found: Option<Cut>| found.filter(|_| last.is_none());
    match (known.before, known.length, known.after) {
        (Some(before), Some(length), after) => {
            only(cut(before, length)).filter(|cut| after.is_none_or(|after| after == cut.after))
        }
        (Some(before), None, Some(after)) => {
            only(cut(before, total.checked_sub(before.checked_add(after)?)?))
        }
        (None, Some(length), Some(after)) => {
            only(cut(total.checked_sub(length.checked_add(after)?)?, length))
        }
        (Some(before), None, None) => cut(before, last.map_or(0, |last| last.length + 1)),
        (None, Some(length), None) => cut(last.map_or(0, |last| last.before + 1), length),
        (None, None, Some(after)) => {
            let before = last.map_or(0, |last| last.before + 1);
            cut(before, total.checked_sub(before.checked_add(after)?)?)
        }
        (None, None, None) => match last {
            None => cut(0, 0),
            Some(last) if last.after > 0 => cut(last.before, last.length + 1),
            Some(last) => cut(last.before + 1, 0),
        },
    }
}

/// Packs a cut into the state of the builtin.
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

/// Search for the cuts of a call: they fit the known numbers and variables that occur twice.
struct Search<'t> {
    text: Indexed<'t>,
    known: &'t Known,
    part: Option<&'t str>,
    args: &'t [Cell; 3],
    watch: &'t Watch,
}

impl<'t> Search<'t> {
    /// Returns the next cut after `last`.
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
            return next_cut(total, self.known, last);
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

    /// Returns the part of the text.
    fn cut_out(&self, cut: Cut) -> &'t str {
        &self.text.text[self.text.byte(cut.before)..self.text.byte(cut.before + cut.length)]
    }

    /// Returns the first place of `part` from character `from` on.
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

    /// Returns whether arguments that are the same variable get equal values.
    fn fits(&self, cut: Cut) -> bool {
        let [before, length, after] = *self.args;
        let same = |a: Cell, b: Cell| a.is_var() && a == b;
        (!same(before, length) || cut.before == cut.length)
            && (!same(before, after) || cut.before == cut.after)
            && (!same(length, after) || cut.length == cut.after)
    }
}

/// Runs `sub_atom/5` and similar builtins.
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
    let args = [before, length, after];
    let mut text = PassingText::new();
    let only = match state {
        None => only_part(m, whole, part, &known, &mut text)?,
        Some(_) => None,
    };
    let found = match only {
        Some(found) => found.map(|cut| Found { cut, next: None }),
        None => with_index(m, whole, |m, whole| {
            next_part(m, whole, (part, &mut text), &args, &known, state)
        })?,
    };
    let Some(Found { cut, next }) = found else {
        return Ok(Step::Fail);
    };
    if part.is_var() {
        let made = make_text(m, &text, make)?;
        if !m.unify(part, made)? {
            return Ok(Step::Fail);
        }
    }
    let done = unify_cut(m, args, cut)?;
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

/// Finds the only possible cut of a short ASCII text if the known numbers determine its place. Returns `None` for
/// other calls, and `Some(None)` if no cut fits. Writes the text of the part to `place` if the part is unbound.
fn only_part(
    m: &Machine,
    whole: Cell,
    part: Cell,
    known: &Known,
    place: &mut PassingText,
) -> Result<Option<Option<Cut>>, Stop> {
    let Some(text) = short_text(m, whole) else {
        return Ok(None);
    };
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
    if wanted.is_none() {
        place.set(&[found], &m.store.watch)?;
    }
    Ok(Some(Some(cut)))
}

/// Part that was found.
struct Found {
    cut: Cut,
    /// Next part, stored as the state until it is needed.
    next: Option<Cut>,
}

/// Returns the part of `state`, or the first one. Writes its text to `place` if the part is unbound.
fn next_part(
    m: &Machine,
    text: Indexed<'_>,
    (part, place): (Cell, &mut PassingText),
    args: &[Cell; 3],
    known: &Known,
    state: Option<i64>,
) -> Result<Option<Found>, Stop> {
    let part_text = if part.is_var() {
        None
    } else {
        atomic_text(m, part)?
    };
    let search = Search {
        text,
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
    if part.is_var() {
        place.set(&[search.cut_out(cut)], &m.store.watch)?;
    }
    let next = search.next(Some(cut));
    Ok(Some(Found { cut, next }))
}

/// Returns the text of an atom or a string if it is short and in ASCII.
fn short_text(m: &Machine, whole: Cell) -> Option<&str> {
    let text = match m.store.view(whole) {
        View::Atom(atom) => m.world.symbols.text(atom),
        View::String(addr) => m.store.text(addr),
        _ => return None,
    };
    (text.len() <= SHORT_WHOLE && text.is_ascii()).then_some(text)
}

/// Runs `work` on the text of an atomic term, with access to its characters by number. Returns `None` for other
/// terms.
fn with_index<T>(
    m: &mut Machine,
    whole: Cell,
    work: impl FnOnce(&Machine, Indexed<'_>) -> Result<Option<T>, Stop>,
) -> Result<Option<T>, Stop> {
    if let Some(text) = short_text(m, whole) {
        return work(m, Indexed { text, index: &[] });
    }
    let mut last = std::mem::take(m.world.layers.of::<LastIndexed>());
    let result = with_last(m, whole, &mut last, work);
    *m.world.layers.of::<LastIndexed>() = last;
    result
}

fn with_last<T>(
    m: &Machine,
    whole: Cell,
    last: &mut LastIndexed,
    work: impl FnOnce(&Machine, Indexed<'_>) -> Result<Option<T>, Stop>,
) -> Result<Option<T>, Stop> {
    let (text, index) = match m.store.view(whole) {
        View::Atom(atom) => (Cow::Borrowed(m.world.symbols.text(atom)), None),
        View::String(addr) => {
            let text = m.store.text(addr);
            let own = (text.len() >= LONG).then(|| m.store.text_index(addr));
            (Cow::Borrowed(text), own)
        }
        _ => match atomic_text(m, whole)? {
            Some(text) => (text, None),
            None => return Ok(None),
        },
    };
    let index = match index {
        Some(index) => index,
        None => {
            last.prepare(whole, &text, m)?;
            &last.index
        }
    };
    work(m, Indexed { text: &text, index })
}

/// Returns character number `nth`, from 0, of an atom, a string or a number.
pub(in crate::builtins) fn nth_char(
    m: &mut Machine,
    whole: Cell,
    nth: usize,
) -> Result<Option<char>, Stop> {
    with_index(m, whole, |_, indexed| {
        Ok(indexed.text[indexed.byte(nth)..].chars().next())
    })
}

/// Returns whether the call has at most one solution.
fn one_part(m: &Machine) -> bool {
    let [_, before, length, after, part] = m.args();
    let bound = |cell: &Cell| !cell.is_var();
    let sizes = [before, length, after];
    sizes.iter().filter(|&size| bound(size)).count() >= 2
        || bound(&part) && (bound(&before) || bound(&after))
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
    /// True if the last atom is a part of the first. The three integers are the number of characters before
    /// the part, in the part, and after it. Enumerates all such parts on backtracking. ISO 8.16.3.
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

    /// True if the last string is a part of the first. The three integers are the number of characters before
    /// the part, in the part, and after it. Enumerates all such parts on backtracking.
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
