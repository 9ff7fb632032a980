//! Conversion of a term to a body (ISO 13211-1, 7.6.2), as far as the term itself determines it. A term that is no
//! goal is refused. A variable becomes `call(Variable)`, so a cut that it is bound to later is local to it.
#![forbid(unsafe_code)]

use super::cell::{Cell, WORD};
use super::heap::{Store, View, deref};
use super::raw;
use super::walk::{Sampled, Visited};
use crate::base::atom_table::{Functor, functors};
use crate::base::growth::Grow;
use crate::base::stop::Stop;

/// Number of parts after which a body is examined for cycles.
pub(crate) const CYCLE_CHECK: usize = 1 << 20;

/// Words of a control construct with two arguments; `call(Variable)` has fewer.
const CONSTRUCT_WORDS: usize = 3;
/// Number of parts of a new body for which room is made at a time.
const PARTS_AT_A_TIME: usize = 64;

/// The result of looking up a part of a term during a walk.
pub(crate) enum Visit {
    /// As far as known, the walk reaches this part for the first time.
    New,
    /// The walk has already reached this part.
    Again,
    /// The term is infinite.
    Endless,
}

/// The parts of a term that a walk reaches, where the walk need not enter the same part twice. Ordinary terms cost a
/// counter only. After many parts the term may be cyclic, or share its parts many times. From then on the walk
/// records its parts, and checks whether it must stop.
#[derive(Default)]
pub(crate) struct Parts {
    met: usize,
    visited: Option<Box<Visited>>,
}

impl Parts {
    /// Counts `part` of the term `whole`. The number `circumstances` distinguishes visits that must not be merged.
    ///
    /// # Errors
    /// Returns an error if the walk must stop or there is no room.
    #[inline]
    pub(crate) fn again(
        &mut self,
        store: &Store,
        whole: Cell,
        part: Cell,
        circumstances: u64,
    ) -> Result<Visit, Stop> {
        self.met += 1;
        if self.met < CYCLE_CHECK {
            return Ok(Visit::New);
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
    ) -> Result<Visit, Stop> {
        if self.met == CYCLE_CHECK && !store.acyclic_term(whole)? {
            return Ok(Visit::Endless);
        }
        let visited = self.visited.get_or_insert_with(|| Box::new(Visited::new()));
        let again = visited.again(deref(part).0, circumstances, 2, &store.events.watch)?;
        Ok(if again { Visit::Again } else { Visit::New })
    }
}

/// The kinds of parts that a body has.
#[derive(Copy, Clone, Debug, PartialEq, Eq)]
pub(crate) enum BodyParts {
    /// All parts are goals already.
    Goals,
    /// Some parts are variables, or have a variable as their module.
    Variables,
    /// Some parts are variables that a walk has marked, or have such a variable as their module.
    Marked,
    /// A part is a number or a string.
    NotCallable,
    /// The body is infinite.
    Cyclic,
}

impl BodyParts {
    /// Notes one more part that is a variable, or whose module `cell` is no atom.
    fn add_variable(&mut self, cell: Cell) {
        if deref(cell).is_forward() {
            *self = Self::Marked;
        } else if *self == Self::Goals {
            *self = Self::Variables;
        }
    }
}

/// Returns whether this is a control construct whose arguments are parts of the body.
pub(crate) fn is_construct(functor: Functor) -> bool {
    matches!(
        functor,
        functors::COMMA | functors::SEMICOLON | functors::ARROW | functors::SOFT_ARROW
    )
}

impl Store {
    /// Returns the kinds of parts of `body`.
    pub(crate) fn body_parts(&self, body: Cell) -> Result<BodyParts, Stop> {
        let mut todo = vec![body];
        let (mut parts, mut found) = (Parts::default(), BodyParts::Goals);
        while let Some(part) = todo.pop() {
            match self.view(part) {
                View::Var(variable) => found.add_variable(variable),
                View::Atom(_) | View::List(_) => {}
                View::Struct(functor, args) if is_construct(functor) => {
                    match parts.again(self, body, part, 0)? {
                        Visit::New => {}
                        Visit::Again => continue,
                        Visit::Endless => return Ok(BodyParts::Cyclic),
                    }
                    todo.put(self.arg(args, 1))?;
                    todo.put(self.arg(args, 0))?;
                }
                View::Struct(functors::COLON, args) => {
                    if let Visit::Endless = parts.again(self, body, part, 0)? {
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

    /// Returns `body`, which must not be cyclic, with every part that is a variable replaced by `call(Variable)`.
    /// Where parts are shared many times, most parts of the result are shared too.
    ///
    /// # Errors
    /// Returns an error if there is no room for the new body.
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
