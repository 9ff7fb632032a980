//! Conversion of a term to a body (ISO 13211-1, 7.6.2), as far as the term itself shows it: what is
//! no goal is refused, and a variable stands for `call(Variable)` from then on, so that a cut it is
//! bound to later is its own.
#![forbid(unsafe_code)]

use super::cell::{Cell, WORD};
use super::heap::{Store, View, deref};
use super::raw;
use super::walk::{Sampled, Visited};
use crate::base::atom_table::{Functor, functors};
use crate::base::growth::Grow;
use crate::base::stop::Stop;

/// After that many parts a body is examined for being cyclic.
pub(crate) const CYCLE_CHECK: usize = 1 << 20;

/// Words of a control construct with two arguments; `call(Variable)` has fewer.
const CONSTRUCT_WORDS: usize = 3;
/// Parts of a new body that room is made for at a time.
const PARTS_AT_A_TIME: usize = 64;

/// What is known of a part of a term that is walked through.
pub(crate) enum Met {
    /// The walk comes there for the first time, for all it knows.
    New,
    /// It was there before.
    Again,
    /// The term has no end.
    Endless,
}

/// The parts of a term that a walk comes to, which has no need to enter the same part twice. Ordinary
/// terms pay for a counter. After many parts the term may be cyclic, or share its parts many times over:
/// then the walk learns which it has been at, and looks whether it is to be stopped.
#[derive(Default)]
pub(crate) struct Parts {
    met: usize,
    visited: Option<Box<Visited>>,
}

impl Parts {
    /// Counts `part` of the term `whole`, met in circumstances that have this number.
    ///
    /// # Errors
    /// The walk is to be stopped, or there is no room.
    #[inline]
    pub(crate) fn again(
        &mut self,
        store: &Store,
        whole: Cell,
        part: Cell,
        circumstances: u64,
    ) -> Result<Met, Stop> {
        self.met += 1;
        if self.met < CYCLE_CHECK {
            return Ok(Met::New);
        }
        self.is_known(store, whole, part, circumstances)
    }

    #[cold]
    #[inline(never)]
    fn is_known(
        &mut self,
        store: &Store,
        whole: Cell,
        part: Cell,
        circumstances: u64,
    ) -> Result<Met, Stop> {
        if self.met == CYCLE_CHECK && !store.acyclic_term(whole)? {
            return Ok(Met::Endless);
        }
        let visited = self.visited.get_or_insert_with(|| Box::new(Visited::new()));
        let again = visited.again(deref(part).0, circumstances, 2, &store.events.watch)?;
        Ok(if again { Met::Again } else { Met::New })
    }
}

/// What the parts of a body are.
#[derive(Copy, Clone, Debug, PartialEq, Eq)]
pub(crate) enum BodyParts {
    /// All are goals as they stand.
    Goals,
    /// Some are variables, or their module is.
    Variables,
    /// Some are variables that a walk has marked, or their module is.
    Marked,
    /// A part is a number or a string.
    NotCallable,
    /// There is no end to them.
    Cyclic,
}

impl BodyParts {
    /// One more part is a variable, or has `cell` as its module, which is no atom.
    fn add_variable(&mut self, cell: Cell) {
        if deref(cell).is_forward() {
            *self = Self::Marked;
        } else if *self == Self::Goals {
            *self = Self::Variables;
        }
    }
}

/// Is this a control construct whose arguments are parts of the body?
pub(crate) fn is_construct(functor: Functor) -> bool {
    matches!(
        functor,
        functors::COMMA | functors::SEMICOLON | functors::ARROW | functors::SOFT_ARROW
    )
}

impl Store {
    /// What the parts of `body` are.
    pub(crate) fn body_parts(&self, body: Cell) -> Result<BodyParts, Stop> {
        let mut todo = vec![body];
        let (mut parts, mut found) = (Parts::default(), BodyParts::Goals);
        while let Some(part) = todo.pop() {
            match self.view(part) {
                View::Var(variable) => found.add_variable(variable),
                View::Atom(_) | View::List(_) => {}
                View::Struct(functor, args) if is_construct(functor) => {
                    match parts.again(self, body, part, 0)? {
                        Met::New => {}
                        Met::Again => continue,
                        Met::Endless => return Ok(BodyParts::Cyclic),
                    }
                    todo.put(self.arg(args, 1))?;
                    todo.put(self.arg(args, 0))?;
                }
                View::Struct(functors::COLON, args) => {
                    if let Met::Endless = parts.again(self, body, part, 0)? {
                        return Ok(BodyParts::Cyclic);
                    }
                    if self.is_module(self.arg(args, 0)) {
                        todo.put(self.arg(args, 1))?;
                    } else {
                        found.add_variable(self.arg(args, 0));
                    }
                }
                View::Struct(..) => {}
                View::Int(_) | View::Float(_) | View::Big(_) | View::String(_) => {
                    return Ok(BodyParts::NotCallable);
                }
            }
        }
        Ok(found)
    }

    /// `body`, which is no cyclic one, with every part that is a variable replaced by `call(Variable)`.
    /// Where parts are shared many times over, so are most of those of the result.
    ///
    /// # Errors
    /// There is no room for the new body.
    pub(crate) fn wrap_variables(&mut self, body: Cell) -> Result<Cell, Stop> {
        self.reserve(1)?;
        let root = self.allocate(1);
        let mut todo = vec![(body, root)];
        let mut copies = Sampled::default();
        let mut parts = 0usize;
        while let Some((part, place)) = todo.pop() {
            if parts.is_multiple_of(PARTS_AT_A_TIME) {
                self.reserve(PARTS_AT_A_TIME * CONSTRUCT_WORDS)?;
            }
            parts += 1;
            self.events.watch.go_on_at(parts)?;
            let copy = match self.view(part) {
                View::Var(variable) => self.new_struct(functors::CALL1, &[variable]),
                View::Struct(functors::COLON, args) if !self.is_module(self.arg(args, 0)) => {
                    self.new_struct(functors::CALL1, &[part])
                }
                View::Struct(functor, args)
                    if is_construct(functor) || functor == functors::COLON =>
                {
                    let known = parts > CYCLE_CHECK;
                    if known && let Some(copy) = copies.find(part) {
                        raw::set_cell(place, copy);
                        continue;
                    }
                    let (left, right) = (self.arg(args, 0), self.arg(args, 1));
                    let copy = self.new_struct(functor, &[left, right]);
                    todo.put((right, copy.addr() + 2 * WORD))?;
                    if functor != functors::COLON {
                        todo.put((left, copy.addr() + WORD))?;
                    }
                    if known {
                        copies.may_keep(part, copy);
                    }
                    copy
                }
                _ => part,
            };
            raw::set_cell(place, copy);
        }
        Ok(raw::cell(root))
    }

    fn is_module(&self, cell: Cell) -> bool {
        matches!(self.view(cell), View::Atom(_))
    }
}
