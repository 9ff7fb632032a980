//! The areas of an engine: making terms on the heap, inspecting terms, binding and undoing.
//!
//! All variables are on the heap, and their addresses are in order of age. So one comparison with `hb` decides
//! whether a binding must be trailed. A trail word is the address of a bound variable, or an address with bit 0 set.
//! The latter belongs to a cell whose old value is the word below it, or to a node that was taken out of chains (see
//! `links`). Long because all its functions keep the same few registers in step.
#![forbid(unsafe_code)]

use super::address::{Addr, ChoiceAddr, HeapAddr, TrailAddr, kind};
use super::areas::{Area, Mapped};
use super::cell::{BoxKind, Cell, WORD, tag};
use super::claims::Outside;
use super::events::Events;
use super::grounds::Reserved;
use super::os::MAPPED_UNIT;
use super::{links, raw};
use crate::base::atom_table::{Atom, Functor, atoms, functors};
use crate::base::char_index;
use crate::base::growth::require_memory;
use crate::base::number::{INLINE_MAX, INLINE_MIN, Number};
use crate::base::stop::Stop;
use crate::base::watch::Watch;
use dashu_int::{IBig, Sign, UBig};
use std::sync::Arc;

/// Number of words that the wake-up of a variable takes.
const WAKEUP_WORDS: usize = 5;

/// Smallest size of an area in bytes.
pub(super) const SMALLEST_AREA: usize = 1 << 22;

/// A dereferenced term by its type.
#[derive(Copy, Clone, Debug, PartialEq)]
pub(crate) enum View {
    /// An unbound variable, plain or attributed.
    Var(Cell),
    /// An atom.
    Atom(Atom),
    /// An inline integer.
    Int(i64),
    /// A big integer (see [`Store::big`]); the address is that of its box.
    Big(HeapAddr),
    /// A float.
    Float(f64),
    /// A string (see [`Store::text`]); the address is that of its box.
    String(HeapAddr),
    /// A list; head and tail lie at the address and after it.
    List(HeapAddr),
    /// A compound that is not a list; its arguments lie from the address on.
    Struct(Functor, HeapAddr),
}

/// An eigenvariable: its address and its number.
pub(crate) type Eigenvariable = (HeapAddr, i64);

/// Areas, heap top and trail of one engine.
#[repr(C)]
pub(crate) struct Store {
    /// H: first free heap address. Inside the dispatch loop a local copy is the true one.
    pub(crate) heap_top: HeapAddr,
    /// HB: heap top at the newest choice point; older variables are trailed when bound.
    pub(crate) heap_backtrack: HeapAddr,
    /// TR: first free trail address.
    pub(crate) trail_top: TrailAddr,
    /// Pending wake-ups: a list of `$wakeup(Attributes, Value)`, newest first.
    pub(crate) wakeups: Cell,
    /// Set when a wake-up was added; the machine polls it with its other events.
    pub(crate) wake_pending: bool,
    /// Whether the standard order puts every float before every integer (flag `iso`).
    pub(crate) floats_first: bool,
    /// The watch that calls poll: the one in `events`.
    pub(crate) watch: Arc<Watch>,
    /// Events that are set from outside.
    pub(crate) events: Arc<Events>,
    /// The area of terms.
    pub(crate) heap: Area<kind::Heap>,
    /// The area of environments.
    pub(crate) env: Area<kind::Env>,
    /// The area of choice points.
    pub(crate) choice: Area<kind::Choice>,
    /// The area of the trail.
    pub(crate) trail: Area<kind::Trail>,
    /// End of the area of choice points. [`Area::end`] of `choice` is the same, unless the machine must look at each
    /// new choice point.
    pub(super) choices_end: ChoiceAddr,
    /// Eigenvariables, oldest first; backtracking may have removed the newest.
    pub(crate) eigenvariables: Vec<Eigenvariable>,
    /// Numbers of the eigenvariables that copies outside of the heap hold.
    pub(super) escaped: Vec<i64>,
    /// Eigenvariables up to this number belong to queries that have ended.
    pub(crate) settled: i64,
    /// Bindings that were refused because of the scopes of eigenvariables.
    pub(crate) refusals: super::refusals::Refusals,
    /// Scratch stack of the term algorithms.
    pub(crate) work: Vec<u64>,
    /// Heap top after the last collection.
    pub(crate) heap_kept: HeapAddr,
    /// Highest heap top since memory was last given back.
    pub(super) heap_high: HeapAddr,
    /// Highest trail top since memory was last given back.
    pub(super) trail_high: TrailAddr,
    /// Whether words went on the trail into the slack, because there was no other room.
    trail_short: bool,
    /// Whether the trail has grown much since the last collection.
    pub(crate) collect_for_trail: bool,
    /// Bytes that clauses, collections and other data take outside of the areas.
    pub(super) outside: Arc<Outside>,
    /// The reservation that the areas are parts of, while there are areas.
    pub(super) grounds: Option<Reserved>,
    /// The mapped parts of the areas.
    pub(super) mapped: Mapped,
    /// Bytes that all areas together may grow to: at most the room of one area.
    pub(super) limit: usize,
    /// Maximum of `limit`.
    pub(super) most: usize,
}

impl Store {
    /// Returns a store with its areas, which together may grow to `limit` bytes. Tries smaller and smaller sizes
    /// when the system refuses.
    pub(crate) fn new(limit: usize) -> Result<Store, Stop> {
        let mut store = Store::resting(limit);
        store.wake()?;
        Ok(store)
    }

    /// Returns a store that has no areas yet. No terms can be made before it is woken.
    pub(crate) fn resting(limit: usize) -> Store {
        let most = limit
            .max(SMALLEST_AREA)
            .next_multiple_of(MAPPED_UNIT as usize);
        let events = Arc::<Events>::default();
        let heap = Area::new(0, 0);
        let trail = Area::new(0, 0);
        Store {
            heap_top: heap.base,
            heap_backtrack: heap.base,
            trail_top: trail.base,
            wakeups: Cell::atom(atoms::NIL),
            wake_pending: false,
            floats_first: false,
            watch: Arc::clone(&events.watch),
            events,
            heap,
            env: Area::new(0, 0),
            choice: Area::new(0, 0),
            choices_end: ChoiceAddr::NONE,
            trail,
            eigenvariables: Vec::new(),
            escaped: Vec::new(),
            settled: 0,
            refusals: super::refusals::Refusals::default(),
            work: Vec::new(),
            heap_kept: heap.base,
            heap_high: heap.base,
            trail_high: trail.base,
            trail_short: false,
            collect_for_trail: false,
            outside: Arc::default(),
            grounds: None,
            mapped: Mapped::new([0; 4], heap.end),
            most,
            limit: most,
        }
    }

    /// Takes `words` words of heap. The caller must have reserved room beyond the slack. With `debug_assertions` a
    /// missing reservation is found at once, otherwise at the end of the heap.
    #[inline(always)]
    pub(crate) fn allocate(&mut self, words: usize) -> HeapAddr {
        let addr = self.heap_top;
        let top = addr + words as u64 * WORD;
        self.mapped.check_promise(top);
        assert!(self.map_heap(top), "heap allocation without a reservation");
        self.heap_top = top;
        addr
    }

    // ---- making terms -------------------------------------------------------------------------

    /// Makes a fresh variable.
    pub(crate) fn new_var(&mut self) -> Cell {
        let addr = self.allocate(1);
        let cell = Cell::reference(addr);
        raw::set_cell(addr, cell);
        cell
    }

    /// Makes `[head|tail]`.
    pub(crate) fn new_list(&mut self, head: Cell, tail: Cell) -> Cell {
        let addr = self.allocate(2);
        raw::set_cell(addr, head);
        raw::set_cell(addr + WORD, tail);
        Cell::list(addr)
    }

    /// Makes a proper list of these elements. Returns an error if there is no room.
    pub(crate) fn list_of(&mut self, items: &[Cell]) -> Result<Cell, Stop> {
        self.list_with_tail(items, Cell::atom(atoms::NIL))
    }

    /// Makes a list of these elements that ends in `tail`. Returns an error if there is no room.
    pub(crate) fn list_with_tail(&mut self, items: &[Cell], tail: Cell) -> Result<Cell, Stop> {
        if items.is_empty() {
            return Ok(tail);
        }
        self.reserve(items.len() * 2)?;
        let addr = self.allocate(items.len() * 2);
        let mut at = addr;
        for (nth, &item) in items.iter().enumerate() {
            self.events.watch.go_on_at(nth)?;
            raw::set_cell(at, item);
            raw::set_cell(at + WORD, Cell::list(at + 2 * WORD));
            at += 2 * WORD;
        }
        raw::set_cell(at - WORD, tail);
        Ok(Cell::list(addr))
    }

    /// Takes new events if the host holds the present ones. The old handle then interrupts nothing that runs from
    /// now on.
    pub(crate) fn renew_events(&mut self) {
        if self
            .events
            .handed_out
            .load(std::sync::atomic::Ordering::Relaxed)
        {
            self.events = Arc::default();
            self.watch = Arc::clone(&self.events.watch);
        }
    }

    /// Makes `functor(args…)`. A functor of arity 0 is not allowed; `'.'/2` gives a list.
    pub(crate) fn new_struct(&mut self, functor: Functor, args: &[Cell]) -> Cell {
        debug_assert_eq!(functor.arity(), args.len());
        if functor == functors::LIST {
            return self.new_list(args[0], args[1]);
        }
        let addr = self.allocate(args.len() + 1);
        raw::set_cell(addr, Cell::functor(functor));
        for (index, &arg) in args.iter().enumerate() {
            raw::set_cell(addr + (index as u64 + 1) * WORD, arg);
        }
        Cell::structure(addr)
    }

    /// Makes a compound of `functor` with fresh variables. Returns an error if there is no room.
    pub(crate) fn new_general_struct(&mut self, functor: Functor) -> Result<Cell, Stop> {
        let arity = functor.arity();
        self.reserve(arity + 1)?;
        self.watch.did_bytes(arity * WORD as usize);
        let list = functor == functors::LIST;
        let addr = self.allocate(if list { 2 } else { arity + 1 });
        let first = if list { addr } else { addr + WORD };
        for index in 0..arity as u64 {
            let at = first + index * WORD;
            raw::set_cell(at, Cell::reference(at));
        }
        if list {
            return Ok(Cell::list(addr));
        }
        raw::set_cell(addr, Cell::functor(functor));
        Ok(Cell::structure(addr))
    }

    fn new_box(&mut self, kind: BoxKind, payload: &[u64]) -> Cell {
        let addr = self.allocate(payload.len() + 1);
        raw::set_cell(addr, Cell::box_header(kind, payload.len()));
        raw::write_words(addr + WORD, payload);
        Cell::boxed(addr)
    }

    /// Makes a float.
    pub(crate) fn new_float(&mut self, value: f64) -> Cell {
        self.new_box(BoxKind::Float, &[value.to_bits()])
    }

    /// Makes an integer of 64 bits.
    pub(crate) fn new_int(&mut self, value: i64) -> Cell {
        if (INLINE_MIN..=INLINE_MAX).contains(&value) {
            return Cell::int(value);
        }
        let kind = if value < 0 {
            BoxKind::BigNegative
        } else {
            BoxKind::BigPositive
        };
        self.new_box(kind, &[value.unsigned_abs()])
    }

    /// Makes an integer of any size. Returns an error if there is no room.
    pub(crate) fn new_big(&mut self, value: &IBig) -> Result<Cell, Stop> {
        if let Ok(small) = i64::try_from(value) {
            return Ok(self.new_int(small));
        }
        let (sign, limbs) = value.as_sign_words();
        let kind = if sign == Sign::Negative {
            BoxKind::BigNegative
        } else {
            BoxKind::BigPositive
        };
        self.reserve(limbs.len() + 1)?;
        self.watch.did_bytes(size_of_val(limbs));
        Ok(self.new_box(kind, limbs))
    }

    /// Makes a term of the number. Returns an error if there is no room.
    pub(crate) fn new_number(&mut self, number: &Number) -> Result<Cell, Stop> {
        match number {
            Number::Int(value) => Ok(self.new_int(*value)),
            Number::Big(value) => self.new_big(value),
            Number::Float(value) => Ok(self.new_float(*value)),
        }
    }

    /// Makes a string. Returns an error if there is no room.
    pub(crate) fn new_string(&mut self, text: &str) -> Result<Cell, Stop> {
        let words = text.len().div_ceil(8);
        let indexed = char_index::own_words(text);
        self.reserve(words + indexed + 2)?;
        self.watch.did_bytes(text.len());
        let at = self.heap_top + 2 * WORD;
        raw::write_text(at, text, words, || self.watch.go_on())?;
        let addr = self.allocate(words + indexed + 2);
        raw::set_cell(addr, Cell::box_header(BoxKind::String, words + indexed + 1));
        raw::set_word(addr + WORD, text.len() as u64);
        if indexed > 0 {
            for (nth, word) in char_index::index_of(text).enumerate() {
                raw::set_word(at + (words + nth) as u64 * WORD, word);
            }
        }
        Ok(Cell::boxed(addr))
    }

    // ---- inspecting terms ---------------------------------------------------------------------

    /// Follows references to the value or the unbound variable behind `cell`.
    #[inline(always)]
    pub(crate) fn deref(&self, cell: Cell) -> Cell {
        deref(cell)
    }

    /// Returns the content of the cell at `addr`.
    #[inline(always)]
    pub(crate) fn at(&self, addr: HeapAddr) -> Cell {
        raw::cell(addr)
    }

    /// Returns the content of the `index`th cell (from 0) at `addr`, dereferenced.
    #[inline(always)]
    pub(crate) fn arg(&self, addr: HeapAddr, index: usize) -> Cell {
        deref(raw::cell(addr + index as u64 * WORD))
    }

    /// Returns the arguments of a compound, dereferenced.
    pub(crate) fn args(
        &self,
        functor: Functor,
        addr: HeapAddr,
    ) -> impl DoubleEndedIterator<Item = Cell> + Clone + '_ {
        (0..functor.arity()).map(move |index| self.arg(addr, index))
    }

    /// Dereferences `cell` and returns its type with its value.
    pub(crate) fn view(&self, cell: Cell) -> View {
        let cell = deref(cell);
        match cell.tag() {
            tag::REF | tag::ATT => View::Var(cell),
            tag::LST => View::List(cell.addr()),
            tag::STR => View::Struct(raw::cell(cell.addr()).as_functor(), cell.addr() + WORD),
            tag::INT => View::Int(cell.int_value()),
            tag::BOX => match raw::cell(cell.addr()).box_kind() {
                BoxKind::Float => View::Float(f64::from_bits(raw::word(cell.addr() + WORD))),
                BoxKind::String => View::String(cell.addr()),
                BoxKind::BigPositive | BoxKind::BigNegative => View::Big(cell.addr()),
            },
            _ if cell.is_forward() => View::Var(cell),
            _ => View::Atom(cell.as_atom()),
        }
    }

    /// Returns functor and address of the arguments of a compound, lists included.
    pub(crate) fn compound(&self, cell: Cell) -> Option<(Functor, HeapAddr)> {
        match self.view(cell) {
            View::List(addr) => Some((functors::LIST, addr)),
            View::Struct(functor, addr) => Some((functor, addr)),
            _ => None,
        }
    }

    /// Returns the big integer in the box at `addr`: whether it is negative, and the words of its magnitude.
    pub(crate) fn big_words(&self, addr: HeapAddr) -> (bool, &[u64]) {
        let header = raw::cell(addr);
        let negative = header.box_kind() == BoxKind::BigNegative;
        (negative, raw::payload(self, addr))
    }

    /// Returns the big integer in the box at `addr`.
    ///
    /// # Errors
    /// Returns an error if there is no memory for it.
    pub(crate) fn big(&self, addr: HeapAddr) -> Result<IBig, Stop> {
        let (negative, words) = self.big_words(addr);
        require_memory(2 * size_of_val(words))?;
        let sign = if negative {
            Sign::Negative
        } else {
            Sign::Positive
        };
        Ok(IBig::from_parts(sign, UBig::from_words(words)))
    }

    /// Returns the text of the string in the box at `addr`.
    pub(crate) fn text(&self, addr: HeapAddr) -> &str {
        raw::text(self, addr)
    }

    /// Returns the index of characters of the string in the box at `addr`. Short strings have none
    /// (`char_index::LONG`).
    pub(crate) fn text_index(&self, addr: HeapAddr) -> &[u64] {
        let before = 1 + self.text(addr).len().div_ceil(8);
        &raw::payload(self, addr)[before..]
    }

    /// Returns the number in `cell`, or `None` if `cell` is no number.
    ///
    /// # Errors
    /// Returns an error if there is no memory for it.
    pub(crate) fn number(&self, cell: Cell) -> Result<Option<Number>, Stop> {
        Ok(match self.view(cell) {
            View::Int(value) => Some(Number::Int(value)),
            View::Float(value) => Some(Number::Float(value)),
            View::Big(addr) => Some(Number::from_big(self.big(addr)?)),
            _ => None,
        })
    }

    /// Returns the words of an area from `from` up to `to`.
    pub(crate) fn words<K: kind::Kind>(&self, from: Addr<K>, to: Addr<K>) -> &[u64] {
        raw::words(self, from, to)
    }

    /// Overwrites the heap from `from` up to `to`, which is free now. A cell that still points there is noticed.
    #[cfg(feature = "extra-checks")]
    pub(crate) fn give_up(&self, from: HeapAddr, to: HeapAddr) {
        for word in 0..to.saturating_sub(from) / WORD {
            raw::set_word(from + word * WORD, super::extra_checks::GIVEN_UP);
        }
    }

    // ---- binding and undoing ------------------------------------------------------------------

    /// Binds the unbound variable `var` (dereferenced) to `value` (dereferenced, not `var` itself). Of two plain
    /// variables the younger is bound. Binding an attributed variable to anything but a plain variable schedules its
    /// wake-up.
    ///
    /// # Errors
    /// Returns an error if there is no room for the wake-up.
    #[inline(always)]
    pub(crate) fn bind(&mut self, var: Cell, value: Cell) -> Result<(), Stop> {
        debug_assert!(var.is_var());
        if var.tag() == tag::REF {
            if value.tag() == tag::REF && value.0 > var.0 {
                self.bind_plain(value, var);
            } else {
                self.bind_plain(var, value);
            }
        } else if value.tag() == tag::REF {
            self.bind_plain(value, var);
        } else {
            return self.bind_attributed(var, value);
        }
        Ok(())
    }

    /// Binds the plain variable `var` to `value`. If `value` is a variable, it must be older or attributed.
    #[inline(always)]
    pub(crate) fn bind_plain(&mut self, var: Cell, value: Cell) {
        let addr = var.referred();
        raw::set_cell(addr, value);
        if addr < self.heap_backtrack {
            // The trail always has room here: see AREAS.
            debug_assert!(self.trail_top < self.mapped.trail());
            raw::set_word(self.trail_top, addr.bits());
            self.trail_top += WORD;
        }
    }

    #[cold]
    #[inline(never)]
    fn bind_attributed(&mut self, var: Cell, value: Cell) -> Result<(), Stop> {
        // Of two variables the younger is bound.
        let (var, value) = match value.tag() {
            tag::ATT if value.0 > var.0 => (value, var),
            _ => (var, value),
        };
        let at = self.prepare_wakeup(var)?;
        self.finish_wakeup(var, at, value);
        Ok(())
    }

    /// Schedules the wake-up of the attributed variable `var`, whose value is made later. Makes room on the trail
    /// for its binding.
    pub(crate) fn prepare_wakeup(&mut self, var: Cell) -> Result<HeapAddr, Stop> {
        self.reserve(WAKEUP_WORDS)?;
        self.trail_room()?;
        Ok(self.schedule(raw::cell(var.addr() + WORD), Cell::atom(atoms::NIL)))
    }

    /// Schedules the hooks of `attributes` for `value`. Returns the address of the value in the wake-up.
    pub(crate) fn schedule(&mut self, attributes: Cell, value: Cell) -> HeapAddr {
        let wake = self.new_struct(functors::WAKEUP, &[attributes, value]);
        let pending = self.new_list(wake, self.wakeups);
        self.set_wakeups(pending);
        wake.addr() + 2 * WORD
    }

    /// Binds `var` to `value` and completes its prepared wake-up.
    pub(crate) fn finish_wakeup(&mut self, var: Cell, value_at: HeapAddr, value: Cell) {
        raw::set_cell(value_at, value);
        self.assign_with_room(var.addr(), value);
    }

    /// Replaces the list of pending wake-ups. The trail does not record this: failure drops the whole list.
    pub(crate) fn set_wakeups(&mut self, list: Cell) {
        self.wakeups = list;
        self.wake_pending = list != Cell::atom(atoms::NIL);
        if self.wake_pending {
            self.watch.look_at_next_call();
        }
    }

    /// Overwrites the cell at `addr`; backtracking restores the old value.
    ///
    /// # Errors
    /// Returns an error and changes nothing if the trail is full.
    #[inline]
    pub(crate) fn assign(&mut self, addr: HeapAddr, value: Cell) -> Result<(), Stop> {
        self.trail_room()?;
        self.assign_with_room(addr, value);
        Ok(())
    }

    /// Overwrites the cell at `addr` as [`Store::assign`] does, but cannot fail. An instruction may do this a few
    /// times: some words of the trail are always free for it.
    #[inline]
    pub(crate) fn assign_few(&mut self, addr: HeapAddr, value: Cell) {
        if self.trail_room().is_err() {
            self.trail_is_short();
        }
        self.assign_with_room(addr, value);
    }

    /// Makes the next call find room on the trail, or raise the error.
    #[cold]
    fn trail_is_short(&mut self) {
        let top = self.trail_top + 3 * WORD;
        assert!(top <= self.mapped.trail(), "too much on the trail");
        self.trail_short = true;
        self.watch.look_at_next_call();
    }

    /// Makes room on the trail before a call, if there was too little.
    ///
    /// # Errors
    /// Returns an error if the trail is full.
    pub(crate) fn trail_room_at_call(&mut self) -> Result<(), Stop> {
        match std::mem::take(&mut self.trail_short) {
            true => self.trail_room(),
            false => Ok(()),
        }
    }

    /// Overwrites the cell at `addr` as [`Store::assign`] does. The trail must have room.
    fn assign_with_room(&mut self, addr: HeapAddr, value: Cell) {
        // Backtracking removes a heap cell that is newer than the choice point, but not words of other areas.
        if addr < self.heap_backtrack || addr >= self.heap.end {
            // The first and the last word mark this as an entry of three words. So the trail can be read forwards
            // and backwards.
            self.trail_words([addr.bits() | 1, raw::word(addr), addr.bits() | 1]);
        }
        raw::set_cell(addr, value);
    }

    /// Makes room for an entry of three words on the trail.
    ///
    /// # Errors
    /// Returns an error if the trail is full.
    #[inline(always)]
    pub(super) fn trail_room(&mut self) -> Result<(), Stop> {
        let top = self.trail_top + 3 * WORD;
        if top > self.trail.end && !self.grow_trail(top) {
            return Err(Stop);
        }
        Ok(())
    }

    /// Puts an entry of three words on the trail, which must have room for it.
    #[inline(always)]
    pub(super) fn trail_words(&mut self, words: [u64; 3]) {
        raw::write_words(self.trail_top, &words);
        self.trail_top += 3 * WORD;
    }

    /// Undoes all bindings made since the trail top was `to`.
    #[inline(always)]
    pub(crate) fn undo_to(&mut self, to: TrailAddr) {
        let mut top = self.trail_top;
        let bytes = top.saturating_sub(to);
        if bytes >= MANY_UNDONE {
            self.watch
                .did_at_once((bytes / WORD * STEPS_A_BINDING) as usize);
        }
        while top > to {
            top -= WORD;
            let entry = raw::word(top);
            if entry & 1 == 0 {
                raw::set_word(Cell(entry).referred(), entry);
                continue;
            }
            top -= 2 * WORD;
            let kept = raw::word(top + WORD);
            if entry & links::TAKEN_OUT != 0 {
                links::put_back(Cell(entry).addr(), Cell(kept));
            } else {
                raw::set_word(Cell(entry).addr(), kept);
            }
        }
        self.trail_top = to;
    }

    /// Undoes the newest entry of the trail. Returns false if the entry needs more than restoring a word.
    #[inline(always)]
    pub(crate) fn undo_last(&mut self) -> bool {
        let entry = raw::word(self.trail_top - WORD);
        if entry & 1 == 0 {
            self.trail_top -= WORD;
            raw::set_word(Cell(entry).referred(), entry);
        } else if entry & links::TAKEN_OUT != 0 {
            return false;
        } else {
            self.trail_top -= 3 * WORD;
            raw::set_word(Cell(entry).addr(), raw::word(self.trail_top + WORD));
        }
        true
    }
}

/// Bytes of the trail that count as work when they are undone at once. Clauses that wait for a goal bind variables
/// again and again without a call.
const MANY_UNDONE: u64 = 64 * WORD;
/// Steps that each entry counts for then.
const STEPS_A_BINDING: u64 = 16;

/// Mask of the address in an entry of the trail.
pub(crate) const ADDRESS: u64 = !7;

/// Follows references to the value or the unbound variable behind `cell`. Also follows a cell that names an
/// attributed variable: such a cell may have been copied, and its variable may have been bound since.
#[inline(always)]
pub(crate) fn deref(mut cell: Cell) -> Cell {
    while cell.is_var() {
        let next = raw::cell(cell.addr());
        if next == cell {
            break;
        }
        cell = next;
    }
    cell
}

/// The result of following a cell.
pub(crate) enum Sought {
    /// A cell of the wanted tag.
    Wanted(Cell),
    /// An unbound variable.
    Variable(Cell),
    /// An unbound attributed variable.
    Attributed,
    /// A cell with this other tag.
    Other(u64),
}

/// Dereferences `cell` as [`deref`] does, but tests each cell for the wanted tag first. The tests follow one
/// another, an order that compilers do not choose for a `match`.
#[inline(always)]
pub(crate) fn seek<const WANTED: u64>(mut cell: Cell) -> Sought {
    loop {
        let tag = raw::alone(cell.tag());
        if tag == WANTED {
            return Sought::Wanted(cell);
        }
        let tag = raw::alone(tag);
        if tag == tag::REF {
            let next = raw::cell(cell.referred());
            if next == cell {
                return Sought::Variable(cell);
            }
            cell = next;
            continue;
        }
        let tag = raw::alone(tag);
        if tag != tag::ATT {
            return Sought::Other(tag);
        }
        let next = raw::cell(cell.addr());
        if next == cell {
            return Sought::Attributed;
        }
        cell = next;
    }
}
