//! Conversion of terms on the heap to terms of the host.
//!
//! A subterm that occurs several times in a large term is converted once. A cyclic term is cut: where the
//! term repeats a subterm above, a variable replaces this subterm, which is the value of the variable.
//!
//! Converted terms count against the engine's limit of memory. If memory runs out, or if the query must
//! stop, the conversion ends with [`Stop`].

use super::conversions::integer;
use super::term::{Compound, FREED_APART, Term, free_apart};
use crate::base::atom_table::{Atom, FastMap, Functor, Symbols, functors};
use crate::base::growth::{Gather, Grow};
use crate::base::split_map::SplitMap;
use crate::base::stop::Stop;
use crate::store::address::HeapAddr;
use crate::store::cell::{Cell, WORD};
use crate::store::heap::{Store, View};
use crate::text::write_cycles::{CycleLabels, cycle_labels};
use std::fmt::Write;
use std::sync::Arc;

/// Number of compounds that are converted before the converter stores its results. Afterwards, a term with
/// many shared subterms takes no longer than its size on the heap requires.
const FREE_COMPOUNDS: usize = 1 << 20;

/// The converter stores the result of one in this number of cells of a list.
const KNOWN_EVERY: usize = 16;
/// A compound with at most this number of arguments, none of them a compound, is never stored.
const FEW_ARGUMENTS: usize = 4;
/// Number of variables whose occurrences share the text of a name. Each occurrence of a further variable
/// has its own text.
const SHARED_NAMES: usize = 1 << 12;

/// Minimum number of bytes that a term may take, however little memory is left. An error that reports the
/// end of memory fits into it.
const SMALL: u64 = 1 << 20;
/// Bytes that a compound takes besides its arguments, during and after conversion.
const COMPOUND_BYTES: usize = 128;
/// Bytes that the name of a variable takes, with its entry in the table.
const NAME_BYTES: usize = 96;

/// A converter for the terms of one answer or call. Equal names denote the same variable.
pub(super) struct Converter<'a> {
    store: &'a Store,
    symbols: &'a Symbols,
    /// Names of variables. Other variables get the name `_` with a number.
    names: SplitMap<Arc<str>>,
    named: usize,
    atoms: FastMap<Atom, Arc<str>>,
    /// A buffer for a name.
    name: String,
    /// Subterms that are replaced by names where they occur below themselves.
    labels: Option<CycleLabels>,
    label_names: FastMap<Cell, Arc<str>>,
    /// Results for compounds, by their cells.
    converted: SplitMap<Term>,
    /// Converted arguments of unfinished compounds.
    values: Vec<Term>,
    /// The list that is being built, from its end.
    list: Term,
    compounds: usize,
    /// Bytes that the conversion may still take.
    room: u64,
    /// Whether the conversion ends when the query must stop.
    stops: bool,
}

/// An unfinished compound, or a list up to a cell whose result is stored. The last values of the converter
/// are the arguments done so far, or the elements of the list.
struct Frame {
    /// The cell of the compound. Of a list, one in [`KNOWN_EVERY`] cells.
    cells: Vec<u64>,
    functor: Functor,
    /// The next argument, and the number of arguments left. For a list, those of its last cell.
    next: HeapAddr,
    left: usize,
    /// Number of cells of the list.
    count: usize,
}

impl<'a> Converter<'a> {
    /// Returns a converter that gives variables these names.
    pub(super) fn new<'n>(
        store: &'a Store,
        symbols: &'a Symbols,
        names: impl IntoIterator<Item = &'n (Cell, String)>,
    ) -> Result<Converter<'a>, Stop> {
        let mut converter = Converter {
            store,
            symbols,
            names: SplitMap::default(),
            named: 0,
            atoms: FastMap::default(),
            name: String::new(),
            labels: None,
            label_names: FastMap::default(),
            converted: SplitMap::default(),
            values: Vec::new(),
            list: Term::default(),
            compounds: 0,
            room: store.room_left().max(SMALL),
            stops: true,
        };
        for (nth, (var, name)) in names.into_iter().enumerate() {
            store.events.watch.go_on_counted(nth)?;
            let var = store.deref(*var).word();
            if !converter.names.holds(var) {
                converter.names.insert(var, name.as_str().into())?;
                converter.named += 1;
            }
        }
        Ok(converter)
    }

    /// Names cyclic subterms. Those among `named` get their names from there, all others `_S1` and so on.
    /// `all` holds all terms to convert.
    pub(super) fn cut_cycles(&mut self, all: Cell, named: &[(Cell, &str)]) -> Result<(), Stop> {
        self.labels = cycle_labels(self.store, all)?;
        for &(value, name) in named {
            self.label_names
                .entry(self.store.deref(value))
                .or_insert_with(|| name.into());
        }
        Ok(())
    }

    /// Treats these terms as cyclic ones, too.
    pub(super) fn cut_also(&mut self, terms: &[Cell]) {
        for term in terms {
            let labels = self.labels.get_or_insert_default();
            let next = labels.len();
            labels.entry(*term).or_insert(next);
        }
    }

    /// Returns the cyclic subterms without names of their own: for each, its variable and its value.
    pub(super) fn cycles(&mut self) -> Result<Vec<(Arc<str>, Term)>, Stop> {
        let mut unnamed: Vec<(usize, Cell)> = match &self.labels {
            None => return Ok(Vec::new()),
            Some(labels) => labels
                .iter()
                .filter(|(cell, _)| !self.label_names.contains_key(cell))
                .map(|(&cell, &number)| (number, cell))
                .gather()?,
        };
        unnamed.sort_unstable_by_key(|&(number, _)| number);
        let rows = unnamed
            .into_iter()
            .map(|(_, cell)| Ok((self.label_name(cell), self.convert_open(cell)?)));
        rows.try_gather()
    }

    fn label_name(&mut self, cell: Cell) -> Arc<str> {
        if let Some(name) = self.label_names.get(&cell) {
            return Arc::clone(name);
        }
        let number = self
            .labels
            .as_ref()
            .and_then(|labels| labels.get(&cell))
            .copied();
        format!("_S{}", number.unwrap_or(0) + 1).into()
    }

    /// Converts a term. A cyclic subterm without its own name is converted to its variable.
    pub(super) fn convert(&mut self, term: Cell) -> Result<Term, Stop> {
        let term = self.store.deref(term);
        if self.is_label(term) && !self.label_names.contains_key(&term) {
            return Ok(Term::Var(self.label_name(term)));
        }
        self.convert_open(term)
    }

    /// Converts several terms. If the work stops early, the finished terms are freed with the rest of the
    /// converter.
    pub(super) fn convert_each<'t>(
        &mut self,
        terms: impl Iterator<Item = &'t Cell>,
    ) -> Result<Vec<Term>, Stop> {
        let first = self.values.len();
        for &term in terms {
            let term = self.convert(term)?;
            self.values.put(term)?;
        }
        Ok(self.values.split_off(first))
    }

    fn is_label(&self, cell: Cell) -> bool {
        self.labels
            .as_ref()
            .is_some_and(|labels| labels.contains_key(&cell))
    }

    /// Converts a term, at least its top level without names for cyclic subterms.
    fn convert_open(&mut self, term: Cell) -> Result<Term, Stop> {
        let mut frames: Vec<Frame> = Vec::new();
        self.start(self.store.deref(term), &mut frames)?;
        while let Some(frame) = frames.last_mut() {
            if frame.left == 0 {
                if let Some(frame) = frames.pop() {
                    self.finish(&frame)?;
                }
                continue;
            }
            let cell = self.store.deref(self.store.at(frame.next));
            frame.next += WORD;
            frame.left -= 1;
            if self.is_label(cell) {
                let name = self.label_name(cell);
                self.values.put(Term::Var(name))?;
            } else if frame.left == 0
                && frame.functor == functors::LIST
                && let View::List(next) = self.store.view(cell)
                && !self.converted.holds(cell.word())
            {
                self.claim_bytes(COMPOUND_BYTES)?;
                if frame.count.is_multiple_of(KNOWN_EVERY) {
                    frame.cells.put(cell.word())?;
                }
                frame.count += 1;
                frame.next = next;
                frame.left = 2;
            } else {
                self.start(cell, &mut frames)?;
            }
        }
        Ok(self.values.pop().unwrap_or_default())
    }

    /// Converts a term without arguments or with a known result. Starts a frame for any other compound.
    fn start(&mut self, cell: Cell, frames: &mut Vec<Frame>) -> Result<(), Stop> {
        let (functor, next) = match self.store.view(cell) {
            View::List(addr) => (functors::LIST, addr),
            View::Struct(functor, addr) => (functor, addr),
            other => {
                let term = self.plain(other)?;
                return self.values.put(term);
            }
        };
        if let Some(known) = self.converted.get(cell.word()) {
            return self.values.put(known.clone());
        }
        self.claim_bytes(COMPOUND_BYTES + functor.arity() * size_of::<Term>())?;
        let mut cells = Vec::new();
        cells.put(cell.word())?;
        frames.put(Frame {
            cells,
            functor,
            next,
            left: functor.arity(),
            count: 1,
        })?;
        Ok(())
    }

    /// Converts a term without arguments.
    fn plain(&mut self, view: View) -> Result<Term, Stop> {
        match view {
            View::Var(var) => Ok(Term::Var(self.variable(var)?)),
            View::Atom(atom) => Ok(Term::Atom(self.atom(atom))),
            View::Int(value) => Ok(Term::Integer(value)),
            View::Big(addr) => Ok(integer(self.store.big(addr)?)),
            View::Float(value) => Ok(Term::Float(value)),
            View::String(addr) => {
                let text = self.store.text(addr);
                self.claim_bytes(text.len())?;
                Ok(Term::String(text.into()))
            }
            View::List(_) | View::Struct(..) => unreachable!("a compound has a frame"),
        }
    }

    /// Lets the conversion continue when the query must stop, because its caller needs the term.
    pub(super) fn uninterrupted(mut self) -> Self {
        self.stops = false;
        self
    }

    /// Takes `bytes` from the memory left. Fails if there is not enough memory or if the work must stop.
    fn claim_bytes(&mut self, bytes: usize) -> Result<(), Stop> {
        if self.stops && self.store.events.stop_wanted() {
            return Err(Stop);
        }
        self.room = self.room.checked_sub(bytes as u64).ok_or(Stop)?;
        Ok(())
    }

    /// Replaces the arguments of the compound, which are the last values, by the compound.
    fn finish(&mut self, frame: &Frame) -> Result<(), Stop> {
        self.claim_bytes(0)?;
        if frame.functor != functors::LIST {
            let name = self.atom(self.symbols.name(frame.functor));
            let first = self.values.len().saturating_sub(frame.functor.arity());
            let args = self.values.drain(first..);
            let args: Vec<Term> = args.gather()?;
            // Converting a few plain arguments again takes no longer than finding a stored result.
            let plain = args.len() <= FEW_ARGUMENTS
                && !args.iter().any(|arg| matches!(arg, Term::Compound(_)));
            let term = Term::Compound(Compound::new(name, args));
            if plain {
                self.compounds += 1;
            } else {
                self.store_result(frame.cells[0], &term)?;
            }
            return self.values.put(term);
        }
        self.list = self.values.pop().unwrap_or_default();
        for index in (0..frame.count).rev() {
            self.claim_bytes(0)?;
            let head = self.values.pop().unwrap_or_default();
            let tail = std::mem::take(&mut self.list);
            let list = Term::Compound(Compound::cons(head, tail));
            if index.is_multiple_of(KNOWN_EVERY) {
                self.store_result(frame.cells[index / KNOWN_EVERY], &list)?;
            } else {
                self.compounds += 1;
            }
            self.list = list;
        }
        let list = std::mem::take(&mut self.list);
        self.values.put(list)?;
        Ok(())
    }

    /// Stores the result for a compound.
    fn store_result(&mut self, cell: u64, term: &Term) -> Result<(), Stop> {
        self.compounds += 1;
        if self.compounds > FREE_COMPOUNDS {
            self.converted.insert(cell, term.clone())?;
        }
        Ok(())
    }

    fn variable(&mut self, var: Cell) -> Result<Arc<str>, Stop> {
        let index = var.addr().saturating_sub(self.store.heap.base) / WORD;
        if let Some(name) = self.names.get(var.word()) {
            return Ok(Arc::clone(name));
        }
        self.claim_bytes(NAME_BYTES)?;
        self.name.clear();
        // Writing to a string cannot fail.
        let _ = write!(self.name, "_{index}");
        let name: Arc<str> = self.name.as_str().into();
        if self.named < SHARED_NAMES {
            self.named += 1;
            self.names.insert(var.word(), Arc::clone(&name))?;
        }
        Ok(name)
    }

    fn atom(&mut self, atom: Atom) -> Arc<str> {
        let text = self
            .atoms
            .entry(atom)
            .or_insert_with(|| self.symbols.text(atom).into());
        Arc::clone(text)
    }
}

/// Frees many unfinished terms on another thread, and tables of stored results in any case.
impl Drop for Converter<'_> {
    fn drop(&mut self) {
        if self.compounds > FREE_COMPOUNDS {
            free_apart(std::mem::take(&mut self.converted));
        }
        if self.named > FREED_APART {
            free_apart(std::mem::take(&mut self.names));
        }
        let given_up = !self.values.is_empty() || matches!(self.list, Term::Compound(_));
        if given_up && self.compounds + self.values.len() > FREED_APART {
            let (values, list) = (
                std::mem::take(&mut self.values),
                std::mem::take(&mut self.list),
            );
            free_apart((values, list));
        }
    }
}
