//! Conversion of a term to a body (ISO 13211-1, 7.6.2), as far as the term itself shows it: what is
//! no goal is refused, and a variable stands for `call(Variable)` from then on, so that a cut it is
//! bound to later is its own.

use super::cell::{Cell, WORD};
use super::heap::{OutOfMemory, Store, View};
use super::raw;
use crate::base::grow::Grow;
use crate::base::symbol::{Functor, functors};

/// After that many parts a body is examined for being cyclic.
pub(crate) const CYCLE_CHECK: usize = 1 << 20;

/// Words of a control construct with two arguments, and of `call(Variable)`.
const CONSTRUCT_WORDS: usize = 3;
const CALL_WORDS: usize = 2;

/// What the parts of a body are.
#[derive(Copy, Clone, Debug, PartialEq, Eq)]
pub(crate) enum BodyParts {
    /// All are goals as they stand.
    Goals,
    /// Some are variables, or their module is; the body without them and its control constructs is that many words.
    Variables(usize),
    /// A part is a number or a string.
    NotCallable,
    /// There is no end to them.
    Cyclic,
}

/// Is this a control construct whose arguments are parts of the body?
fn is_construct(functor: Functor) -> bool {
    matches!(
        functor,
        functors::COMMA | functors::SEMICOLON | functors::ARROW | functors::SOFT_ARROW
    )
}

impl Store {
    /// What the parts of `body` are. Variables that a walk has marked count as variables.
    pub(crate) fn body_parts(&self, body: Cell) -> BodyParts {
        let mut todo = vec![body];
        let (mut parts, mut words, mut variables) = (0usize, 0, false);
        while let Some(part) = todo.pop() {
            parts += 1;
            if parts == CYCLE_CHECK && !self.acyclic_term(body) {
                return BodyParts::Cyclic;
            }
            match self.view(part) {
                View::Var(_) => {
                    words += CALL_WORDS;
                    variables = true;
                }
                View::Atom(_) | View::List(_) => {}
                View::Struct(functor, args) if is_construct(functor) => {
                    words += CONSTRUCT_WORDS;
                    todo.put(self.arg(args, 1));
                    todo.put(self.arg(args, 0));
                }
                View::Struct(functors::COLON, args) => {
                    words += CONSTRUCT_WORDS;
                    if self.is_module(self.arg(args, 0)) {
                        todo.put(self.arg(args, 1));
                    } else {
                        variables = true;
                    }
                }
                View::Struct(..) => {}
                View::Int(_) | View::Float(_) | View::Big(_) | View::String(_) => {
                    return BodyParts::NotCallable;
                }
            }
        }
        if variables {
            BodyParts::Variables(words)
        } else {
            BodyParts::Goals
        }
    }

    /// `body` with every part that is a variable replaced by `call(Variable)`; `words` as
    /// [`body_parts`](Store::body_parts) found them.
    ///
    /// # Errors
    /// There is no room for the new body.
    pub(crate) fn wrap_variables(&mut self, body: Cell, words: usize) -> Result<Cell, OutOfMemory> {
        self.reserve(words + 1)?;
        let root = self.allocate(1);
        let mut todo = vec![(body, root)];
        while let Some((part, place)) = todo.pop() {
            let copy = match self.view(part) {
                View::Var(variable) => self.new_struct(functors::CALL1, &[variable]),
                View::Struct(functors::COLON, args) if !self.is_module(self.arg(args, 0)) => {
                    self.new_struct(functors::CALL1, &[part])
                }
                View::Struct(functor, args)
                    if is_construct(functor) || functor == functors::COLON =>
                {
                    let (left, right) = (self.arg(args, 0), self.arg(args, 1));
                    let copy = self.new_struct(functor, &[left, right]);
                    todo.put((right, copy.addr() + 2 * WORD));
                    if functor != functors::COLON {
                        todo.put((left, copy.addr() + WORD));
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
