//! Terms that belong to the host. They outlive backtracking, queries and the engine itself.
//!
//! A compound is shared by reference counting, so a copy of a term is cheap. Comparing and dropping a term use an
//! explicit stack, so deep terms need no Rust stack.

use dashu_int::IBig;
use std::collections::HashSet;
use std::fmt;
use std::str::FromStr;
use std::sync::Arc;

/// A Prolog term.
///
/// ```
/// use wamlet::Term;
///
/// let term = Term::compound("point", vec![Term::from(1), Term::from(-2.5)]);
/// assert_eq!(term.to_string(), "point(1,-2.5)");
/// let list: Term = [1, 2, 3].into_iter().collect();
/// assert_eq!(list.to_string(), "[1,2,3]");
/// assert_eq!(Term::atom("hello world").to_string(), "'hello world'");
/// ```
#[derive(Clone, PartialEq)]
pub enum Term {
    /// A variable. Within a query, an answer or a call, variables with the same name are the same variable.
    Var(Arc<str>),
    /// An atom. `[]` is the atom of that name.
    Atom(Arc<str>),
    /// A 64-bit integer.
    Integer(i64),
    /// An integer beyond 64 bits.
    BigInteger(BigInteger),
    /// A float.
    Float(f64),
    /// A string.
    String(Arc<str>),
    /// A compound term. A list has the name `.` and two arguments.
    Compound(Compound),
}

impl Term {
    /// Returns the variable with this name.
    pub fn var(name: impl Into<Arc<str>>) -> Term {
        Term::Var(name.into())
    }

    /// Returns the atom with this name.
    pub fn atom(name: impl Into<Arc<str>>) -> Term {
        Term::Atom(name.into())
    }

    /// Returns the string with this text.
    pub fn string(text: impl Into<Arc<str>>) -> Term {
        Term::String(text.into())
    }

    /// Returns the compound with this name and these arguments. Without arguments, returns the atom with this
    /// name.
    pub fn compound(name: impl Into<Arc<str>>, args: Vec<Term>) -> Term {
        if args.is_empty() {
            return Term::Atom(name.into());
        }
        Term::Compound(Compound::new(name.into(), args))
    }

    /// Returns the compound with this name and no arguments, `name()`. It differs from the atom with this name.
    ///
    /// ```
    /// use wamlet::Term;
    ///
    /// let term = Term::compound_without_arguments("now");
    /// assert_eq!(term.to_string(), "now()");
    /// assert_ne!(term, Term::atom("now"));
    /// ```
    pub fn compound_without_arguments(name: impl Into<Arc<str>>) -> Term {
        Term::Compound(Compound::new(name.into(), Vec::new()))
    }

    /// Returns the list of these elements.
    pub fn list(items: Vec<Term>) -> Term {
        Term::list_with_tail(items, Term::atom("[]"))
    }

    /// Returns the list of these elements that ends in `tail`.
    pub fn list_with_tail(items: Vec<Term>, tail: Term) -> Term {
        items.into_iter().rev().fold(tail, |tail, head| {
            Term::Compound(Compound::cons(head, tail))
        })
    }

    /// Returns the name of an atom, or `None` for other terms.
    pub fn as_atom(&self) -> Option<&str> {
        match self {
            Term::Atom(name) => Some(name),
            _ => None,
        }
    }

    /// Returns the value of an integer that fits into 64 bits, or `None` for other terms.
    pub fn as_integer(&self) -> Option<i64> {
        match self {
            Term::Integer(value) => Some(*value),
            _ => None,
        }
    }

    /// Returns the value of a float, or `None` for other terms.
    pub fn as_float(&self) -> Option<f64> {
        match self {
            Term::Float(value) => Some(*value),
            _ => None,
        }
    }

    /// Returns the text of an atom or a string, or `None` for other terms.
    pub fn as_text(&self) -> Option<&str> {
        match self {
            Term::Atom(text) | Term::String(text) => Some(text),
            _ => None,
        }
    }

    /// Returns the compound, or `None` for other terms.
    pub fn as_compound(&self) -> Option<&Compound> {
        match self {
            Term::Compound(compound) => Some(compound),
            _ => None,
        }
    }

    /// Returns whether the term is a variable.
    pub fn is_var(&self) -> bool {
        matches!(self, Term::Var(_))
    }

    /// Returns the elements of a proper list, or `None` for other terms.
    #[expect(
        clippy::disallowed_methods,
        reason = "the public interface fixes a signature without errors"
    )]
    pub fn as_list(&self) -> Option<Vec<&Term>> {
        let mut items = Vec::new();
        let mut rest = self;
        loop {
            match rest {
                Term::Atom(name) if &**name == "[]" => return Some(items),
                Term::Compound(compound) => {
                    let (head, tail) = compound.as_cons()?;
                    items.push(head);
                    rest = tail;
                }
                _ => return None,
            }
        }
    }
}

impl Default for Term {
    /// Returns the empty list.
    fn default() -> Term {
        Term::atom("[]")
    }
}

/// A compound term: a name and its arguments.
#[derive(Clone)]
pub struct Compound(Arc<Node>);

/// The name of lists.
const DOT: &str = ".";

struct Node {
    /// `None` for a list, so that no reference count changes when lists are made and freed.
    name: Option<Arc<str>>,
    args: Args,
}

/// Number of compounds above which abandoned work frees its terms on another thread, so that its caller need not
/// wait.
pub(super) const FREED_APART: usize = 1 << 16;

/// Returns `large` with the result of the next piece of work. If that work failed, frees `large` on another
/// thread.
pub(super) fn freeing_apart<L: Send + 'static, T, E>(
    large: L,
    next: Result<T, E>,
) -> Result<(L, T), E> {
    match next {
        Ok(next) => Ok((large, next)),
        Err(ended) => {
            free_apart(large);
            Err(ended)
        }
    }
}

/// Frees a large value on another thread. If no thread can start, frees it here.
pub(super) fn free_apart<T: Send + 'static>(large: T) {
    let builder = std::thread::Builder::new().name("wamlet-free".to_owned());
    // If the thread cannot start, its closure is dropped here, and `large` with it.
    let _ = builder.spawn(move || drop(large));
}

/// Arguments. Two arguments, as in lists, are inside the node, so a list cell is a single allocation.
enum Args {
    Two([Term; 2]),
    Many(Vec<Term>),
}

impl Args {
    fn as_slice(&self) -> &[Term] {
        match self {
            Args::Two(args) => args,
            Args::Many(args) => args,
        }
    }
}

impl Compound {
    pub(super) fn new(name: Arc<str>, args: Vec<Term>) -> Compound {
        let args = match <[Term; 2]>::try_from(args) {
            Ok(two) => Args::Two(two),
            Err(many) => Args::Many(many),
        };
        let is_list = matches!(args, Args::Two(_)) && *name == *DOT;
        let name = (!is_list).then_some(name);
        Compound(Arc::new(Node { name, args }))
    }

    /// Returns a list cell.
    pub(super) fn cons(head: Term, tail: Term) -> Compound {
        let args = Args::Two([head, tail]);
        Compound(Arc::new(Node { name: None, args }))
    }

    /// Returns the name of the compound.
    pub fn name(&self) -> &str {
        self.0.name.as_deref().unwrap_or(DOT)
    }

    /// Returns the arguments of the compound.
    pub fn args(&self) -> &[Term] {
        self.0.args.as_slice()
    }

    /// Returns the number of arguments.
    pub fn arity(&self) -> usize {
        self.args().len()
    }

    /// Returns head and tail if the compound is a list.
    pub fn as_cons(&self) -> Option<(&Term, &Term)> {
        match (&self.0.name, self.args()) {
            (None, [head, tail]) => Some((head, tail)),
            _ => None,
        }
    }

    /// Returns whether other terms share the compound.
    pub(crate) fn is_shared(&self) -> bool {
        Arc::strong_count(&self.0) > 1
    }

    /// Returns a number that distinguishes the compound from all others while it exists.
    pub(crate) fn identity(&self) -> usize {
        Arc::as_ptr(&self.0).addr()
    }
}

impl Drop for Node {
    fn drop(&mut self) {
        let mut doomed: Vec<Compound> = Vec::new();
        let mut next = self.take_compounds(&mut doomed);
        while let Some(compound) = next.or_else(|| doomed.pop()) {
            let node = Arc::into_inner(compound.0);
            next = node.and_then(|mut node| node.take_compounds(&mut doomed));
        }
    }
}

impl Node {
    /// Takes out the arguments that are compounds. Returns the last of two arguments and adds the others to
    /// `doomed`.
    #[expect(clippy::disallowed_methods, reason = "dropping cannot fail")]
    fn take_compounds(&mut self, doomed: &mut Vec<Compound>) -> Option<Compound> {
        let take = |arg: &mut Term| match arg {
            Term::Compound(_) => match std::mem::replace(arg, Term::Integer(0)) {
                Term::Compound(compound) => Some(compound),
                _ => None,
            },
            _ => None,
        };
        match &mut self.args {
            Args::Two([first, second]) => {
                doomed.extend(take(first));
                take(second)
            }
            Args::Many(args) => {
                doomed.extend(args.iter_mut().filter_map(take));
                None
            }
        }
    }
}

/// Number of comparisons before the results are stored. Terms that share many subterms are then compared only
/// once.
const FREE_COMPARISONS: usize = 1 << 12;

impl PartialEq for Compound {
    #[expect(clippy::disallowed_methods, reason = "comparing cannot fail")]
    fn eq(&self, other: &Compound) -> bool {
        let mut pending = vec![(self, other)];
        let mut made = 0;
        let mut known = HashSet::new();
        while let Some((left, right)) = pending.pop() {
            if Arc::ptr_eq(&left.0, &right.0) {
                continue;
            }
            if left.name() != right.name() || left.arity() != right.arity() {
                return false;
            }
            made += 1;
            if made > FREE_COMPARISONS
                && left.is_shared()
                && right.is_shared()
                && !known.insert((left.identity(), right.identity()))
            {
                continue;
            }
            for (left, right) in left.args().iter().zip(right.args()) {
                match (left, right) {
                    (Term::Compound(left), Term::Compound(right)) => pending.push((left, right)),
                    // None of the other variants holds a term, so this does not recurse.
                    _ if left == right => {}
                    _ => return false,
                }
            }
        }
        true
    }
}

/// An integer of any size.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct BigInteger(Arc<IBig>);

impl BigInteger {
    pub(super) fn new(value: IBig) -> BigInteger {
        BigInteger(Arc::new(value))
    }

    pub(super) fn value(&self) -> &IBig {
        &self.0
    }
}

impl fmt::Display for BigInteger {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.0.fmt(f)
    }
}

impl fmt::Debug for BigInteger {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        fmt::Display::fmt(self, f)
    }
}

/// An error: the text is not an integer.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ParseIntegerError(());

impl fmt::Display for ParseIntegerError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("not a decimal integer")
    }
}

impl std::error::Error for ParseIntegerError {}

impl FromStr for BigInteger {
    type Err = ParseIntegerError;

    fn from_str(text: &str) -> Result<BigInteger, ParseIntegerError> {
        let value = text.parse().map_err(|_| ParseIntegerError(()))?;
        Ok(BigInteger::new(value))
    }
}
