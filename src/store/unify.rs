//! Unification (ISO 13211-1, 7.3) and its variants: with occurs check (8.2.2), as a test (8.2.3), and as the list of
//! bindings that it would make.
//!
//! Bindings go through [`Store::bind`]. A failed unification leaves its bindings; the caller backtracks, which
//! undoes them from the trail as always.
#![forbid(unsafe_code)]

use super::address::{HeapAddr, TrailAddr};
use super::cell::{BoxKind, Cell, WORD, tag};
use super::heap::{Store, deref};
use super::raw;
use super::walk::Visited;
use crate::base::growth::{Gather, Grow, GrowBy};
use crate::base::stop::{Questions, Stop};

/// Greatest size of the ground terms that are copied when a variable is unified with them.
pub(crate) const SMALL_GROUND_WORDS: u32 = 16;

/// Outcome of a unification with occurs check.
#[derive(Copy, Clone, Debug, PartialEq, Eq)]
pub(crate) enum Checked {
    /// The terms are unified, and the new bindings are acyclic.
    Unified,
    /// The terms do not unify.
    Failed,
    /// The terms unify to a cyclic term only.
    Cyclic,
}

/// Outcome of a unification that is only tried.
#[derive(Copy, Clone, Debug, PartialEq, Eq)]
pub(crate) enum Tried {
    /// The terms do not unify.
    Differ,
    /// The terms unify.
    Unify,
    /// The terms unify if the hooks of attributed variables allow it.
    Wake,
}

/// The registers that a trial changes and restores.
pub(super) struct Trial {
    heap_top: HeapAddr,
    heap_backtrack: HeapAddr,
    trail_top: TrailAddr,
    wakeups: Cell,
    wake_pending: bool,
}

impl Store {
    /// Unifies two terms.
    #[inline(always)]
    pub(crate) fn unify(&mut self, a: Cell, b: Cell) -> Result<bool, Stop> {
        let (a, b) = (deref(a), deref(b));
        if a == b {
            return Ok(true);
        }
        if a.is_var() {
            self.bind(a, b)?;
            return Ok(true);
        }
        if b.is_var() {
            self.bind(b, a)?;
            return Ok(true);
        }
        // Different constants, or a constant and another kind of term.
        if a.is_simple() || b.is_simple() || a.tag() != b.tag() {
            return Ok(false);
        }
        self.unify_general(a, b)
    }

    /// Unifies two dereferenced terms of the same tag that are neither variables nor constants.
    #[inline(never)]
    pub(crate) fn unify_general(&mut self, a: Cell, b: Cell) -> Result<bool, Stop> {
        if let Some(unified) = self.unify_flat(a, b) {
            return Ok(unified);
        }
        if a.tag() == tag::BOX {
            return Ok(boxes_equal(a, b));
        }
        // Arguments that were bound already compare as equal.
        let Some((left, right, count)) = arguments(a, b) else {
            return Ok(false);
        };
        let mut stack = std::mem::take(&mut self.work);
        stack.clear();
        let unified = self.unify_compounds(left, right, count, &mut stack);
        self.return_scratch(stack);
        unified
    }

    /// Unifies two dereferenced compounds without a stack, a check for cycles or a function call. It handles
    /// compounds only as last arguments, to a few levels, and neither attributed variables nor boxes. Returns `None`
    /// for other terms; a part of them may be unified then.
    #[inline(always)]
    pub(crate) fn unify_flat(&mut self, a: Cell, b: Cell) -> Option<bool> {
        if !a.is_compound() {
            return None;
        }
        let Some((mut left, mut right, mut count)) = arguments(a, b) else {
            return Some(false);
        };
        let mut levels = 32;
        while count > 0 {
            let (x, y) = (deref(raw::cell(left)), deref(raw::cell(right)));
            if x == y {
            } else if x.tag() == tag::REF {
                // Of two variables the younger is bound.
                if y.tag() == tag::REF && y.0 > x.0 {
                    self.bind_plain(y, x);
                } else {
                    self.bind_plain(x, y);
                }
            } else if y.tag() == tag::REF {
                self.bind_plain(y, x);
            } else if x.is_var() || y.is_var() {
                return None;
            } else if x.tag() != y.tag() || x.is_simple() {
                return Some(false);
            } else if count > 1 || levels == 0 || x.tag() == tag::BOX {
                return None;
            } else {
                let Some(inner) = arguments(x, y) else {
                    return Some(false);
                };
                levels -= 1;
                (left, right, count) = inner;
                continue;
            }
            count -= 1;
            left += WORD;
            right += WORD;
        }
        Some(true)
    }

    /// Unifies lists of arguments. The stack holds the rest of outer lists: two addresses and a count.
    fn unify_compounds(
        &mut self,
        mut left: HeapAddr,
        mut right: HeapAddr,
        mut count: u64,
        stack: &mut Vec<u64>,
    ) -> Result<bool, Stop> {
        let mut visited = Visited::new();
        loop {
            if count == 0 {
                match pop_arguments(stack) {
                    Some(rest) => (left, right, count) = rest,
                    None => return Ok(true),
                }
            }
            let (x, y) = (deref(raw::cell(left)), deref(raw::cell(right)));
            count -= 1;
            left += WORD;
            right += WORD;
            if x == y {
                continue;
            }
            if x.is_var() {
                self.bind(x, y)?;
                continue;
            }
            if y.is_var() {
                self.bind(y, x)?;
                continue;
            }
            if x.is_simple() || x.tag() != y.tag() {
                return Ok(false);
            }
            if x.tag() == tag::BOX {
                if boxes_equal(x, y) {
                    continue;
                }
                return Ok(false);
            }
            let Some(inner) = arguments(x, y) else {
                return Ok(false);
            };
            if visited.again_together(x.0, y.0, inner.2, &self.events.watch)? {
                continue;
            }
            if count > 0 {
                stack.put_slice(&[left.bits(), right.bits(), count])?;
            }
            (left, right, count) = inner;
        }
    }

    /// Unifies a term with a ground one that is outside of the heap and has at most [`SMALL_GROUND_WORDS`] words.
    /// Variables are bound to copies of its parts.
    pub(crate) fn unify_small_ground(&mut self, term: Cell, ground: Cell) -> Result<bool, Stop> {
        // Every level takes at least two words.
        let mut stack = [(HeapAddr::NONE, HeapAddr::NONE, 0); SMALL_GROUND_WORDS as usize / 2 + 1];
        let mut depth = 0;
        let (mut term, mut ground) = (deref(term), ground);
        loop {
            if term.is_var() {
                let copy = self.copy_ground(ground);
                self.bind(term, copy)?;
            } else if ground.is_simple() {
                if term != ground {
                    return Ok(false);
                }
            } else if term.tag() != ground.tag() {
                return Ok(false);
            } else if term.tag() == tag::BOX {
                if !boxes_equal(term, ground) {
                    return Ok(false);
                }
            } else {
                match arguments(term, ground) {
                    Some(inner) => stack[depth] = inner,
                    None => return Ok(false),
                }
                depth += 1;
            }
            while depth > 0 && stack[depth - 1].2 == 0 {
                depth -= 1;
            }
            if depth == 0 {
                return Ok(true);
            }
            let (left, right, count) = &mut stack[depth - 1];
            (term, ground) = (deref(raw::cell(*left)), raw::cell(*right));
            *left += WORD;
            *right += WORD;
            *count -= 1;
        }
    }

    /// Unifies two terms and returns whether that made a cyclic term.
    pub(crate) fn unify_checked(&mut self, a: Cell, b: Cell) -> Result<Checked, Stop> {
        let (a, b) = (deref(a), deref(b));
        if a == b {
            return Ok(Checked::Unified);
        }
        if a.is_simple() || b.is_simple() || (a.is_var() && b.is_var()) {
            return Ok(if self.unify(a, b)? {
                Checked::Unified
            } else {
                Checked::Failed
            });
        }
        if a.is_var() || b.is_var() {
            let (var, value) = if a.is_var() { (a, b) } else { (b, a) };
            if self.occurs(var, value)? {
                return Ok(Checked::Cyclic);
            }
            self.bind(var, value)?;
            return Ok(Checked::Unified);
        }
        let (backtrack, from) = (self.heap_backtrack, self.trail_top);
        self.heap_backtrack = self.heap_top;
        let unified = self.unify(a, b);
        self.heap_backtrack = backtrack;
        let checked = match unified {
            Ok(true) => self.check_bindings(from),
            Ok(false) => Ok(Checked::Failed),
            Err(stop) => Err(stop),
        };
        self.drop_young_entries(from);
        checked
    }

    /// Returns whether the bindings made since the trail top was `from` are acyclic.
    fn check_bindings(&self, from: TrailAddr) -> Result<Checked, Stop> {
        let values = self.bindings_since(from).map(|(_, value)| value).gather()?;
        Ok(match self.acyclic_terms(&values)? {
            true => Checked::Unified,
            false => Checked::Cyclic,
        })
    }

    /// Unifies two terms; fails if that would make a cyclic term.
    pub(crate) fn unify_occurs_check(&mut self, a: Cell, b: Cell) -> Result<bool, Stop> {
        Ok(self.unify_checked(a, b)? == Checked::Unified)
    }

    /// Returns whether two terms do not unify. Binds nothing.
    pub(crate) fn not_unifiable(&mut self, a: Cell, b: Cell) -> Result<bool, Stop> {
        let (a, b) = (deref(a), deref(b));
        if a == b || a.is_var() || b.is_var() {
            return Ok(false);
        }
        if a.is_simple() || b.is_simple() || a.tag() != b.tag() {
            return Ok(true);
        }
        let trial = self.begin_trial();
        let unified = self.unify_general(a, b);
        self.end_trial(&trial);
        Ok(!unified?)
    }

    /// Returns whether each of these terms unifies with its counterpart in `others`, each pair by itself. Binds
    /// nothing.
    pub(crate) fn each_unifiable(&mut self, terms: &[Cell], others: &[Cell]) -> Result<bool, Stop> {
        let pairs = terms.iter().zip(others);
        pairs.try_all(|(&term, &other)| Ok(!self.not_unifiable(term, other)?))
    }

    /// Returns whether two terms unify, as far as that is known without running goals. Binds nothing.
    pub(crate) fn try_unify(&mut self, a: Cell, b: Cell) -> Result<Tried, Stop> {
        let (a, b) = (deref(a), deref(b));
        if a == b || a.tag() == tag::REF || b.tag() == tag::REF {
            return Ok(Tried::Unify);
        }
        let trial = self.begin_trial();
        self.wake_pending = false;
        let unified = self.unify(a, b);
        let wakes = self.wake_pending;
        self.end_trial(&trial);
        Ok(match (unified?, wakes) {
            (false, _) => Tried::Differ,
            (true, false) => Tried::Unify,
            (true, true) => Tried::Wake,
        })
    }

    /// Returns whether two terms unify; `bindings` receives, in order, the variables that would be bound and their
    /// values. Binds nothing.
    pub(crate) fn unifiable(
        &mut self,
        a: Cell,
        b: Cell,
        bindings: &mut Vec<(Cell, Cell)>,
    ) -> Result<bool, Stop> {
        let trial = self.begin_trial();
        let unified = self.unify(a, b).and_then(|unified| {
            if unified {
                bindings.put_all(self.bindings_since(trial.trail_top))?;
                // The trail is read from its top.
                bindings.reverse();
            }
            Ok(unified)
        });
        self.end_trial(&trial);
        unified
    }

    /// Begins a trial: from here on every binding is trailed, until [`Store::end_trial`] undoes it.
    pub(super) fn begin_trial(&mut self) -> Trial {
        let trial = Trial {
            heap_top: self.heap_top,
            heap_backtrack: self.heap_backtrack,
            trail_top: self.trail_top,
            wakeups: self.wakeups,
            wake_pending: self.wake_pending,
        };
        self.heap_backtrack = self.heap_top;
        trial
    }

    /// Undoes everything since `trial` began, wake-ups included.
    pub(super) fn end_trial(&mut self, trial: &Trial) {
        self.undo_to(trial.trail_top);
        self.heap_top = trial.heap_top;
        self.heap_backtrack = trial.heap_backtrack;
        self.wakeups = trial.wakeups;
        self.wake_pending = trial.wake_pending;
    }

    /// Returns the variables bound since the trail top was `from`, newest first, and their values.
    fn bindings_since(&self, from: TrailAddr) -> impl Iterator<Item = (Cell, Cell)> + use<> {
        let mut top = self.trail_top;
        std::iter::from_fn(move || {
            if top <= from {
                return None;
            }
            top -= WORD;
            let entry = raw::word(top);
            let var = if entry & 1 == 0 {
                Cell(entry)
            } else {
                top -= 2 * WORD;
                Cell(raw::word(top + WORD))
            };
            Some((var, raw::cell(Cell(entry).addr())))
        })
    }

    /// Drops the trail entries above `from` whose variables are younger than the newest choice point.
    fn drop_young_entries(&mut self, from: TrailAddr) {
        let mut kept = from;
        let mut at = from;
        while at < self.trail_top {
            let word = raw::word(at);
            if word & 1 == 1 {
                for nth in 0..3 {
                    raw::set_word(kept + nth * WORD, raw::word(at + nth * WORD));
                }
                kept += 3 * WORD;
                at += 3 * WORD;
            } else {
                if word < self.heap_backtrack.bits() {
                    raw::set_word(kept, word);
                    kept += WORD;
                }
                at += WORD;
            }
        }
        self.trail_top = kept;
    }
}

#[inline(always)]
fn pop_arguments(stack: &mut Vec<u64>) -> Option<(HeapAddr, HeapAddr, u64)> {
    let count = stack.pop()?;
    let right = Cell(stack.pop()?).addr();
    let left = Cell(stack.pop()?).addr();
    Some((left, right, count))
}

/// Returns addresses and number of the arguments of two compounds of the same tag, if their functors are equal.
#[inline(always)]
pub(super) fn arguments(a: Cell, b: Cell) -> Option<(HeapAddr, HeapAddr, u64)> {
    let (left, right) = (a.addr(), b.addr());
    if a.tag() == tag::LST {
        return Some((left, right, 2));
    }
    let functor = raw::cell(left);
    if functor != raw::cell(right) {
        return None;
    }
    Some((
        left + WORD,
        right + WORD,
        functor.as_functor().arity() as u64,
    ))
}

/// Returns whether two boxes hold the same value: floats of the same bits, the same integer, the same text.
pub(super) fn boxes_equal(a: Cell, b: Cell) -> bool {
    let header = raw::cell(a.addr());
    if header != raw::cell(b.addr()) {
        return false;
    }
    if header.box_kind() == BoxKind::Float {
        return raw::word(a.addr() + WORD) == raw::word(b.addr() + WORD);
    }
    raw::payload(&a, a.addr()) == raw::payload(&b, b.addr())
}
