//! Builtins of Lolli, under names of the system. `lolli::modules` gives them the names that Lolli text uses.

use crate::base::atom_table::{Atom, Functor, atoms, functors};
use crate::base::growth::{Gather, Grow, GrowAt, joined_by, text_of};
use crate::base::stop::Stop;
use crate::builtins::term_io::term_text::write_stopped;
use crate::front::formula_class::{Class, Fault, check};
use crate::machine::builtin::builtins;
use crate::machine::control::throw::Throw;
use crate::machine::lolli_arith::{order, value};
use crate::machine::state::Machine;
use crate::store::address::HeapAddr;
use crate::store::body::{Parts, Visit};
use crate::store::cell::Cell;
use crate::store::heap::View;
use crate::text::lolli::writer::Form;
use crate::text::var_names::letter_name;

/// Builtins of Lolli: name, number of arguments, and the builtin of the system behind it.
pub(crate) const NAMES: &[(&str, usize, &str)] = &[
    ("write", 1, "$lolli_write"),
    ("write_raw", 1, "$lolli_write_raw"),
    ("write_clause", 1, "$lolli_write_clause"),
    ("write_sans", 1, "$lolli_write_sans"),
    ("nl", 0, "nl"),
    ("var", 1, "var"),
    ("nonvar", 1, "nonvar"),
    ("is", 2, "$lolli_is"),
    ("=:=", 2, "$lolli_equal"),
    ("=\\=", 2, "$lolli_different"),
    ("=<", 2, "$lolli_at_most"),
    (">=", 2, "$lolli_at_least"),
    ("<", 2, "$lolli_less"),
    (">", 2, "$lolli_greater"),
    ("explode", 2, "$lolli_explode"),
    ("explode_words", 2, "$lolli_explode_words"),
    ("generalize", 2, "$lolli_generalize"),
];

/// Names of further predicates of Lolli, which are clauses of the library.
pub(crate) const CLAUSES: &[&str] = &[
    "telling", "seeing", "timing", "load", "cd", "system", "top", "fail", "pop", "popall", "abort",
    "exit", "bye", "=", "read",
];

// ---- formulas -----------------------------------------------------------------------------------

/// Returns the message for a formula that is not of its class; `text` is the faulty part.
pub(crate) fn fault_message(fault: Fault, text: &str) -> String {
    match fault {
        Fault::Connective(_) => fault.message(),
        Fault::Endless => format!("A formula without end ({text})"),
        Fault::NoRoom => format!("A formula too large ({text})"),
        Fault::NoName => format!("Non-name in function position ({text})"),
        Fault::Special => {
            format!("Cannot assume clause with special predicate ({text}) as head")
        }
        Fault::Flexible(Class::Linear) => {
            format!("Dformula with flexible head ({text}) cannot be assumed")
        }
        Fault::Flexible(_) => format!("Rformula with flexible head ({text}) cannot be assumed"),
    }
}

/// Returns the error for a formula that is not of its class.
pub(crate) fn fault_error(m: &mut Machine, fault: Fault, culprit: Cell) -> Throw {
    new_fault_error(m, fault, culprit).unwrap_or_else(Throw::from)
}

fn new_fault_error(m: &mut Machine, fault: Fault, culprit: Cell) -> Result<Throw, Stop> {
    match fault {
        Fault::NoName => return Ok(m.no_name_error(culprit)),
        Fault::Endless => return Ok(m.type_error(atoms::ACYCLIC, culprit)),
        Fault::NoRoom => return Err(Stop),
        _ => {}
    }
    let message = fault_message(fault, &m.lolli_text(culprit));
    let formal = match fault {
        Fault::Flexible(_) => Cell::atom(atoms::INSTANTIATION_ERROR),
        Fault::Special => {
            let functor = m.store.compound(culprit).map(|(functor, _)| functor);
            let functor = match (functor, m.store.view(culprit)) {
                (Some(functor), _) => functor,
                (None, View::Atom(name)) => m.world.symbols.functor_passing(name, 0)?,
                _ => functors::LIST,
            };
            let indicator = m.indicator(functor);
            let args = [
                Cell::atom(atoms::MODIFY),
                Cell::atom(atoms::STATIC_PROCEDURE),
                indicator,
            ];
            m.store.new_struct(functors::PERMISSION_ERROR, &args)
        }
        _ => {
            let domain = Cell::atom(m.world.symbols.intern("formula")?);
            m.store
                .new_struct(functors::DOMAIN_ERROR, &[domain, culprit])
        }
    };
    Ok(m.throw_message(formal, Some(&message)))
}

/// Checks a whole formula. Returns the goals `Module --o Goal` in it.
///
/// # Errors
/// The fault and the faulty part, if the formula is not of this class.
pub(crate) fn check_formula(
    m: &Machine,
    formula: Cell,
    class: Class,
) -> Result<Vec<Cell>, (Fault, Cell)> {
    let special = |name| m.is_special(name);
    check(&m.store, &m.world.symbols, formula, class, &special)
}

/// Returns the error for a formula that cannot be assumed.
pub(in crate::builtins) fn not_assumed(m: &mut Machine, formula: Cell, linear: bool) -> Throw {
    let class = if linear { Class::Linear } else { Class::Clause };
    if let Err((fault, culprit)) = check_formula(m, formula, class) {
        return fault_error(m, fault, culprit);
    }
    let class = match m.store.view(formula) {
        View::Var(_) => class,
        _ => Class::Clause,
    };
    let head = flexible_head(m, formula);
    fault_error(m, Fault::Flexible(class), head)
}

/// Returns the variable that is the head of a formula.
fn flexible_head(m: &Machine, mut formula: Cell) -> Cell {
    while let View::Struct(functors::LOLLIPOP | functors::IMPLIES, args) = m.store.view(formula) {
        formula = m.store.arg(args, 1);
    }
    m.store.deref(formula)
}

/// Converts the head of an assumed clause to the form in which goals call it. This is a compound term with a known
/// name, or `$app(Eigenvariable, …)`.
///
/// # Errors
/// Returns an error if the head is a variable, a number, or a predicate reserved by Lolli.
pub(in crate::builtins) fn head(m: &mut Machine, head: Cell) -> Result<Cell, Throw> {
    let mut args: Vec<Cell> = Vec::new();
    let mut met = Parts::default();
    let mut name = m.store.deref(head);
    let plain = loop {
        if let Visit::Endless = met.again(&m.store, head, name, 0)? {
            return Err(m.type_error(atoms::ACYCLIC, head));
        }
        match m.store.view(name) {
            View::Struct(functors::EIGENVARIABLE, _) => {
                args.put_at(0, name)?;
                break atoms::APPLICATION;
            }
            View::Struct(functor, at) => {
                let own = m.world.symbols.name(functor);
                let apply = own == atoms::APPLICATION;
                let from = usize::from(apply);
                let inner: Vec<Cell> = (from..functor.arity())
                    .map(|index| m.store.arg(at, index))
                    .gather()?;
                args.splice(0..0, inner);
                if !apply {
                    break own;
                }
                name = m.store.arg(at, 0);
            }
            View::Atom(atom) => break atom,
            View::List(_) => return Ok(head),
            View::Var(_) => return Err(fault_error(m, Fault::Flexible(Class::Clause), head)),
            _ => return Err(fault_error(m, Fault::NoName, name)),
        }
    };
    if m.is_special(plain) {
        return Err(fault_error(m, Fault::Special, head));
    }
    named(m, plain, &args)
}

/// Builds `name(args…)`.
fn named(m: &mut Machine, name: Atom, args: &[Cell]) -> Result<Cell, Throw> {
    if args.is_empty() {
        return Ok(Cell::atom(name));
    }
    m.store.reserve(args.len() + 1)?;
    let functor = m.world.symbols.functor_passing(name, args.len())?;
    Ok(m.store.new_struct(functor, args))
}

// ---- writing ------------------------------------------------------------------------------------

fn write(m: &mut Machine, term: Cell, form: Form) -> Result<bool, Throw> {
    let text = m.lolli_form(term, form).map_err(write_stopped)?;
    let target = m.output_target(None)?;
    m.write_text_to(target, &text)
}

// ---- texts and lists ----------------------------------------------------------------------------

/// Returns `::/2` and `nil`, the symbols of Lolli's lists.
fn list_symbols(m: &mut Machine) -> Result<(Functor, Atom), Stop> {
    let symbols = &mut m.world.symbols;
    let cons = symbols.intern("::")?;
    Ok((symbols.functor(cons, 2)?, symbols.intern("nil")?))
}

/// Builds the list `a :: b :: nil` of these items.
fn list_term(m: &mut Machine, items: &[Cell]) -> Result<Cell, Throw> {
    let (cons, nil) = list_symbols(m)?;
    m.store.reserve(items.len().saturating_mul(3))?;
    let mut list = Cell::atom(nil);
    for &item in items.iter().rev() {
        list = m.store.new_struct(cons, &[item, list]);
    }
    Ok(list)
}

/// Returns the members of a list `a :: b :: nil`, or `None` for any other term.
fn list_members(m: &mut Machine, list: Cell) -> Result<Option<Vec<Cell>>, Stop> {
    let (cons, nil) = list_symbols(m)?;
    let mut members = Vec::new();
    let mut rest = m.store.deref(list);
    let mut seen: Option<HeapAddr> = None;
    loop {
        match m.store.view(rest) {
            View::Atom(name) if name == nil => return Ok(Some(members)),
            View::Struct(functor, args) if functor == cons => {
                if seen == Some(args) {
                    return Ok(None);
                }
                if members.len().is_power_of_two() {
                    seen = Some(args);
                }
                members.put(m.store.arg(args, 0))?;
                rest = m.store.arg(args, 1);
            }
            _ => return Ok(None),
        }
    }
}

/// Runs `explode` or `explode_words`. The list has the parts of the string as names; `glue` goes between them when
/// they are joined.
fn explode(
    m: &mut Machine,
    text: Cell,
    list: Cell,
    predicate: &str,
    glue: &str,
    parts: fn(&str) -> Result<Vec<&str>, Stop>,
) -> Result<bool, Throw> {
    let list = m.apply_terms(list)?;
    if let View::String(addr) = m.store.view(text) {
        let whole = text_of(m.store.text(addr))?;
        let items = m.atoms_of(&parts(&whole)?)?;
        let found = list_term(m, &items)?;
        return Ok(m.unify(list, found)?);
    }
    let members = if text.is_var() {
        list_members(m, list)?
    } else {
        None
    };
    let name = |cell: &Cell| match m.store.view(*cell) {
        View::Atom(name) => Some(m.world.symbols.text(name)),
        _ => None,
    };
    let known = members.filter(|members| members.iter().all(|member| name(member).is_some()));
    let Some(members) = known else {
        let culprit = m.lolli_text(if text.is_var() { list } else { text });
        let message =
            format!("`{predicate}' needs a string, or a list of names ended by nil ({culprit})");
        let formal = Cell::atom(atoms::INSTANTIATION_ERROR);
        return Err(m.throw_message(formal, Some(&message)));
    };
    let names = members.iter().filter_map(name).gather()?;
    let whole = joined_by(&names, glue)?;
    let whole = m.store.new_string(&whole)?;
    Ok(m.unify(text, whole)?)
}

fn characters(text: &str) -> Result<Vec<&str>, Stop> {
    text.split_inclusive(|_: char| true).gather()
}

fn words(text: &str) -> Result<Vec<&str>, Stop> {
    let blank = |c: char| c == ' ' || c == '\t';
    text.split(blank).filter(|word| !word.is_empty()).gather()
}

/// Builds `forall A \ … term` over the variables of a term.
fn generalize(m: &mut Machine, term: Cell) -> Result<Cell, Throw> {
    let term = m.apply_terms(term)?;
    if !m.store.acyclic_term(term)? {
        return Err(m.type_error(atoms::ACYCLIC, term));
    }
    let variables = m.store.variables_of(term)?;
    let mut bounds = Vec::with_capacity(variables.len());
    let mut names = Vec::with_capacity(variables.len());
    for (&variable, number) in variables.iter().zip(0u64..) {
        m.store.reserve(8)?;
        let place = variable.addr().saturating_sub(m.store.heap.base) / 8;
        let name = Cell::atom(
            m.world
                .symbols
                .intern(&format!("{}_{place}", letter_name(number)))?,
        );
        bounds.put(m.store.new_struct(functors::BOUND, &[name]))?;
        names.put(name)?;
    }
    let mut whole = m.store.replace(term, &variables, &bounds)?;
    for &name in names.iter().rev() {
        m.store.reserve(8)?;
        let abstraction = m.store.new_struct(functors::LAMBDA, &[name, whole]);
        whole = m.store.new_struct(functors::FORALL1, &[abstraction]);
    }
    Ok(whole)
}

builtins! { LOLLI =
    /// Runs Lolli's `write`.
    iso "$lolli_write"("@term") needs output = |m, [term]| write(m, term, Form::Goal);

    /// Runs Lolli's `write_raw`: writes one argument at a time, with all parentheses.
    iso "$lolli_write_raw"("@term") needs output = |m, [term]| write(m, term, Form::Raw);

    /// Runs Lolli's `write_clause`: writes implications as clauses.
    iso "$lolli_write_clause"("@term") needs output = |m, [term]| write(m, term, Form::Clause);

    /// Runs Lolli's `write_sans`: writes names and strings without carets and quotes.
    iso "$lolli_write_sans"("@term") needs output = |m, [term]| write(m, term, Form::Sans);

    /// Joins applications in the arguments of `Term` whose functions have become names.
    iso "$put_together"("+term") = always |m, [term]| m.apply_terms(term)?;

    /// Returns a term as text, as Lolli's `write` writes it.
    iso "$lolli_shown"("@term", "-string") = |m, [term, text]| {
        let shown = m.lolli_form(term, Form::Goal).map_err(write_stopped)?;
        m.unify_string(text, &shown)
    };

    /// Returns a term as text, as Lolli's `write_clause` writes it.
    iso "$lolli_clause_shown"("@term", "-string") = |m, [term, text]| {
        let shown = m.lolli_form(term, Form::Clause).map_err(write_stopped)?;
        m.unify_string(text, &shown)
    };

    /// Runs Lolli's `is`: `Value` is the value of an expression of integers.
    iso "$lolli_is"("?integer", "+expression") = |m, [result, expression]| {
        let value = value(m, expression, "2nd", "is")?;
        m.unify_number(result, &value)
    };

    /// Runs Lolli's `=:=`.
    iso "$lolli_equal"("+expression", "+expression") = |m, [x, y]| {
        Ok(order(m, x, y, "=:=")?.is_eq())
    };

    /// Runs Lolli's `=\\=`.
    iso "$lolli_different"("+expression", "+expression") = |m, [x, y]| {
        Ok(order(m, x, y, "=\\=")?.is_ne())
    };

    /// Runs Lolli's `=<`.
    iso "$lolli_at_most"("+expression", "+expression") = |m, [x, y]| {
        Ok(order(m, x, y, "=<")?.is_le())
    };

    /// Runs Lolli's `>=`.
    iso "$lolli_at_least"("+expression", "+expression") = |m, [x, y]| {
        Ok(order(m, x, y, ">=")?.is_ge())
    };

    /// Runs Lolli's `<`.
    iso "$lolli_less"("+expression", "+expression") = |m, [x, y]| {
        Ok(order(m, x, y, "<")?.is_lt())
    };

    /// Runs Lolli's `>`.
    iso "$lolli_greater"("+expression", "+expression") = |m, [x, y]| {
        Ok(order(m, x, y, ">")?.is_gt())
    };

    /// Runs Lolli's `explode`: `List` has the characters of a string as names.
    iso "$lolli_explode"("?text", "?list") = |m, [text, list]| {
        explode(m, text, list, "explode", "", characters)
    };

    /// Runs Lolli's `explode_words`: `List` has the words of a string as names.
    iso "$lolli_explode_words"("?text", "?list") = |m, [text, list]| {
        explode(m, text, list, "explode_words", " ", words)
    };

    /// Runs Lolli's `generalize`: `General` is `Term` quantified over its variables.
    iso "$lolli_generalize"("@term", "-term") = |m, [term, general]| {
        let found = generalize(m, term)?;
        m.unify_scoped(general, found)
    };
}
