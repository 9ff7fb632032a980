//! Variables and unification.

use crate::term::{Term, apply};
use std::rc::Rc;

/// The constants that the value of a variable may contain.
pub(crate) type Scope = Rc<Vec<usize>>;

struct Var {
    value: Option<Term>,
    scope: Scope,
}

/// The bindings of all variables.
#[derive(Default)]
pub(crate) struct Bindings {
    vars: Vec<Var>,
    eigens: usize,
    /// Variables in the order of their bindings.
    trail: Vec<usize>,
    /// Number of visited parts of terms: a small graph may unfold into a huge tree.
    parts: usize,
}

/// Maximum number of visited parts.
const PARTS: usize = 200_000;

impl Bindings {
    /// Returns a new variable whose value may contain the constants in scope.
    pub(crate) fn new_var(&mut self, scope: &Scope) -> Term {
        self.vars.push(Var {
            value: None,
            scope: scope.clone(),
        });
        Term::Var(self.vars.len() - 1)
    }

    /// Returns a new constant, and the scope with it.
    pub(crate) fn new_eigen(&mut self, scope: &Scope) -> (Term, Scope) {
        self.eigens += 1;
        let mut inner = (**scope).clone();
        inner.push(self.eigens);
        (Term::Eigen(self.eigens), Rc::new(inner))
    }

    /// Returns the number of bindings.
    pub(crate) fn mark(&self) -> usize {
        self.trail.len()
    }

    /// Undoes the bindings after the first `mark` ones.
    pub(crate) fn undo(&mut self, mark: usize) {
        for var in self.trail.drain(mark..) {
            self.vars[var].value = None;
        }
    }

    /// Returns whether too many parts were visited. Later results are then invalid.
    pub(crate) fn is_exhausted(&self) -> bool {
        self.parts > PARTS
    }

    /// Returns whether the value of the term has few enough parts to be written.
    pub(crate) fn is_small(&mut self, term: &Term) -> bool {
        self.parts += 1;
        let small = !self.is_exhausted();
        small
            && match self.resolved(term) {
                Term::Apply(pair) => self.is_small(&pair.0) && self.is_small(&pair.1),
                Term::Lambda(_, body) => self.is_small(&body),
                _ => true,
            }
    }

    /// Returns the term, or its value if it is a bound variable.
    pub(crate) fn resolved(&self, term: &Term) -> Term {
        let mut term = term.clone();
        while let Term::Var(var) = term {
            match &self.vars[var].value {
                Some(value) => term = value.clone(),
                None => break,
            }
        }
        term
    }

    /// Returns the term with its head dereferenced.
    pub(crate) fn resolved_head(&self, term: &Term) -> Term {
        match self.resolved(term) {
            Term::Apply(pair) => apply(self.resolved_head(&pair.0), pair.1.clone()),
            other => other,
        }
    }

    /// Returns the term with all variables replaced by their values.
    pub(crate) fn value(&self, term: &Term) -> Term {
        match self.resolved(term) {
            Term::Apply(pair) => apply(self.value(&pair.0), self.value(&pair.1)),
            Term::Lambda(bound, body) => Term::Lambda(bound, Rc::new(self.value(&body))),
            other => other,
        }
    }

    /// Unifies two terms and returns whether that is possible. The caller undoes the bindings.
    ///
    /// # Errors
    /// Returns an error if both terms are abstractions.
    pub(crate) fn unify(&mut self, one: &Term, other: &Term) -> Result<bool, String> {
        self.parts += 1;
        if self.is_exhausted() {
            return Ok(false);
        }
        let (one, other) = (self.resolved(one), self.resolved(other));
        Ok(match (&one, &other) {
            (Term::Var(a), Term::Var(b)) if a == b => true,
            (&Term::Var(var), term) | (term, &Term::Var(var)) => self.bind(var, term),
            (Term::Apply(a), Term::Apply(b)) => {
                self.unify(&a.0, &b.0)? && self.unify(&a.1, &b.1)?
            }
            (Term::Lambda(..), Term::Lambda(..)) => {
                return Err("unification of abstractions".to_owned());
            }
            (a, b) => a == b,
        })
    }

    fn bind(&mut self, var: usize, term: &Term) -> bool {
        let scope = self.vars[var].scope.clone();
        if !self.fit(var, &scope, term) {
            return false;
        }
        self.set(var, term.clone());
        true
    }

    fn set(&mut self, var: usize, term: Term) {
        self.vars[var].value = Some(term);
        self.trail.push(var);
    }

    /// Returns whether a variable with this scope may be bound to the term. The term must not contain
    /// the variable or constants outside its scope. Variables of the term with a larger scope get this
    /// scope.
    fn fit(&mut self, var: usize, scope: &Scope, term: &Term) -> bool {
        self.parts += 1;
        if self.is_exhausted() {
            return false;
        }
        match self.resolved(term) {
            Term::Var(other) if other == var => false,
            Term::Var(other) => {
                if self.vars[other].scope.len() > scope.len() {
                    let narrower = self.new_var(scope);
                    self.set(other, narrower);
                }
                true
            }
            Term::Eigen(eigen) => scope.contains(&eigen),
            Term::Apply(pair) => self.fit(var, scope, &pair.0) && self.fit(var, scope, &pair.1),
            Term::Lambda(_, body) => self.fit(var, scope, &body),
            _ => true,
        }
    }
}
