//! The classes of Lolli's formulas: what may be a goal, what may be assumed. Queries and clauses are
//! looked at as a whole before anything of them runs; what is still a variable then is looked at
//! when it is called or assumed.

use super::formula::binder;
use crate::base::atom_table::{Atom, Functor, Symbols, atoms, functors};
use crate::base::growth::{Within, reserve, room_for_one};
use crate::base::stop::Stop;
use crate::store::body::{Met, Parts};
use crate::store::cell::Cell;
use crate::store::heap::{Store, View};

/// What a formula is to be.
#[derive(Copy, Clone, Debug, PartialEq, Eq)]
pub(crate) enum Class {
    /// A goal.
    Goal,
    /// Assumed for one use.
    Linear,
    /// Assumed for any number of uses, or a part of a clause.
    Clause,
}

/// Why a formula is not of its class.
#[derive(Copy, Clone, Debug, PartialEq, Eq)]
pub(crate) enum Fault {
    /// A connective that has no place there.
    Connective(Misplaced),
    /// A number or a string, as a goal or as a head.
    NoName,
    /// A clause about one of Lolli's own predicates.
    Special,
    /// Its head is a variable, that of a formula of this class.
    Flexible(Class),
    /// It is a cyclic term.
    Endless,
    /// There is no room to look at all of it.
    NoRoom,
}

/// Parts that a connective has at most.
const MOST_PARTS: usize = 3;

/// A connective that has no place, and whether the place is that of a linear assumption.
#[derive(Copy, Clone, Debug, PartialEq, Eq)]
pub(crate) struct Misplaced {
    connective: Connective,
    linear: bool,
}

/// What has no place among assumptions.
#[derive(Copy, Clone, Debug, PartialEq, Eq)]
enum Connective {
    True,
    Erase,
    Of(Functor),
}

impl Fault {
    /// What is wrong, but for the formula itself.
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

    /// What may help.
    pub(crate) fn hint(self) -> Option<&'static str> {
        match self {
            Fault::Connective(Misplaced {
                connective: Connective::Of(functors::COMMA),
                linear: false,
            }) => Some(
                "several clauses are written one by one; `LINEAR (a , b).` and `(a , b) -o g` assume them together for one use",
            ),
            Fault::Connective(Misplaced {
                connective: Connective::True,
                ..
            }) => Some("a clause has an atom as its head"),
            Fault::Connective(Misplaced {
                connective: Connective::Of(functors::CURLY1),
                ..
            }) => Some("what is assumed here may be used any number of times without braces"),
            Fault::Special => Some("the names of Lolli's own predicates cannot be defined anew"),
            Fault::Flexible(_) => Some("the head must be known when the formula is assumed"),
            _ => None,
        }
    }
}

/// Looks at a formula as a whole. Gives the goals `Module --o Goal` in it.
///
/// # Errors
/// The first thing that is wrong with it, and where.
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
        if let Met::Endless = known {
            return Err((Fault::Endless, formula));
        }
        if let Met::New = known {
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

/// Looks at a part of a formula: adds its own parts to those that are left, or itself to the goals
/// `Module --o Goal`. Both have room for them.
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
