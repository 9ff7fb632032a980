//! Term unification (ISO 13211-1, 8.2) and term creation and decomposition (8.5). Long because each builtin has its
//! manual beside it.

use crate::base::atom_table::{Functor, MAX_ARITY, atoms, functors};
use crate::base::flags::OccursCheck;
use crate::base::growth::{Gather, Grow, with_room};
use crate::base::stop::Stop;
use crate::builtins::args::room_for;
use crate::machine::builtin::{Step, builtins};
use crate::machine::control::throw::Throw;
use crate::machine::state::Machine;
use crate::store::address::HeapAddr;
use crate::store::cell::Cell;
use crate::store::heap::View;
use crate::store::stored::Attrs;
use crate::store::unify::Checked;

/// Returns the functor with this name and arity for a new compound term.
fn new_functor(m: &mut Machine, name: Cell, arity: usize) -> Result<Functor, Throw> {
    if arity > MAX_ARITY {
        return Err(m.representation_error(atoms::MAX_ARITY));
    }
    match m.store.view(name) {
        View::Atom(atom) => Ok(m.world.symbols.functor_passing(atom, arity)?),
        View::List(_) | View::Struct(..) => Err(m.type_error(atoms::ATOMIC, name)),
        _ => Err(m.type_or_instantiation_error(atoms::ATOM, name)),
    }
}

/// Runs `functor/3` on a variable.
fn make_term(m: &mut Machine, term: Cell, name: Cell, arity: Cell) -> Result<bool, Throw> {
    if name.is_var() {
        return Err(m.instantiation_error());
    }
    let count = m.size_arg(arity)?;
    if count == 0 {
        let constant = matches!(m.store.compound(name), Some((functors::EIGENVARIABLE, _)));
        if name.is_compound() && !constant {
            return Err(m.type_error(atoms::ATOMIC, name));
        }
        return Ok(m.unify(term, name)?);
    }
    let functor = new_functor(m, name, count)?;
    let compound = m.store.new_general_struct(functor)?;
    Ok(m.unify(term, compound)?)
}

/// Domain of the error that functor/3 and `=..` raise for a compound term without arguments. They would confuse it
/// with an atom.
const ZERO_ARITY: &str = "compound_non_zero_arity";

/// Runs `functor/4` on a variable.
fn make_typed_term(
    m: &mut Machine,
    term: Cell,
    name: Cell,
    arity: Cell,
    kind: Cell,
) -> Result<bool, Throw> {
    if !kind.is_var() {
        m.atom_arg(kind)?;
    }
    if name.is_var() {
        return Err(m.instantiation_error());
    }
    let count = m.size_arg(arity)?;
    let wanted = match m.store.view(kind) {
        View::Atom(kind) => Some(m.world.symbols.text(kind).to_owned()),
        _ => None,
    };
    let kinds: &[&str] = match wanted.as_deref() {
        _ if count > 0 => &["compound", "callable"],
        None if name.is_atom() => return Err(m.instantiation_error()),
        Some("compound") if name.is_atom() => {
            let functor = new_functor(m, name, 0)?;
            let compound = m.store.new_general_struct(functor)?;
            return Ok(m.unify(term, compound)?);
        }
        Some(known) if !["atom", "callable", "compound", "atomic"].contains(&known) => {
            return Err(m.domain_error("functor_type", kind));
        }
        _ if name.is_atom() => &["atom", "callable"],
        _ => &["atomic"],
    };
    Ok(make_term(m, term, name, arity)? && fits_kind(m, kind, kinds)?)
}

/// Unifies the type of `functor/4` with the first of these kinds. A bound type must be one of them.
fn fits_kind(m: &mut Machine, kind: Cell, kinds: &[&str]) -> Result<bool, Stop> {
    match m.store.view(kind) {
        View::Atom(kind) => Ok(kinds.contains(&m.world.symbols.text(kind))),
        View::Var(_) => {
            let first = m.world.symbols.intern(kinds[0])?;
            Ok(m.unify_atom(kind, first)?)
        }
        _ => Ok(false),
    }
}

/// Returns the compound term of an argument.
pub(in crate::builtins) fn compound_arg(
    m: &mut Machine,
    term: Cell,
) -> Result<(Functor, HeapAddr), Throw> {
    match m.store.compound(term) {
        Some(compound) => Ok(compound),
        None => Err(m.type_or_instantiation_error(atoms::COMPOUND, term)),
    }
}

/// Returns whether the first argument of the call is bound.
fn first_is_bound(m: &Machine) -> bool {
    let [nth] = m.args();
    !nth.is_var()
}

/// Runs `arg/3` with an unbound first argument. The state is the number of the last solution.
fn each_arg(
    m: &mut Machine,
    nth: Cell,
    (functor, addr): (Functor, HeapAddr),
    value: Cell,
    state: Option<i64>,
) -> Result<Step, Throw> {
    if m.world.flags.iso {
        return Err(m.instantiation_error());
    }
    let from = state.map_or(0, |state| usize::try_from(state).unwrap_or(0));
    let arity = if functor == functors::EIGENVARIABLE {
        0
    } else {
        functor.arity()
    };
    for index in from..arity {
        let argument = m.store.arg(addr, index);
        let number = index as i64 + 1;
        let value = if value == nth {
            Cell::int(number)
        } else {
            value
        };
        if m.store.not_unifiable(argument, value)? {
            continue;
        }
        let done = m.unify_int(nth, number)? && m.unify(argument, value)?;
        return Ok(match done {
            true if index + 1 == arity => Step::Last,
            true => Step::More(number),
            false => Step::Fail,
        });
    }
    Ok(Step::Fail)
}

/// Returns the arguments of a compound term.
fn arguments(m: &Machine, (functor, addr): (Functor, HeapAddr)) -> Result<Vec<Cell>, Stop> {
    m.store.args(functor, addr).gather()
}

/// Builds `functor(arguments…)`.
fn new_compound(m: &mut Machine, functor: Functor, arguments: &[Cell]) -> Result<Cell, Throw> {
    room_for(m, arguments.len() + 1, 1)?;
    Ok(m.store.new_struct(functor, arguments))
}

/// Number of arguments from which converting a term to or from a list asks for memory.
const FEW: usize = 8;

/// Runs `=..` on a variable: builds the term of a list.
fn term_of_list(m: &mut Machine, list: Cell) -> Result<Cell, Throw> {
    let mut few = [Cell::atom(atoms::NIL); FEW];
    let (mut count, mut rest) = (0, list);
    while let View::List(addr) = m.store.view(rest)
        && count < FEW
    {
        few[count] = m.store.arg(addr, 0);
        rest = m.store.arg(addr, 1);
        count += 1;
    }
    if count > 0 && m.store.deref(rest) == Cell::atom(atoms::NIL) {
        return term_of_parts(m, few[0], &few[1..count]);
    }
    if m.store.deref(list) == Cell::atom(atoms::NIL) {
        return Err(m.domain_error(atoms::NON_EMPTY_LIST, list));
    }
    let items = m.list_arg(list)?;
    let [name, arguments @ ..] = items.as_slice() else {
        return Err(m.type_error(atoms::LIST, list));
    };
    term_of_parts(m, *name, arguments)
}

fn term_of_parts(m: &mut Machine, name: Cell, arguments: &[Cell]) -> Result<Cell, Throw> {
    if name.is_var() {
        return Err(m.instantiation_error());
    }
    if arguments.is_empty() {
        if name.is_compound() {
            return Err(m.type_error(atoms::ATOMIC, name));
        }
        return Ok(name);
    }
    if name.is_compound() {
        return Err(m.type_error(atoms::ATOM, name));
    }
    let functor = new_functor(m, name, arguments.len())?;
    new_compound(m, functor, arguments)
}

/// Runs `=..` on a bound term.
fn unify_parts(m: &mut Machine, term: Cell, list: Cell) -> Result<bool, Throw> {
    let compound = match m.store.compound(term) {
        Some((functors::EIGENVARIABLE, _)) | None => return unify_items(m, list, &[term]),
        Some((functor, _)) if functor.arity() == 0 => return Err(m.domain_error(ZERO_ARITY, term)),
        Some(compound) => compound,
    };
    let (functor, addr) = compound;
    let name = Cell::atom(m.world.symbols.name(functor));
    let arity = functor.arity();
    if arity < FEW {
        let mut few = [name; FEW];
        for (index, part) in few[1..=arity].iter_mut().enumerate() {
            *part = m.store.arg(addr, index);
        }
        return unify_items(m, list, &few[..=arity]);
    }
    let mut items = vec![name];
    items.put_all(arguments(m, compound)?)?;
    unify_items(m, list, &items)
}

/// Unifies a list with these elements. Builds only the part of the list that does not exist yet.
fn unify_items(m: &mut Machine, list: Cell, items: &[Cell]) -> Result<bool, Throw> {
    let mut list = list;
    for (at, &item) in items.iter().enumerate() {
        match m.store.view(list) {
            View::List(addr) => {
                if !m.unify(m.store.arg(addr, 0), item)? {
                    return Ok(false);
                }
                list = m.store.arg(addr, 1);
            }
            View::Var(_) => {
                let rest = m.store.list_of(&items[at..])?;
                return Ok(m.unify(list, rest)?);
            }
            _ => return Ok(false),
        }
    }
    Ok(m.unify_atom(list, atoms::NIL)?)
}

/// Binds the variables of a term to `'$VAR'(N)` for successive `N`.
fn number_vars(m: &mut Machine, term: Cell, start: Cell, end: Cell) -> Result<bool, Throw> {
    let mut number = m.i64_arg(start)?;
    m.optional_integer(end)?;
    let variables = m.store.variables_of(term)?;
    room_for(m, variables.len(), 4)?;
    for variable in variables {
        let count = m.store.new_int(number);
        let name = m.store.new_struct(functors::VAR1, &[count]);
        m.store.bind(variable, name)?;
        number = number.saturating_add(1);
    }
    Ok(m.unify_int(end, number)?)
}

/// Returns the bindings that would unify two terms, as equations.
fn unifier(m: &mut Machine, x: Cell, y: Cell) -> Result<Option<Cell>, Throw> {
    let (x, y) = (m.store.deref(x), m.store.deref(y));
    let mut bindings = Vec::new();
    if x.is_var() && x != y {
        bindings.put((x, y))?;
    } else if y.is_var() && x != y {
        bindings.put((y, x))?;
    } else if !m.store.unifiable(x, y, &mut bindings)? {
        return Ok(None);
    }
    room_for(m, bindings.len(), 3)?;
    let mut equations = with_room(bindings.len())?;
    for &(variable, value) in bindings.iter().rev() {
        equations.put(m.store.new_struct(functors::EQUAL, &[variable, value]))?;
    }
    Ok(Some(m.store.list_of(&equations)?))
}

/// Unifies two terms as the flag `occurs_check` requires.
fn unify_checked(m: &mut Machine, x: Cell, y: Cell) -> Result<bool, Throw> {
    if m.world.flags.occurs_check == OccursCheck::False {
        return Ok(m.store.unify(x, y)?);
    }
    match m.store.unify_checked(x, y)? {
        Checked::Unified => Ok(true),
        Checked::Cyclic if m.world.flags.occurs_check == OccursCheck::Error => {
            let (variable, value) = if x.is_var() { (x, y) } else { (y, x) };
            let formal = m.new_term("occurs_check", &[variable, value])?;
            Err(m.throw_formal(formal))
        }
        Checked::Failed | Checked::Cyclic => Ok(false),
    }
}

builtins! { TERM =
    /// Unifies the two terms. ISO 8.2.1.
    ///
    /// ?- f(X, b) = f(a, Y).
    /// X = a,
    /// Y = b.
    ///
    /// ?- f(X) = g(X).
    /// false.
    iso "="("?term", "?term") = |m, [x, y]| unify_checked(m, x, y);

    /// Runs `X = Y` in clauses that were compiled while the flag `occurs_check` was not false.
    internal "="("?term", "?term") = |m, [x, y]| unify_checked(m, x, y);

    /// Succeeds if the flag `occurs_check` is not false.
    iso "$heeds_occurs_check"() = |m, []| Ok(m.world.flags.occurs_check != OccursCheck::False);

    /// Stores the result of a unification that `\=` had to try with hooks.
    iso "$tried"("+truth") = always |m, [truth]| m.run.tried = Some(truth == Cell::atom(atoms::TRUE));

    /// Unifies the two terms. Fails if that would create a cyclic term. ISO 8.2.2.
    ///
    /// ?- unify_with_occurs_check(f(X), f(a)).
    /// X = a.
    ///
    /// ?- unify_with_occurs_check(X, f(X)).
    /// false.
    iso "unify_with_occurs_check"("?term", "?term") = |m, [x, y]| {
        Ok(m.store.unify_occurs_check(x, y)?)
    };

    /// Runs `subsumes_term(General, Specific)` without hooks of attributed variables. `Attributed` is true if
    /// `General` contains attributed variables.
    iso "$subsumes_term"("@general", "@specific", "-attributed") = |m, [general, specific, attributed]| {
        if !m.store.subsumes_term(general, specific)? {
            return Ok(false);
        }
        let any = !m.store.attributed_variables(general)?.is_empty();
        let truth = if any { atoms::TRUE } else { atoms::FALSE };
        Ok(m.unify_atom(attributed, truth)?)
    };

    /// Unifies `list` with the equations `Variable = Value` that make the two terms equal.
    ///
    /// ?- unifiable(f(X, b), f(a, Y), Bindings).
    /// Bindings = [Y=b, X=a].
    library "unifiable"("@term", "@term", "-list") = |m, [x, y, equations]| {
        match unifier(m, x, y)? {
            Some(list) => Ok(m.unify(equations, list)?),
            None => Ok(false),
        }
    };

    /// Unifies `atomic` and `integer` with the name and the arity of `term`, or makes a term with fresh
    /// variables from them. ISO 8.5.1, Cor.2.
    ///
    /// ?- functor(point(1, 2), Name, Arity).
    /// Name = point,
    /// Arity = 2.
    ///
    /// ?- functor(T, point, 2).
    /// T = point(_, _).
    ///
    /// ?- functor(T, point, N).
    /// error: functor/3: Arguments are not sufficiently instantiated [instantiation_error]
    iso "functor"("?term", "?atomic", "?integer") = |m, [term, name, arity]| {
        if term.is_var() {
            return make_term(m, term, name, arity);
        }
        let (its_name, its_arity) = match m.store.compound(term) {
            // The constant of a quantifier has no parts.
            Some((functors::EIGENVARIABLE, _)) | None => (term, 0),
            Some((functor, _)) if functor.arity() == 0 => return Err(m.domain_error(ZERO_ARITY, term)),
            Some((functor, _)) => (Cell::atom(m.world.symbols.name(functor)), functor.arity()),
        };
        Ok(m.unify(name, its_name)? && m.unify_size(arity, its_arity)?)
    };

    /// Unifies `atomic`, `integer` and `atom` with the name, the arity and the type of `term`, or makes
    /// `term` from them. The type is `compound`, `atom` or `atomic`; a given type `callable` matches
    /// `compound` and `atom`. A compound term may have no arguments.
    ///
    /// ?- functor(point(1, 2), Name, Arity, Type).
    /// Name = point,
    /// Arity = 2,
    /// Type = compound.
    ///
    /// ?- functor(T, point, 0, compound), functor(A, point, 0, atom).
    /// T = point(),
    /// A = point.
    library "functor"("?term", "?atomic", "?integer", "?atom") = |m, [term, name, arity, kind]| {
        if term.is_var() {
            return make_typed_term(m, term, name, arity, kind);
        }
        let (its_name, its_arity, kinds): (Cell, usize, &[&str]) = match m.store.compound(term) {
            Some((functors::EIGENVARIABLE, _)) => (term, 0, &["atomic"]),
            None if term.is_atom() => (term, 0, &["atom", "callable"]),
            None => (term, 0, &["atomic"]),
            Some((functor, _)) => {
                let its_name = Cell::atom(m.world.symbols.name(functor));
                (its_name, functor.arity(), &["compound", "callable"])
            }
        };
        Ok(m.unify(name, its_name)? && m.unify_size(arity, its_arity)? && fits_kind(m, kind, kinds)?)
    };

    /// Unifies the last `term` with argument number `integer` of `compound`. If `integer` is unbound,
    /// enumerates the arguments on backtracking. With the flag `iso`, an unbound `integer` is an error.
    /// ISO 8.5.2.
    ///
    /// ?- arg(2, point(3, 4), X).
    /// X = 4.
    ///
    /// ?- arg(N, point(3, 4), X).
    /// N = 1,
    /// X = 3 ;
    /// N = 2,
    /// X = 4.
    ///
    /// ?- arg(3, point(3, 4), X).
    /// false.
    iso nondet "arg"("?integer", "+compound", "?term") with once first_is_bound = |m, [nth, term, value], state| {
        if nth.is_int() && term.is_compound() && nth.int_value() >= 0 {
            let Some((functor, addr)) = m.store.compound(term) else {
                return Ok(Step::Fail);
            };
            let index = (nth.int_value() as usize).wrapping_sub(1);
            let found = index < functor.arity()
                && functor != functors::EIGENVARIABLE && m.unify(m.store.arg(addr, index), value)?;
            return Ok(Step::when(found));
        }
        let compound = compound_arg(m, term)?;
        if nth.is_var() {
            return each_arg(m, nth, compound, value, state);
        }
        m.size_arg(nth)?;
        Ok(Step::Fail)
    };

    /// Unifies `list` with the name of `term` followed by its arguments. If `term` is unbound, makes a term
    /// from `list`. ISO 8.5.3.
    ///
    /// ?- point(3, 4) =.. L.
    /// L = [point, 3, 4].
    ///
    /// ?- T =.. [point,3,4].
    /// T = point(3, 4).
    ///
    /// ?- T =.. [X,1].
    /// error: (=..)/2: Arguments are not sufficiently instantiated [instantiation_error]
    iso "=.."("?term", "?list") = |m, [term, list]| {
        if term.is_var() {
            let made = term_of_list(m, list)?;
            return Ok(m.unify(term, made)?);
        }
        m.check_list_result(list)?;
        unify_parts(m, term, list)
    };

    /// Unifies the second term with a copy of the first that has fresh variables. Copies the attributes of
    /// variables too. ISO 8.5.4.
    ///
    /// ?- copy_term(f(X, Y, X), Copy).
    /// Copy = f(_A, _, _A).
    iso "copy_term"("?term", "?term") = |m, [term, copy]| {
        let made = m.store.copy_term(term, Attrs::Keep)?;
        Ok(m.unify(copy, made)?)
    };

    /// Unifies the second term with a copy of the first that has fresh variables without attributes.
    ///
    /// ?- freeze(X, true), copy_term_nat(f(X), T), term_attvars(T, Vs).
    /// T = f(_),
    /// Vs = [],
    /// freeze(X, true).
    library "copy_term_nat"("?term", "?term") = |m, [term, copy]| {
        let made = m.store.copy_term(term, Attrs::Drop)?;
        Ok(m.unify(copy, made)?)
    };

    /// Unifies the second term with a copy of the first that has fresh variables and shares no subterm with
    /// it.
    ///
    /// ?- duplicate_term(f(X, a), T).
    /// T = f(_, a).
    library "duplicate_term"("?term", "?term") = |m, [term, copy]| {
        let made = m.store.duplicate_term(term, Attrs::Keep)?;
        Ok(m.unify(copy, made)?)
    };

    /// Unifies `list` with the list of the variables of `term` in the order of their first occurrence.
    /// ISO 8.5.5.
    ///
    /// ?- term_variables(f(X, g(Y), X), Vs).
    /// Vs = [X, Y].
    iso "term_variables"("?term", "-list") = |m, [term, variables]| {
        m.check_list_result(variables)?;
        let list = m.store.term_variables(term, Cell::atom(atoms::NIL))?;
        Ok(m.unify(variables, list)?)
    };

    /// Unifies the first list with the list of the variables of `term`, followed by the second list.
    ///
    /// ?- term_variables(f(X, g(Y)), Vs, Tail).
    /// Vs = [X, Y|Tail].
    library "term_variables"("?term", "-list", "?list") = |m, [term, variables, tail]| {
        let list = m.store.term_variables(term, tail)?;
        Ok(m.unify(variables, list)?)
    };

    /// Unifies `variable` with the first variable of `term`. Fails if `term` has no variables.
    ///
    /// ?- nonground(f(a, X, Y), V).
    /// X = V.
    ///
    /// ?- nonground(f(a), V).
    /// false.
    library "nonground"("?term", "-variable") = |m, [term, variable]| {
        let tail = Cell::atom(atoms::NIL);
        let list = m.store.term_variables(term, tail)?;
        match m.store.view(list) {
            View::List(cell) => {
                let first = m.store.arg(cell, 0);
                Ok(m.unify(variable, first)?)
            }
            _ => Ok(false),
        }
    };

    /// Binds the variables of `term` to `'$VAR'(N)`, with `N` from 0 on.
    library "numbervars"("?term") = |m, [term]| {
        let end = m.store.new_var();
        number_vars(m, term, Cell::int(0), end)
    };

    /// Binds the variables of `term` to `'$VAR'(N)`, with `N` from the first integer on. Unifies the last
    /// integer with the next number.
    ///
    /// ?- T = f(X, Y), numbervars(T, 0, End).
    /// T = f('$VAR'(0), '$VAR'(1)),
    /// X = '$VAR'(0),
    /// Y = '$VAR'(1),
    /// End = 2.
    library "numbervars"("?term", "+integer", "?integer") = |m, [term, start, end]| {
        number_vars(m, term, start, end)
    };

    /// Unifies `atom` and `integer` with the name and the arity of `compound`, or makes `compound` from them.
    /// The arity may be 0.
    ///
    /// ?- compound_name_arity(point(3, 4), Name, Arity).
    /// Name = point,
    /// Arity = 2.
    library "compound_name_arity"("?compound", "?atom", "?integer") = |m, [term, name, arity]| {
        if !term.is_var() {
            let (functor, _) = compound_arg(m, term)?;
            let its_name = m.world.symbols.name(functor);
            return Ok(m.unify_atom(name, its_name)? && m.unify_size(arity, functor.arity())?);
        }
        if name.is_var() {
            return Err(m.instantiation_error());
        }
        let count = m.size_arg(arity)?;
        let functor = new_functor(m, name, count)?;
        let compound = m.store.new_general_struct(functor)?;
        Ok(m.unify(term, compound)?)
    };

    /// Unifies `atom` and `list` with the name and the arguments of `compound`, or makes `compound` from
    /// them.
    ///
    /// ?- compound_name_arguments(point(3, 4), Name, Arguments).
    /// Name = point,
    /// Arguments = [3, 4].
    ///
    /// ?- compound_name_arguments(T, point, [3,4]).
    /// T = point(3, 4).
    library "compound_name_arguments"("?compound", "?atom", "?list") = |m, [term, name, list]| {
        if !term.is_var() {
            let (functor, addr) = compound_arg(m, term)?;
            let its_name = m.world.symbols.name(functor);
            let items = arguments(m, (functor, addr))?;
            return Ok(m.unify_atom(name, its_name)? && m.unify_items(list, &items)?);
        }
        if name.is_var() {
            return Err(m.instantiation_error());
        }
        let items = m.list_arg(list)?;
        let functor = new_functor(m, name, items.len())?;
        let compound = new_compound(m, functor, &items)?;
        Ok(m.unify(term, compound)?)
    };

    /// Unifies `integer` with a hash value that is the same for equal ground terms. If `term` contains
    /// variables, `integer` stays unbound.
    ///
    /// ?- term_hash(f(X), Hash).
    /// true.
    library "term_hash"("?term", "-integer") = |m, [term, hash]| {
        match m.store.term_hash(term)? {
            Some(value) => Ok(m.unify_int(hash, (value >> 8) as i64)?),
            None => Ok(true),
        }
    };

    /// Unifies `integer` with the number of words that a copy of `term` takes.
    library "term_size"("?term", "-integer") = |m, [term, size]| {
        let words = m.store.term_size(term)?;
        Ok(m.unify_size(size, words)?)
    };
}
