//! From terms to texts and back without a stream: `term_to_atom/2` and its kin.

use super::args::room_for;
use super::atoms::{Make, make_text};
use super::clause_reader::read_tree;
use crate::base::grow::{Gather, Grow, joined, with_room};
use crate::base::symbol::{atoms, functors};
use crate::front::build::build;
use crate::machine::builtin::builtins;
use crate::machine::state::Machine;
use crate::machine::throw::{Ball, Throw};
use crate::store::cell::Cell;
use crate::store::heap::OutOfMemory;
use crate::text::ast::Ast;
use crate::text::write_options::{WriteEnv, WriteOptions};
use crate::text::writer::{WriteStop, try_term_text};

/// A term read from a text, and its named variables.
pub(crate) struct ReadText {
    /// The term; `end_of_file` if the text holds none.
    pub(crate) term: Cell,
    /// The names of its variables, without `_`, and the variables.
    pub(crate) names: Vec<(String, Cell)>,
}

/// Reads the term of a text, which needs no full stop.
pub(crate) fn read_text(m: &mut Machine, text: &str) -> Result<ReadText, Throw> {
    // The end must not become part of the last token, nor of a comment.
    let text = joined(&[text, "\n."]);
    let mut ast = Ast::new();
    let empty = text.trim() == ".";
    let mut at = 0;
    match read_tree(m, &text, &mut at, true, &mut ast) {
        Ok(false) => {}
        _ if empty => {}
        Ok(true) => {
            let (term, vars) = build(&mut m.store, &mut m.symbols, &ast)?;
            let named = vars
                .iter()
                .zip(0u32..)
                .map(|(&var, index)| (ast.var_name(index), var));
            let names = named.filter(|(name, _)| *name != "_");
            return Ok(ReadText {
                term,
                names: names.map(|(n, v)| (n.to_owned(), v)).gather(),
            });
        }
        Err(error) if error.is_out_of_memory() => return Err(OutOfMemory.into()),
        Err(error) => {
            let message = error.message();
            return Err(m.syntax_error(error.name(), &message));
        }
    }
    Ok(ReadText {
        term: Cell::atom(atoms::END_OF_FILE),
        names: Vec::new(),
    })
}

/// The exception for a text that was broken off.
pub(crate) fn write_stopped(stop: WriteStop) -> Throw {
    match stop {
        WriteStop::Interrupted => Throw::new(Ball::Aborted),
        WriteStop::TooLong => OutOfMemory.into(),
    }
}

/// The text of a term, quoted.
///
/// # Errors
/// It was broken off.
pub(crate) fn quoted_text(m: &Machine, term: Cell) -> Result<String, WriteStop> {
    let env = WriteEnv {
        store: &m.store,
        symbols: &m.symbols,
        ops: &m.ops,
        flags: &m.flags,
    };
    try_term_text(
        &env,
        term,
        &WriteOptions {
            quoted: true,
            ..WriteOptions::default()
        },
    )
}

/// `term_to_atom/2` and its like: reads if there is a text, else writes.
fn term_and_text(m: &mut Machine, term: Cell, text: Cell, make: Make) -> Result<bool, Throw> {
    if text.is_var() {
        let written = quoted_text(m, term).map_err(write_stopped)?;
        let made = make_text(m, &written, make)?;
        return Ok(m.unify(text, made));
    }
    let text = m.text_arg(text)?;
    let read = read_text(m, &text)?;
    Ok(m.unify(term, read.term))
}

/// `Name = Variable` for each variable of a read term.
fn bindings(m: &mut Machine, names: &[(String, Cell)]) -> Result<Cell, Throw> {
    room_for(m, names.len(), 3)?;
    let mut equations = with_room(names.len());
    for (name, variable) in names {
        let name = Cell::atom(m.symbols.intern_passing(name));
        equations.put(m.store.new_struct(functors::EQUAL, &[name, *variable]));
    }
    Ok(m.store.list_of(&equations)?)
}

/// What the options of reading ask for.
#[derive(Copy, Clone, PartialEq, Eq)]
enum Wanted {
    VariableNames,
    Variables,
}

/// The options of reading from a text, each with what its result is to be unified with.
fn read_options(m: &mut Machine, options: Cell) -> Result<Vec<(Wanted, Cell)>, Throw> {
    let mut wanted = Vec::new();
    for item in m.option_list(options)? {
        let option = m.option_term(item, atoms::READ_OPTION)?;
        match m.symbols.text(option.name) {
            "variable_names" | "bindings" => wanted.push((Wanted::VariableNames, option.value)),
            "variables" => wanted.push((Wanted::Variables, option.value)),
            _ => return Err(m.domain_error(atoms::READ_OPTION, option.term)),
        }
    }
    Ok(wanted)
}

/// Reads the term of a text, and tells of it what is wanted.
fn read_with(
    m: &mut Machine,
    text: &str,
    term: Cell,
    wanted: Vec<(Wanted, Cell)>,
) -> Result<bool, Throw> {
    let read = read_text(m, text)?;
    let mut told = Vec::with_capacity(wanted.len());
    for (wanted, cell) in wanted {
        let value = match wanted {
            Wanted::VariableNames => bindings(m, &read.names)?,
            Wanted::Variables => {
                let tail = Cell::atom(atoms::NIL);
                m.store.term_variables(read.term, tail)?
            }
        };
        told.push((cell, value));
    }
    // What is told is made before anything is bound.
    Ok(m.unify(term, read.term) && told.into_iter().all(|(cell, value)| m.unify(cell, value)))
}

builtins! { TERM_TEXT =
    /// `Atom` is a text of `Term`: reads `Atom` if it is known, else writes `Term`, quoted.
    ///
    /// ?- term_to_atom(f('A b', 1), A).
    /// A = 'f(\'A b\',1)'.
    ///
    /// ?- term_to_atom(T, 'foo(X, Y, X)').
    /// T = foo(_A, _, _A).
    library "term_to_atom"("?term", "?atom") = |m, [term, atom]| {
        term_and_text(m, term, atom, Make::Atom)
    };

    /// `String` is a text of `Term`: reads `String` if it is known, else writes `Term`, quoted.
    ///
    /// ?- term_string(T, "foo(X, bar)").
    /// T = foo(_, bar).
    ///
    /// ?- term_string(f(x, 'A'), S).
    /// S = "f(x,'A')".
    library "term_string"("?term", "?string") = |m, [term, string]| {
        term_and_text(m, term, string, Make::String)
    };

    /// Like `term_string/2`. What is read is told as by `read_term/2`: `variable_names(Es)` or
    /// `bindings(Es)`, `variables(Vs)`.
    ///
    /// ?- term_string(T, "a + B", [variable_names(Names)]).
    /// T = a+_A,
    /// Names = ['B'=_A].
    library "term_string"("?term", "?string", "+list") = |m, [term, string, options]| {
        let wanted = read_options(m, options)?;
        if string.is_var() {
            return term_and_text(m, term, string, Make::String);
        }
        let text = m.text_arg(string)?;
        read_with(m, &text, term, wanted)
    };

    /// `Term` is read from `Atom`; `Bindings` are equations `'Name' = Variable`.
    ///
    /// ?- atom_to_term('foo(X, Y, X)', T, Bindings).
    /// T = foo(_A, _B, _A),
    /// Bindings = ['X'=_A, 'Y'=_B].
    library "atom_to_term"("+atom", "-term", "-list") = |m, [atom, term, equations]| {
        let text = m.text_arg(atom)?;
        let read = read_text(m, &text)?;
        let list = bindings(m, &read.names)?;
        Ok(m.unify(term, read.term) && m.unify(equations, list))
    };

    /// `Term` is read from the text `Text`. Options as of `term_string/3`.
    ///
    /// ?- read_term_from_atom('foo(Bar)', T, []).
    /// T = foo(_).
    library "read_term_from_atom"("+text", "-term", "+list") = |m, [text, term, options]| {
        let wanted = read_options(m, options)?;
        let text = m.text_arg(text)?;
        read_with(m, &text, term, wanted)
    };
}
