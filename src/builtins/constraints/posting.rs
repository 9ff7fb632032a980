//! Primitives of `library(clpfd)` that post constraints and convert domains to terms. The algorithms are in `fd`.

use crate::base::atom_table::{Atom, Functor, atoms, functors};
use crate::base::growth::{Gather, Grow, with_room};
use crate::base::stop::Stop;
use crate::fd::domain::record;
use crate::fd::expression::{Fault, Mode, PostResult, Relation};
use crate::fd::kinds::Kinds;
use crate::fd::number::{Large, Num};
use crate::fd::propagator::{Propagator, Vector};
use crate::fd::variable::Wait;
use crate::fd::{Fd, Halt};
use crate::machine::builtin::builtins;
use crate::machine::control::throw::Throw;
use crate::machine::state::Machine;
use crate::program::predicate::Kind;
use crate::store::cell::Cell;
use crate::store::heap::{View, deref};

/// Posts constraints and propagates them. Returns false if they have no solution.
pub(in crate::builtins) fn post(
    m: &mut Machine,
    work: impl FnOnce(&mut Fd<'_>) -> PostResult,
) -> Result<bool, Throw> {
    let mut fd = m.fd();
    let posted = work(&mut fd).and_then(|()| Ok(fd.propagate()?));
    if posted.is_err() {
        fd.forget();
    }
    match posted {
        Ok(()) => Ok(true),
        Err(fault) => refused(m, fault),
    }
}

/// Returns the failure or the error of a constraint that was not posted.
fn refused(m: &mut Machine, fault: Fault) -> Result<bool, Throw> {
    let domain = |m: &mut Machine, name: &str, culprit| -> Result<bool, Throw> {
        let name = m.new_atom(name)?;
        Err(m.domain_error(name, culprit))
    };
    match fault {
        Fault::Halt(Halt::Fail) => Ok(false),
        Fault::Halt(_) => Err(Stop.into()),
        Fault::Expression(culprit) => domain(m, "clpfd_expression", culprit),
        Fault::Reifiable(culprit) => domain(m, "clpfd_reifiable_expression", culprit),
        Fault::Domain(culprit) => domain(m, "clpfd_domain", culprit),
        Fault::Integer(culprit) => Err(m.type_error(atoms::INTEGER, culprit)),
        Fault::List(culprit) => Err(m.type_error(atoms::LIST, culprit)),
        Fault::Instantiation => Err(m.instantiation_error()),
    }
}

/// Converts a result of the constraints: failure becomes `None`, any other halt a stop.
pub(in crate::builtins) fn answer<T>(result: Result<T, Halt>) -> Result<Option<T>, Throw> {
    match result {
        Ok(value) => Ok(Some(value)),
        Err(Halt::Fail) => Ok(None),
        Err(_) => Err(Stop.into()),
    }
}

/// Returns how to read expressions: by the flag `clpfd_monotonic`, or by `clpz:monotonic`, which `library(clpz)`
/// declares.
fn mode(m: &Machine) -> Mode {
    let monotonic = m
        .world
        .predicates
        .get(m.world.foundation.system.clpz_monotonic);
    Mode {
        monotonic: m.world.flags.clpfd_monotonic || monotonic.clauses.len() > 0,
        clpz: monotonic.kind == Kind::Dynamic,
    }
}

/// Checks that a term is an integer or a variable.
pub(in crate::builtins) fn check_variable(m: &mut Machine, x: Cell) -> Result<(), Throw> {
    match m.store.view(x) {
        View::Var(_) | View::Int(_) | View::Big(_) => Ok(()),
        _ => Err(m.type_error(atoms::INTEGER, x)),
    }
}

/// Returns the elements of a list of integers and variables.
pub(in crate::builtins) fn variables_arg(m: &mut Machine, list: Cell) -> Result<Vec<Cell>, Throw> {
    let items = m.list_arg(list)?;
    for &item in &items {
        check_variable(m, item)?;
    }
    Ok(items)
}

/// Returns the relation that an atom names.
fn relation_arg(m: &mut Machine, name: Cell) -> Result<Relation, Throw> {
    let name = m.store.deref(name);
    let relation = match name.is_atom() {
        true => relation_of(name.as_atom()),
        false => None,
    };
    match relation {
        Some(relation) => Ok(relation),
        None if name.is_var() => Err(m.instantiation_error()),
        None => {
            let domain = m.new_atom("scalar_product_relation")?;
            Err(m.domain_error(domain, name))
        }
    }
}

fn relation_of(name: Atom) -> Option<Relation> {
    Some(match name {
        atoms::HASH_EQUAL => Relation::Equal,
        atoms::HASH_DIFFERENT => Relation::Different,
        atoms::HASH_LESS => Relation::Less,
        atoms::HASH_GREATER => Relation::Greater,
        atoms::HASH_AT_MOST => Relation::AtMost,
        atoms::HASH_AT_LEAST => Relation::AtLeast,
        _ => return None,
    })
}

/// Converts intervals to a domain term.
fn domain_of_ranges(m: &mut Machine, ranges: &[(Large, Large)]) -> Result<Cell, Throw> {
    let mut domain = None;
    for (low, high) in ranges {
        let low_cell = number_cell(m, low)?;
        let part = match low == high {
            true => low_cell,
            false => {
                let high = number_cell(m, high)?;
                m.store.reserve(3)?;
                m.store.new_struct(functors::FD_RANGE, &[low_cell, high])
            }
        };
        m.store.reserve(3)?;
        domain = Some(match domain {
            None => part,
            Some(before) => m.store.new_struct(functors::BIT_OR2, &[before, part]),
        });
    }
    match domain {
        Some(domain) => Ok(domain),
        None => Ok(m
            .store
            .new_struct(functors::FD_RANGE, &[Cell::int(1), Cell::int(0)])),
    }
}

fn number_cell(m: &mut Machine, number: &Large) -> Result<Cell, Throw> {
    match number.cell(&mut m.store) {
        Ok(cell) => Ok(cell),
        Err(_) => Err(Stop.into()),
    }
}

/// Posts a relation between expressions.
fn post_relation(
    m: &mut Machine,
    relation: Relation,
    left: Cell,
    right: Cell,
) -> Result<bool, Throw> {
    let mode = mode(m);
    post(m, |fd| fd.post_relation(relation, left, right, mode))
}

/// Posts that a sum of products is related to an expression.
fn post_sum(
    m: &mut Machine,
    factors: Option<Cell>,
    list: Cell,
    relation: Cell,
    value: Cell,
) -> Result<bool, Throw> {
    let factors = match factors {
        Some(factors) => {
            let items = m.list_arg(factors)?;
            let mut numbers = with_room(items.len())?;
            for item in items {
                numbers.put(m.integer_arg(item)?)?;
            }
            Some(numbers)
        }
        None => None,
    };
    let items = variables_arg(m, list)?;
    let relation = relation_arg(m, relation)?;
    if factors
        .as_ref()
        .is_some_and(|factors| factors.len() != items.len())
    {
        return Ok(false);
    }
    let mode = mode(m);
    post(m, |fd| {
        let mut sum = fd.linear(&[(-1, value)], mode, None)?;
        let mut terms = with_room(items.len() + sum.terms.len())?;
        for (index, item) in items.into_iter().enumerate() {
            let factor = match &factors {
                Some(factors) => Large::Val(factors[index].clone()),
                None => Large::of(1),
            };
            terms.put((factor, item))?;
        }
        terms.put_all(sum.terms)?;
        sum.terms = terms;
        let (kind, terms, rest) = fd.relate(relation, sum)?;
        Ok(fd.post_linear(kind, terms, rest)?)
    })
}

/// Posts a propagator over a vector of variables. Its second argument counts the open ones.
fn post_all(m: &mut Machine, list: Cell, kinds: &[Kinds]) -> Result<bool, Throw> {
    let items = variables_arg(m, list)?;
    post(m, |fd| {
        for &item in &items {
            fd.constrain(item)?;
        }
        let mut variables = with_room(items.len())?;
        variables.put_all(items.iter().map(|&item| deref(item)))?;
        for &kind in kinds {
            let shown = fd.new_vector(&variables)?;
            let vector = fd.new_vector(&variables)?;
            let open = Cell::int(variables.len() as i64);
            let wait = if kind == Kinds::AllDistinct {
                Wait::Dom
            } else {
                Wait::Inst
            };
            let propagator = fd.new_propagator(kind, &[vector, open, shown])?;
            for &variable in &variables {
                fd.subscribe(variable, propagator.cell(), wait)?;
            }
            fd.start(propagator, &[])?;
        }
        Ok(())
    })
}

/// Unifies a term with a bound. Fails if there is none.
fn unify_number(m: &mut Machine, term: Cell, number: Option<Large>) -> Result<bool, Throw> {
    let Some(number) = number else {
        return Ok(false);
    };
    let cell = number_cell(m, &number)?;
    Ok(m.unify(term, cell)?)
}

/// Converts an argument of a propagator: a vector to a list, an inner propagator to a term. Other arguments stay as
/// they are.
fn argument_term(m: &mut Machine, argument: Cell) -> Result<Cell, Throw> {
    match Vector::of(argument) {
        Ok(vector) => {
            let items: Vec<Cell> = vector.iter().gather()?;
            Ok(m.store.list_of(&items)?)
        }
        Err(_) => match Propagator::of(argument) {
            Some(inner) => propagator_term(m, inner),
            None => Ok(argument),
        },
    }
}

/// Converts a propagator to a term: the name of its kind, and its arguments.
fn propagator_term(m: &mut Machine, propagator: Propagator) -> Result<Cell, Throw> {
    let mut args = with_room(propagator.count())?;
    for index in 0..propagator.count() {
        let Ok(argument) = propagator.arg(index) else {
            continue;
        };
        args.put(argument_term(m, argument)?)?;
    }
    let name = m.new_atom(propagator.kind().name)?;
    let functor: Functor = m.world.symbols.functor(name, args.len())?;
    m.store.reserve(args.len() + 1)?;
    Ok(m.store.new_struct(functor, &args))
}

builtins! { CONSTRAINTS =
    /// Posts that `V` is an integer of the domain that a term describes.
    library "$fd_in"("?integer", "+domain") = |m, [v, domain]| {
        check_variable(m, v)?;
        post(m, |fd| {
            let ranges = fd.domain_term(domain)?;
            fd.constrain(v)?;
            Ok(fd.restrict(v, &ranges)?)
        })
    };

    /// Posts that every element of a list is in a domain.
    library "$fd_ins"("+list", "+domain") = |m, [list, domain]| {
        let items = variables_arg(m, list)?;
        post(m, |fd| {
            let ranges = fd.domain_term(domain)?;
            for item in items {
                fd.constrain(item)?;
                fd.restrict(item, &ranges)?;
            }
            Ok(())
        })
    };

    /// Returns the domain of a variable as a term.
    library "$fd_dom"("?integer", "-domain") = |m, [v, domain]| {
        check_variable(m, v)?;
        let ranges = if m.store.deref(v).is_var() && record(m.store.deref(v)).is_none() {
            vec![(Large::INF, Large::SUP)]
        } else {
            match answer(m.fd().ranges::<Large>(v))? {
                Some(ranges) => ranges,
                None => return Ok(false),
            }
        };
        if let ([(low, high)], View::Int(_) | View::Big(_)) = (&ranges[..], m.store.view(v)) {
            // An integer is an interval, too.
            let (low, high) = (number_cell(m, low)?, number_cell(m, high)?);
            let interval = m.store.new_struct(functors::FD_RANGE, &[low, high]);
            return Ok(m.unify(domain, interval)?);
        }
        let term = domain_of_ranges(m, &ranges)?;
        Ok(m.unify(domain, term)?)
    };

    /// Returns the least value.
    library "$fd_inf"("?integer", "-integer") = |m, [v, bound]| {
        check_variable(m, v)?;
        let least = answer(m.fd().min::<Large>(v))?;
        unify_number(m, bound, least)
    };

    /// Returns the greatest value.
    library "$fd_sup"("?integer", "-integer") = |m, [v, bound]| {
        check_variable(m, v)?;
        let greatest = answer(m.fd().max::<Large>(v))?;
        unify_number(m, bound, greatest)
    };

    /// Returns the number of values.
    library "$fd_size"("?integer", "-integer") = |m, [v, size]| {
        check_variable(m, v)?;
        let number = answer(m.fd().size::<Large>(v))?;
        unify_number(m, size, number)
    };

    /// Counts the propagators that wait for changes of a variable and still have work.
    library "$fd_degree"("?integer", "-integer") = |m, [v, degree]| {
        check_variable(m, v)?;
        let number = m.fd().degree(v);
        Ok(m.unify_int(degree, number)?)
    };

    /// True if a term is a variable with a domain.
    library "$fd_var"("?term") = |m, [v]| Ok(record(m.store.deref(v)).is_some());

    /// True if `/` is a function, as in `library(clpz)`.
    library "$fd_clpz"() = |m, []| Ok(mode(m).clpz);

    /// True if variables in expressions are to be marked.
    library "$fd_monotonic"() = |m, []| Ok(mode(m).monotonic);

    /// Posts a relation between expressions.
    library "$fd_relation"("+atom", "?expression", "?expression") = |m, [relation, left, right]| {
        let relation = relation_arg(m, relation)?;
        post_relation(m, relation, left, right)
    };

    /// Posts `Left #= Right` where the compiled arithmetic does not find integers.
    internal "#="("?expression", "?expression") = |m, [left, right]| post_relation(m, Relation::Equal, left, right);

    /// Posts `Left #\= Right` in that case.
    internal "#\\="("?expression", "?expression") = |m, [left, right]| post_relation(m, Relation::Different, left, right);

    /// Posts `Left #< Right` in that case.
    internal "#<"("?expression", "?expression") = |m, [left, right]| post_relation(m, Relation::Less, left, right);

    /// Posts `Left #> Right` in that case.
    internal "#>"("?expression", "?expression") = |m, [left, right]| post_relation(m, Relation::Greater, left, right);

    /// Posts `Left #=< Right` in that case.
    internal "#=<"("?expression", "?expression") = |m, [left, right]| post_relation(m, Relation::AtMost, left, right);

    /// Posts `Left #>= Right` in that case.
    internal "#>="("?expression", "?expression") = |m, [left, right]| post_relation(m, Relation::AtLeast, left, right);

    /// Posts that a formula of constraints holds.
    library "$fd_formula"("?formula") = |m, [formula]| {
        let mode = mode(m);
        post(m, |fd| fd.post_formula(formula, mode))
    };

    /// Posts that a sum of variables is related to an expression.
    library "$fd_sum"("+list", "+atom", "?expression") = |m, [list, relation, value]| {
        post_sum(m, None, list, relation, value)
    };

    /// Posts that a sum of products of integers and variables is related to an expression.
    library "$fd_scalar_product"("+list", "+list", "+atom", "?expression") = |m, [factors, list, relation, value]| {
        post_sum(m, Some(factors), list, relation, value)
    };

    /// Posts that variables differ. Each known value is removed from the other domains.
    library "$fd_all_different"("+list") = |m, [list]| post_all(m, list, &[Kinds::AllDifferent]);

    /// Posts that variables differ. A matching narrows the domains.
    library "$fd_all_distinct"("+list") = |m, [list]| post_all(m, list, &[Kinds::AllDistinct]);

    /// Posts that the element of a list at this place, counted from 1, is a value.
    library "$fd_element"("?integer", "+list", "?integer") = |m, [number, list, value]| {
        let items = variables_arg(m, list)?;
        check_variable(m, number)?;
        check_variable(m, value)?;
        post(m, |fd| {
            for &x in items.iter().chain(&[number, value]) {
                fd.constrain(x)?;
            }
            let mut variables = with_room(items.len())?;
            variables.put_all(items.iter().map(|&item| deref(item)))?;
            let (number, value) = (deref(number), deref(value));
            let vector = fd.new_vector(&variables)?;
            let propagator = fd.new_propagator(Kinds::Element, &[number, value, vector])?;
            for x in variables.into_iter().chain([number, value]) {
                fd.subscribe(x, propagator.cell(), Wait::Dom)?;
            }
            Ok(fd.start(propagator, &[])?)
        })
    };

    /// Makes '$fd_waiting' return every waiting constraint once more from here on.
    library "$fd_report_again"() = always |m, []| m.run.propagation.begin_report();

    /// Returns the constraints that wait for a variable and were not returned yet, oldest first, each as a term.
    library "$fd_waiting"("?integer", "-list") = |m, [v, list]| {
        let mut constraints = Vec::new();
        for propagator in m.fd().unreported(v)? {
            constraints.put(propagator_term(m, propagator)?)?;
        }
        m.unify_items(list, &constraints)
    };
}
