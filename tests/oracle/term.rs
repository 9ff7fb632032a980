//! Terms of the oracle: curried, as in the language, and shared.

use std::rc::Rc;

/// A term.
#[derive(Clone, Debug, PartialEq)]
pub(crate) enum Term {
    /// An existential variable, by its number.
    Var(usize),
    /// A constant that `forall` or a local name made.
    Eigen(usize),
    /// A constant.
    Name(Rc<str>),
    /// An integer.
    Int(i64),
    /// A string.
    Text(Rc<str>),
    /// An application to one argument.
    Apply(Rc<(Term, Term)>),
    /// An abstraction.
    Lambda(Rc<str>, Rc<Term>),
    /// A name that an abstraction, a clause or a query binds.
    Bound(Rc<str>),
}

/// Returns a constant.
pub(crate) fn name(text: &str) -> Term {
    Term::Name(text.into())
}

/// Returns `function` applied to `argument`.
pub(crate) fn apply(function: Term, argument: Term) -> Term {
    Term::Apply(Rc::new((function, argument)))
}

/// Returns a constant applied to arguments.
pub(crate) fn compound(function: &str, arguments: &[Term]) -> Term {
    arguments.iter().cloned().fold(name(function), apply)
}

/// Returns `quantifier x \ body`.
pub(crate) fn quantified(quantifier: &str, bound: &str, body: Term) -> Term {
    apply(name(quantifier), Term::Lambda(bound.into(), Rc::new(body)))
}

impl Term {
    /// Returns the head and the arguments.
    pub(crate) fn spine(&self) -> (Term, Vec<Term>) {
        let mut arguments = Vec::new();
        let mut head = self.clone();
        while let Term::Apply(pair) = head.clone() {
            arguments.push(pair.1.clone());
            head = pair.0.clone();
        }
        arguments.reverse();
        (head, arguments)
    }

    /// Returns the term with `value` in place of the bound name.
    pub(crate) fn substitute(&self, bound: &str, value: &Term) -> Term {
        match self {
            Term::Bound(other) if **other == *bound => value.clone(),
            Term::Apply(pair) => apply(
                pair.0.substitute(bound, value),
                pair.1.substitute(bound, value),
            ),
            Term::Lambda(other, body) if **other != *bound => {
                Term::Lambda(other.clone(), Rc::new(body.substitute(bound, value)))
            }
            _ => self.clone(),
        }
    }

    /// Returns the text of the term in full parentheses. Its variables are numbered by their first
    /// occurrence in all terms that are written with the same `seen`.
    pub(crate) fn written(&self, seen: &mut Vec<Term>) -> String {
        match self {
            Term::Var(_) | Term::Bound(_) => {
                let number = seen.iter().position(|var| var == self).unwrap_or_else(|| {
                    seen.push(self.clone());
                    seen.len() - 1
                });
                format!("_{number}")
            }
            Term::Eigen(_) => "!".to_owned(),
            Term::Name(text) => text.to_string(),
            Term::Int(value) => value.to_string(),
            Term::Text(text) => format!("{text:?}"),
            Term::Apply(pair) => {
                let function = pair.0.written(seen);
                format!("({function} {})", pair.1.written(seen))
            }
            Term::Lambda(bound, body) => {
                // A variable that is bound inside is no variable of the whole term.
                let body = body.substitute(bound, &name(&format!("'{bound}")));
                format!("({bound} \\ {})", body.written(seen))
            }
        }
    }
}
