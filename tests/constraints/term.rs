//! The terms of models, and their text.

use std::fmt;

/// A term of a model.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum Term {
    /// The variable of this number.
    Var(usize),
    Int(i128),
    Atom(&'static str),
    List(Vec<Term>),
    Compound(&'static str, Vec<Term>),
}

impl Term {
    /// Returns the operation `name` of two terms.
    pub(crate) fn binary(name: &'static str, left: Term, right: Term) -> Term {
        Term::Compound(name, vec![left, right])
    }

    /// Returns the parts of a compound or a list.
    pub(crate) fn parts(&self) -> &[Term] {
        match self {
            Term::List(parts) | Term::Compound(_, parts) => parts,
            Term::Var(_) | Term::Int(_) | Term::Atom(_) => &[],
        }
    }

    /// Returns the same term with these parts.
    pub(crate) fn with_parts(&self, parts: Vec<Term>) -> Term {
        match self {
            Term::List(_) => Term::List(parts),
            Term::Compound(name, _) => Term::Compound(name, parts),
            other => other.clone(),
        }
    }

    /// Returns the term with new numbers for its variables.
    pub(crate) fn renumbered(&self, number: &impl Fn(usize) -> usize) -> Term {
        match self {
            Term::Var(var) => Term::Var(number(*var)),
            other => {
                let parts = other.parts().iter().map(|part| part.renumbered(number));
                other.with_parts(parts.collect())
            }
        }
    }

    /// Returns whether the variable occurs in the term.
    pub(crate) fn mentions(&self, var: usize) -> bool {
        *self == Term::Var(var) || self.parts().iter().any(|part| part.mentions(var))
    }
}

/// Returns the names of the variables with these numbers, as a list.
pub(crate) fn names(count: usize) -> Term {
    Term::List((0..count).map(Term::Var).collect())
}

/// Returns whether a compound of this name is written as an infix or prefix operator.
fn is_operator(name: &str) -> bool {
    !name.starts_with(|first: char| first.is_ascii_lowercase())
        || matches!(name, "in" | "mod" | "rem" | "div")
}

fn operand(term: &Term, out: &mut fmt::Formatter<'_>) -> fmt::Result {
    match term {
        Term::Compound(name, _) if is_operator(name) => write!(out, "({term})"),
        Term::Int(value) if *value < 0 => write!(out, "({value})"),
        _ => write!(out, "{term}"),
    }
}

fn separated(terms: &[Term], out: &mut fmt::Formatter<'_>) -> fmt::Result {
    for (index, term) in terms.iter().enumerate() {
        let comma = if index > 0 { "," } else { "" };
        write!(out, "{comma}{term}")?;
    }
    Ok(())
}

impl fmt::Display for Term {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Term::Var(var) => write!(out, "{}", char::from(b'A' + *var as u8)),
            Term::Int(value) => write!(out, "{value}"),
            Term::Atom(name) => write!(out, "{name}"),
            Term::List(terms) => {
                write!(out, "[")?;
                separated(terms, out)?;
                write!(out, "]")
            }
            Term::Compound(name, parts) => match parts.as_slice() {
                [left, right] if is_operator(name) => {
                    operand(left, out)?;
                    write!(out, " {name} ")?;
                    operand(right, out)
                }
                [part] if is_operator(name) => {
                    write!(out, "{name} ")?;
                    operand(part, out)
                }
                parts => {
                    write!(out, "{name}(")?;
                    separated(parts, out)?;
                    write!(out, ")")
                }
            },
        }
    }
}
