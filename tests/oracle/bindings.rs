//! Variables and unification.

use crate::term::{Term, apply};
use std::rc::Rc;

/// The constants that a variable may be bound to terms of.
pub(crate) type Scope = Rc<Vec<usize>>;

struct Var {
    value: Option<Term>,
    scope: Scope,
}

/// What variables are bound to.
#[derive(Default)]
pub(crate) struct Bindings {
    vars: Vec<Var>,
    eigens: usize,
    /// Variables in the order in which they were bound.
    trail: Vec<usize>,
    /// Parts of terms that were looked at: small graphs may unfold into huge trees.
    parts: usize,
}

/// Parts of terms that may be looked at.
const PARTS: usize = 200_000;

impl Bindings {
    /// A new variable that may depend on the constants in scope.
    pub(crate) fn new_var(&mut self, scope: &Scope) -> Term {
        self.vars.push(Var {
            value: None,
            scope: scope.clone(),
        });
        Term::Var(self.vars.len() - 1)
    }

    /// A new constant, and the scope with it.
    pub(crate) fn new_eigen(&mut self, scope: &Scope) -> (Term, Scope) {
        self.eigens += 1;
        let mut inner = (**scope).clone();
        inner.push(self.eigens);
        (Term::Eigen(self.eigens), Rc::new(inner))
    }

    /// How many bindings there are.
    pub(crate) fn mark(&self) -> usize {
        self.trail.len()
    }

    /// Takes back the bindings after the first `mark` ones.
    pub(crate) fn undo(&mut self, mark: usize) {
        for var in self.trail.drain(mark..) {
            self.vars[var].value = None;
        }
    }

    /// Was more looked at than is meant to be? What was found since then means nothing.
    pub(crate) fn is_exhausted(&self) -> bool {
        self.parts > PARTS
    }

    /// Has the value of the term few enough parts to be written?
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

    /// What the term is bound to if it is a variable.
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

    /// The term with its head looked up.
    pub(crate) fn resolved_head(&self, term: &Term) -> Term {
        match self.resolved(term) {
            Term::Apply(pair) => apply(self.resolved_head(&pair.0), pair.1.clone()),
            other => other,
        }
    }

    /// The term with all its variables looked up.
    pub(crate) fn value(&self, term: &Term) -> Term {
        match self.resolved(term) {
            Term::Apply(pair) => apply(self.value(&pair.0), self.value(&pair.1)),
            Term::Lambda(bound, body) => Term::Lambda(bound, Rc::new(self.value(&body))),
            other => other,
        }
    }

    /// Makes two terms equal if they can be. What was bound on the way is for the caller to undo.
    ///
    /// # Errors
    /// Both are abstractions.
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

    /// May a variable with this scope be bound to the term? It must not occur there, nor may
    /// constants outside of its scope; variables that might be bound to such ones get its scope.
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
