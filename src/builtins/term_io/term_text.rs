//! Conversion between terms and texts without a stream: `term_to_atom/2` and similar builtins.

use super::term_read::{ReadOptions, read_option, read_text};
use super::term_write::write_option;
use crate::base::atom_table::atoms;
use crate::base::stop::Stop;
use crate::builtins::texts::atoms::{Make, make_text};
use crate::machine::builtin::builtins;
use crate::machine::control::throw::Throw;
use crate::machine::state::Machine;
use crate::store::cell::Cell;
use crate::text::bounded_text::WriteStop;
use crate::text::write_options::WriteOptions;
use crate::text::writer::try_term_text;

/// Returns the exception for a stopped conversion. If a stop of the query is requested, the machine detects it.
pub(crate) fn write_stopped(_: WriteStop) -> Throw {
    Stop.into()
}

fn quoted() -> WriteOptions {
    WriteOptions {
        quoted: true,
        ..WriteOptions::default()
    }
}

/// Returns the text of a term, quoted.
///
/// # Errors
/// Returns an error if the conversion was stopped.
pub(crate) fn quoted_text(m: &Machine, term: Cell) -> Result<String, WriteStop> {
    try_term_text(&m.write_env_of(atoms::USER)?, term, &quoted())
}

/// Runs `term_to_atom/2` and similar builtins: reads if there is a text, otherwise writes.
fn term_and_text(m: &mut Machine, term: Cell, text: Cell, make: Make) -> Result<bool, Throw> {
    if text.is_var() {
        return written(m, term, text, make, &quoted());
    }
    let text = text_to_read(m, text, make)?;
    read_text(m, &text, term, &ReadOptions::default())
}

/// Returns the text of an argument. For builtins that make strings, the atom `[]` is the empty text.
fn text_to_read(m: &mut Machine, text: Cell, make: Make) -> Result<String, Throw> {
    if make == Make::Atom && m.store.deref(text) == Cell::atom(atoms::NIL) {
        return Ok("[]".to_owned());
    }
    m.text_arg(text)
}

/// Unifies `text` with the text of a term.
fn written(
    m: &mut Machine,
    term: Cell,
    text: Cell,
    make: Make,
    options: &WriteOptions,
) -> Result<bool, Throw> {
    let written =
        try_term_text(&m.write_env_of(options.module)?, term, options).map_err(write_stopped)?;
    let made = make_text(m, &written, make)?;
    Ok(m.unify(text, made)?)
}

/// Returns the options for reading.
fn read_options(m: &mut Machine, options: Cell) -> Result<ReadOptions, Throw> {
    let mut parsed = ReadOptions::default();
    for item in m.option_list(options)? {
        let option = m.option_term(item, atoms::READ_OPTION)?;
        read_option(m, option, &mut parsed)?;
    }
    Ok(parsed)
}

/// Options for reading that are ignored when a text is written.
const OF_READING: [&str; 8] = [
    "variables",
    "bindings",
    "singletons",
    "term_position",
    "subterm_positions",
    "comments",
    "syntax_errors",
    "double_quotes",
];

/// Returns the options for writing. Options for reading may be among them.
fn write_options(m: &mut Machine, options: Cell) -> Result<WriteOptions, Throw> {
    let mut parsed = quoted();
    for item in m.option_list(options)? {
        let option = m.option_term(item, atoms::WRITE_OPTION)?;
        let of_reading = match option.name {
            // The names are requested, not given.
            atoms::VARIABLE_NAMES => option.value.is_var(),
            name => OF_READING.contains(&m.world.symbols.text(name)),
        };
        if !of_reading {
            write_option(m, option, &mut parsed)?;
        }
    }
    Ok(parsed)
}

builtins! { TERM_TEXT =
    /// Reads `term` from `atom` if `atom` is bound, else unifies `atom` with the quoted text of `term`.
    ///
    /// ?- term_to_atom(f('A b', 1), A).
    /// A = 'f(\'A b\',1)'.
    ///
    /// ?- term_to_atom(T, 'foo(X, Y, X)').
    /// T = foo(_A, _, _A).
    library "term_to_atom"("?term", "?atom") = |m, [term, atom]| {
        term_and_text(m, term, atom, Make::Atom)
    };

    /// Reads `term` from `string` if `string` is bound, else unifies `string` with the quoted text of `term`.
    ///
    /// ?- term_string(T, "foo(X, bar)").
    /// T = foo(_, bar).
    ///
    /// ?- term_string(f(x, 'A'), S).
    /// S = "f(x,'A')".
    library "term_string"("?term", "?string") = |m, [term, string]| {
        term_and_text(m, term, string, Make::String)
    };

    /// Reads or writes like `term_string/2`, with options in `list`: those of `read_term/2` when it reads
    /// `string`, those of `write_term/2` when it writes `term`. `bindings(Es)` means the same as
    /// `variable_names(Es)`.
    ///
    /// ?- term_string(T, "a + B", [variable_names(Names)]).
    /// T = a+_A,
    /// Names = ['B'=_A].
    ///
    /// ?- term_string(T, "f(X, Y, X)", [singletons(Names)]).
    /// T = f(_A, _B, _A),
    /// Names = ['Y'=_B].
    ///
    /// ?- term_string(1+2, S, [ignore_ops(true)]).
    /// S = "+(1,2)".
    library "term_string"("?term", "?string", "+list") = |m, [term, string, options]| {
        if string.is_var() {
            let options = write_options(m, options)?;
            return written(m, term, string, Make::String, &options);
        }
        let options = read_options(m, options)?;
        let text = m.text_arg(string)?;
        read_text(m, &text, term, &options)
    };

    /// Reads `term` from the text of `atom` and unifies `list` with its bindings, equations
    /// `'Name' = Variable`.
    ///
    /// ?- atom_to_term('foo(X, Y, X)', T, Bindings).
    /// T = foo(_A, _B, _A),
    /// Bindings = ['X'=_A, 'Y'=_B].
    library "atom_to_term"("+atom", "-term", "-list") = |m, [atom, term, equations]| {
        let text = text_to_read(m, atom, Make::Atom)?;
        read_text(m, &text, term, &ReadOptions::with_names(equations))
    };

    /// Reads `term` from `text` with the options of `read_term/2` in `list`.
    ///
    /// ?- read_term_from_atom('foo(Bar)', T, []).
    /// T = foo(_).
    library "read_term_from_atom"("+text", "-term", "+list") = |m, [text, term, options]| {
        let options = read_options(m, options)?;
        let text = text_to_read(m, text, Make::Atom)?;
        read_text(m, &text, term, &options)
    };
}
