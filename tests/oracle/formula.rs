//! The terms that may be goals, and those that may be assumed.

use crate::bindings::Bindings;
use crate::term::Term;

/// Predicates of the system: none of them may be the head of a clause.
const BUILTINS: &[&str] = &[
    "write",
    "write_raw",
    "write_clause",
    "write_sans",
    "nl",
    "read",
    "telling",
    "seeing",
    "timing",
    "load",
    "cd",
    "system",
    "top",
    "fail",
    "pop",
    "popall",
    "abort",
    "exit",
    "bye",
    "is",
    "=",
    "=:=",
    "=\\=",
    "=<",
    ">=",
    ">",
    "<",
    "explode",
    "explode_words",
    "var",
    "nonvar",
    "generalize",
];

/// A term as a formula.
pub(crate) enum Formula {
    True,
    Erase,
    Bang(Term),
    Tensor(Term, Term),
    With(Term, Term),
    Plus(Term, Term),
    /// `-o`
    Linear(Term, Term),
    /// `=>`
    Intuitionistic(Term, Term),
    /// `--o`
    Load(Term, Term),
    Guard(Term, Term, Term),
    Forall(std::rc::Rc<str>, Term),
    Exists(std::rc::Rc<str>, Term),
    /// An atom whose head is a constant.
    Atom(Term),
    /// An atom whose head is a variable.
    Flexible,
    /// A term that can be no formula.
    None,
}

/// Returns the term as a formula, with its head dereferenced.
pub(crate) fn formula(bindings: &Bindings, term: &Term) -> Formula {
    let term = bindings.resolved_head(term);
    let (head, arguments) = term.spine();
    let head = match head {
        Term::Name(head) => head,
        Term::Eigen(_) => return Formula::Atom(term),
        Term::Var(_) | Term::Bound(_) => return Formula::Flexible,
        _ => return Formula::None,
    };
    match (&*head, arguments.as_slice()) {
        ("true", []) => Formula::True,
        ("erase", []) => Formula::Erase,
        ("bang", [a]) => Formula::Bang(a.clone()),
        (",", [a, b]) => Formula::Tensor(a.clone(), b.clone()),
        ("&", [a, b]) => Formula::With(a.clone(), b.clone()),
        (";", [a, b]) => Formula::Plus(a.clone(), b.clone()),
        ("-o", [a, b]) => Formula::Linear(a.clone(), b.clone()),
        ("=>", [a, b]) => Formula::Intuitionistic(a.clone(), b.clone()),
        ("--o", [a, b]) => Formula::Load(a.clone(), b.clone()),
        ("guard", [a, b, c]) => Formula::Guard(a.clone(), b.clone(), c.clone()),
        ("forall", [Term::Lambda(bound, body)]) => Formula::Forall(bound.clone(), (**body).clone()),
        ("exists", [Term::Lambda(bound, body)]) => Formula::Exists(bound.clone(), (**body).clone()),
        _ => Formula::Atom(term),
    }
}

/// Checks that the term can be a goal, or returns the reason against it. A variable can still become
/// anything.
pub(crate) fn check_goal(bindings: &Bindings, term: &Term) -> Result<(), String> {
    match formula(bindings, term) {
        Formula::Bang(a) | Formula::Load(_, a) | Formula::Forall(_, a) | Formula::Exists(_, a) => {
            check_goal(bindings, &a)
        }
        Formula::Tensor(a, b) | Formula::With(a, b) | Formula::Plus(a, b) => {
            check_goal(bindings, &a)?;
            check_goal(bindings, &b)
        }
        Formula::Linear(d, goal) => {
            check_assumption(bindings, &d, true, false)?;
            check_goal(bindings, &goal)
        }
        Formula::Intuitionistic(r, goal) => {
            check_assumption(bindings, &r, false, false)?;
            check_goal(bindings, &goal)
        }
        Formula::Guard(test, then, otherwise) => {
            check_goal(bindings, &test)?;
            check_goal(bindings, &then)?;
            check_goal(bindings, &otherwise)
        }
        Formula::None => Err("no name in function position".to_owned()),
        Formula::True | Formula::Erase | Formula::Atom(_) | Formula::Flexible => Ok(()),
    }
}

/// Checks that the term can be assumed, or returns the reason against it. The term is on the left of
/// `-o` if `linear`; otherwise it is on the left of `=>` or the head of a clause. If `is_final`, the
/// term is about to be assumed, and its head must not be a variable.
pub(crate) fn check_assumption(
    bindings: &Bindings,
    term: &Term,
    linear: bool,
    is_final: bool,
) -> Result<(), String> {
    let again = |term: &Term, linear| check_assumption(bindings, term, linear, is_final);
    let refused = |what: &str| Err(format!("cannot add {what}"));
    match formula(bindings, term) {
        Formula::True if linear => Ok(()),
        Formula::Bang(a) if linear => again(&a, false),
        Formula::Tensor(a, b) if linear => {
            again(&a, true)?;
            again(&b, true)
        }
        Formula::True => refused("true"),
        Formula::Erase => refused("erase"),
        Formula::Bang(_) => refused("a !'ed formula"),
        Formula::Tensor(..) => refused("a tensor'ed formula"),
        Formula::Plus(..) => refused("a disjunction"),
        Formula::Load(..) => refused("--o"),
        Formula::Guard(..) => refused("a guard"),
        Formula::Exists(..) => refused("an existential"),
        Formula::With(a, b) => {
            again(&a, false)?;
            again(&b, false)
        }
        Formula::Linear(goal, r) | Formula::Intuitionistic(goal, r) => {
            check_goal(bindings, &goal)?;
            again(&r, false)
        }
        Formula::Forall(_, r) => again(&r, false),
        Formula::Flexible if is_final => refused("a clause with a flexible head"),
        Formula::Flexible => Ok(()),
        Formula::None => Err("no name in function position".to_owned()),
        Formula::Atom(atom) => match atom.spine().0 {
            Term::Name(head) if BUILTINS.contains(&&*head) => refused("a special predicate"),
            _ => Ok(()),
        },
    }
}
