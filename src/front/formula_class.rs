//! The classes of Lolli's formulas: allowed goals and allowed assumptions. Queries and clauses are
//! checked as a whole before any part of them runs. Parts that are still variables then are checked
//! when they are called or assumed.

use super::formula::binder;
use crate::base::atom_table::{Atom, Functor, Symbols, atoms, functors};
use crate::base::growth::{Within, reserve, room_for_one};
use crate::base::stop::Stop;
use crate::store::body::{Parts, Visit};
use crate::store::cell::Cell;
use crate::store::heap::{Store, View};

/// The required class of a formula.
#[derive(Copy, Clone, Debug, PartialEq, Eq)]
pub(crate) enum Class {
    /// A goal.
    Goal,
    /// An assumption for one use.
    Linear,
    /// An assumption for any number of uses, or a part of a clause.
    Clause,
}

/// The reason why a formula does not belong to its class.
#[derive(Copy, Clone, Debug, PartialEq, Eq)]
pub(crate) enum Fault {
    /// A connective that is not allowed there.
    Connective(Misplaced),
    /// A number or a string, as a goal or as a head.
    NoName,
    /// A clause for one of Lolli's own predicates.
    Special,
    /// The head is a variable. The class is that of the formula.
    Flexible(Class),
    /// The formula is a cyclic term.
    Endless,
    /// There is not enough memory to check all of the formula.
    NoRoom,
}

/// Maximum number of parts of a connective.
const MOST_PARTS: usize = 3;

/// A connective that is not allowed, and whether its place is that of a linear assumption.
#[derive(Copy, Clone, Debug, PartialEq, Eq)]
pub(crate) struct Misplaced {
    connective: Connective,
    linear: bool,
}

/// The connectives that are not allowed in assumptions.
#[derive(Copy, Clone, Debug, PartialEq, Eq)]
enum Connective {
    True,
    Erase,
    Of(Functor),
}

impl Fault {
    /// Returns the message about the fault, without the formula itself.
    pub(crate) fn message(self) -> String {
        let Fault::Connective(Misplaced { connective, linear }) = self else {
            return "This cannot be assumed".to_owned();
        };
        let context = if linear { "bounded" } else { "unbounded" };
        let functor = match connective {
            Connective::Erase => return format!("Cannot add erase to {context} context"),
            Connective::True => return format!("Cannot add true to {context} context"),
            Connective::Of(functor) => functor,
        };
        match functor {
            functors::CURLY1 => format!("Cannot add !'ed formula to {context} context"),
            functors::COMMA => format!("Cannot add tensor'ed formula to {context} context"),
            functors::MODULE_GOAL => "Cannot use --o at clause level".to_owned(),
            functors::EXISTS1 => format!("Cannot use existential at {context} clause level"),
            functors::GUARD3 => format!("Cannot use guard at {context} clause level"),
            functors::SEMICOLON => format!("Cannot use ; at {context} clause level"),
            _ => format!("Cannot use this connective at {context} clause level"),
        }
    }

    /// Returns a hint, if there is one.
    pub(crate) fn hint(self) -> Option<&'static str> {
        match self {
            Fault::Connective(Misplaced {
                connective: Connective::Of(functors::COMMA),
                linear: false,
            }) => Some(
                "write several clauses one by one; `LINEAR (a , b).` and `(a , b) -o g` assume both together for one use",
            ),
            Fault::Connective(Misplaced {
                connective: Connective::True,
                ..
            }) => Some("the head of a clause must be an atom"),
            Fault::Connective(Misplaced {
                connective: Connective::Of(functors::CURLY1),
                ..
            }) => Some("leave out the braces; an assumption here may be used any number of times"),
            Fault::Special => Some("Lolli's own predicates cannot be redefined; use another name"),
            Fault::Flexible(_) => Some("bind the head before the formula is assumed"),
            _ => None,
        }
    }
}

/// Checks a formula as a whole. Returns the goals `Module --o Goal` in it.
///
/// # Errors
/// Returns the first fault and the part of the formula that has it.
pub(crate) fn check(
    store: &Store,
    symbols: &Symbols,
    formula: Cell,
    class: Class,
    reserved: &dyn Fn(Atom) -> bool,
) -> Result<Vec<Cell>, (Fault, Cell)> {
    let mut modules = Vec::new();
    let mut met = Parts::default();
    let mut todo = vec![(formula, class)];
    while let Some((part, class)) = todo.pop() {
        let part = store.deref(part);
        let known = met
            .again(store, formula, part, class as u64)
            .map_err(|Stop| (Fault::NoRoom, part))?;
        if let Visit::Endless = known {
            return Err((Fault::Endless, formula));
        }
        if let Visit::New = known {
            reserve(&mut todo, MOST_PARTS)
                .and_then(|()| room_for_one(&mut modules))
                .map_err(|Stop| (Fault::NoRoom, part))?;
            check_part(
                store,
                symbols,
                (part, class),
                reserved,
                (&mut todo, &mut modules),
            )?;
        }
    }
    Ok(modules)
}

/// Checks a part of a formula. Adds its own parts to `todo`, or the part itself to the goals
/// `Module --o Goal`. Both vectors have enough capacity.
fn check_part(
    store: &Store,
    symbols: &Symbols,
    (part, class): (Cell, Class),
    reserved: &dyn Fn(Atom) -> bool,
    (todo, modules): (&mut Vec<(Cell, Class)>, &mut Vec<Cell>),
) -> Result<(), (Fault, Cell)> {
    let wrong = |connective, linear| {
        let misplaced = Misplaced { connective, linear };
        Err((Fault::Connective(misplaced), part))
    };
    let linear = class == Class::Linear;
    let assumed = class != Class::Goal;
    let (functor, args) = match store.view(part) {
        View::Var(_) => return Ok(()),
        View::Atom(atoms::TRUE) if class == Class::Clause => {
            return wrong(Connective::True, false);
        }
        View::Atom(atoms::ERASE) if assumed => return wrong(Connective::Erase, linear),
        View::Atom(atoms::TRUE | atoms::ERASE) => return Ok(()),
        View::Atom(name) if assumed && reserved(name) => return Err((Fault::Special, part)),
        View::Atom(_) => return Ok(()),
        View::List(_) => return Ok(()),
        View::Struct(functor, args) => (functor, args),
        _ => return Err((Fault::NoName, part)),
    };
    let arg = |index| store.arg(args, index);
    match functor {
        functors::LOLLIPOP if class == Class::Goal => {
            todo.put_all_within([(arg(1), Class::Goal), (arg(0), Class::Linear)]);
        }
        functors::IMPLIES if class == Class::Goal => {
            todo.put_all_within([(arg(1), Class::Goal), (arg(0), Class::Clause)]);
        }
        functors::LOLLIPOP | functors::IMPLIES => {
            todo.put_all_within([(arg(1), Class::Clause), (arg(0), Class::Goal)]);
        }
        functors::WITH if linear => {
            todo.put_all_within([(arg(1), Class::Clause), (arg(0), Class::Clause)]);
        }
        functors::WITH => todo.put_all_within([(arg(1), class), (arg(0), class)]),
        functors::COMMA if class != Class::Clause => {
            todo.put_all_within([(arg(1), class), (arg(0), class)]);
        }
        functors::SEMICOLON if !assumed => {
            todo.put_all_within([(arg(1), class), (arg(0), class)]);
        }
        functors::CURLY1 if linear => todo.put_within((arg(0), Class::Clause)),
        functors::CURLY1 if !assumed => todo.put_within((arg(0), Class::Goal)),
        functors::MODULE_GOAL if !assumed => {
            modules.put_within(part);
            todo.put_within((arg(1), Class::Goal));
        }
        functors::GUARD3 if !assumed => {
            todo.put_all_within([2, 1, 0].map(|index| (arg(index), Class::Goal)));
        }
        functors::FORALL1 => {
            if let Some((_, body)) = binder(store, arg(0)) {
                let class = if linear { Class::Clause } else { class };
                todo.put_within((body, class));
            }
        }
        functors::EXISTS1 if !assumed => {
            if let Some((_, body)) = binder(store, arg(0)) {
                todo.put_within((body, class));
            }
        }
        functors::COMMA
        | functors::SEMICOLON
        | functors::CURLY1
        | functors::MODULE_GOAL
        | functors::GUARD3
        | functors::EXISTS1 => return wrong(Connective::Of(functor), linear),
        functors::BOUND | functors::EIGENVARIABLE => {}
        _ if symbols.name(functor) == atoms::APPLICATION => match store.view(arg(0)) {
            View::Var(_) | View::Atom(_) | View::Struct(..) | View::List(_) => {}
            _ => return Err((Fault::NoName, part)),
        },
        _ if assumed && reserved(symbols.name(functor)) => return Err((Fault::Special, part)),
        _ => {}
    }
    Ok(())
}
