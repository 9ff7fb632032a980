//! Implementation of `read_term/2,3` and `read/1,2` (ISO 13211-1, 8.14.1 and 7.10.3).

use super::clause_reader::{
    END_OF_FILE, ReadView, StreamRead, VariableLists, read_from_stream, read_from_text,
    syntax_throw, with_ast,
};
use super::read_layout::ReadLayout;
use crate::base::atom_table::atoms;
use crate::base::flags::{Flags, QuoteMode};
use crate::base::growth::Grow;
use crate::builtins::streams::errors_io::{OptionTerm, Target};
use crate::front::build::build;
use crate::io::position::Position;
use crate::machine::builtin::builtins;
use crate::machine::control::throw::Throw;
use crate::machine::state::Machine;
use crate::store::cell::Cell;
use crate::text::ast::Ast;

builtins! { TERM_READ =
    /// Reads `term` from the current input; at the end it is `end_of_file`. ISO 8.14.2.
    iso "read"("?term") needs effect = |m, [term]| read(m, None, term, Cell::atom(atoms::NIL));
    /// Reads `term` from `stream`; at the end it is `end_of_file`. ISO 8.14.2.
    ///
    /// ?- open_string('p(a). q.', _In), read(_In, A), read(_In, B), read(_In, C), close(_In).
    /// A = p(a),
    /// B = q,
    /// C = end_of_file.
    iso "read"("+stream", "?term") needs effect = |m, [stream, term]| {
        read(m, Some(stream), term, Cell::atom(atoms::NIL))
    };
    /// Reads `term` from the current input with the options in `list`. ISO 8.14.1.
    iso "read_term"("?term", "+list") needs effect = |m, [term, options]| read(m, None, term, options);
    /// Reads `term` from `stream` with the options in `list`: `variables(Vs)`, `variable_names(Es)`,
    /// `singletons(Es)`, `syntax_errors(A)`, `term_position(P)`, `double_quotes(F)`. ISO 8.14.1. As in
    /// SWI-Prolog, `comments(Cs)` gives the comments before and in the term as `Position-String`.
    /// `subterm_positions(P)` gives the positions of the term and its parts, in characters of the stream. A
    /// simple term has `From-To`, and quoted text `string_position(From, To)`. A compound term has
    /// `term_position(From, To, NameFrom, NameTo, Arguments)`. A list has `list_position(From, To, Elements, Tail)`, where `Tail` may be `none`. A term in braces has `brace_term_position(From, To, Argument)`. Parentheses add `parentheses_term_position(From, To, Inside)`
    /// around any of these.
    ///
    /// ?- open_string('p(X, Y, X). q.', _In), read_term(_In, T, [variable_names(Names)]), close(_In).
    /// T = p(_A, _B, _A),
    /// Names = ['X'=_A, 'Y'=_B].
    iso "read_term"("+stream", "?term", "+list") needs effect = |m, [stream, term, options]| {
        read(m, Some(stream), term, options)
    };
}

/// Result that an option requests.
#[derive(Copy, Clone, PartialEq, Eq)]
enum Wanted {
    Variables,
    VariableNames,
    Singletons,
    Position,
    Comments,
    SubtermPositions,
}

/// Effect of a syntax error.
#[derive(Copy, Clone, PartialEq, Eq, Default)]
enum OnSyntaxError {
    #[default]
    Raise,
    Fail,
    ReadOn,
}

/// Options for reading a term.
#[derive(Default)]
pub(in crate::builtins) struct ReadOptions {
    wanted: Vec<(Wanted, Cell)>,
    on_error: OnSyntaxError,
    /// Settings for reading that the options change.
    view: ReadView,
}

impl ReadOptions {
    /// Returns options with only `variable_names`.
    pub(in crate::builtins) fn with_names(names: Cell) -> ReadOptions {
        ReadOptions {
            wanted: vec![(Wanted::VariableNames, names)],
            ..ReadOptions::default()
        }
    }
}

impl ReadOptions {
    /// Returns the flags for reading, which the caller may change.
    fn flags(&mut self, m: &Machine) -> &mut Flags {
        let flags = &mut self.view.flags;
        flags.get_or_insert_with(|| m.world.flags.clone())
    }
}

fn read(m: &mut Machine, stream: Option<Cell>, term: Cell, options: Cell) -> Result<bool, Throw> {
    if stream.is_some_and(Cell::is_var) {
        return Err(m.instantiation_error());
    }
    let items = m.option_list(options)?;
    let target = m.input_target(stream)?;
    let mut parsed = ReadOptions::default();
    m.each_option(items, atoms::READ_OPTION, |m, option| {
        read_option(m, option, &mut parsed)
    })?;
    read_with(m, Source::Stream(target), term, &parsed)
}

/// Reads the term of a text, which needs no full stop. Returns `end_of_file` if the text has no term.
pub(in crate::builtins) fn read_text(
    m: &mut Machine,
    text: &str,
    term: Cell,
    options: &ReadOptions,
) -> Result<bool, Throw> {
    read_with(m, Source::Text(text, 0), term, options)
}

/// Source of a term.
enum Source<'t> {
    Stream(Target),
    /// Text, and the byte to start at.
    Text(&'t str, usize),
}

fn read_with(
    m: &mut Machine,
    source: Source<'_>,
    term: Cell,
    options: &ReadOptions,
) -> Result<bool, Throw> {
    let in_text = |&(wanted, _): &(Wanted, Cell)| {
        matches!(wanted, Wanted::Comments | Wanted::SubtermPositions)
    };
    let notes = options.wanted.iter().any(in_text);
    with_ast(m, |m, ast| {
        ast.layout = notes.then(Box::default);
        let result = read_into(m, source, term, options, ast);
        ast.layout = None;
        result
    })
}

fn read_into(
    m: &mut Machine,
    mut source: Source<'_>,
    term: Cell,
    options: &ReadOptions,
    ast: &mut Ast,
) -> Result<bool, Throw> {
    let mut layout = ReadLayout::default();
    let view = &options.view;
    loop {
        let read = match &mut source {
            Source::Stream(target) => read_from_stream(m, *target, view, ast, &mut layout)?,
            Source::Text(text, at) => read_from_text(m, text, at, view, ast, &mut layout)?,
        };
        match read {
            StreamRead::Wrong(located) => match (options.on_error, &source) {
                (OnSyntaxError::Raise, Source::Stream(_)) => return Err(syntax_throw(m, *located)),
                (OnSyntaxError::Raise, Source::Text(..)) => {
                    let message = located.error.message();
                    return Err(m.syntax_error(located.error.name(), &message));
                }
                (OnSyntaxError::Fail, _) => return Ok(false),
                (OnSyntaxError::ReadOn, _) => {}
            },
            StreamRead::Term(position) => {
                let (read, cells) = build(&mut m.store, &mut m.world.symbols, ast)?;
                let lists = VariableLists { ast, cells: &cells };
                return Ok(m.unify(term, read)? && give(m, options, &lists, position, &layout)?);
            }
            StreamRead::End => {
                let position = match &source {
                    Source::Stream(target) => {
                        m.with_stream(*target, |stream| Ok(stream.position()))?
                    }
                    Source::Text(text, _) => {
                        let mut position = Position::START;
                        position.advance_text(text);
                        position
                    }
                };
                ast.clear();
                let lists = VariableLists { ast, cells: &[] };
                return Ok(
                    m.unify(term, END_OF_FILE)? && give(m, options, &lists, position, &layout)?
                );
            }
        }
    }
}

/// Unifies the options with the requested results.
fn give(
    m: &mut Machine,
    options: &ReadOptions,
    lists: &VariableLists<'_>,
    position: Position,
    read_layout: &ReadLayout,
) -> Result<bool, Throw> {
    for &(wanted, cell) in &options.wanted {
        let value = match wanted {
            Wanted::Variables => lists.all(m)?,
            Wanted::VariableNames => lists.named(m, false)?,
            Wanted::Singletons => lists.named(m, true)?,
            Wanted::Position => m.position_term(position),
            Wanted::Comments => read_layout.comments(m)?,
            Wanted::SubtermPositions => match &lists.ast.layout {
                Some(layout) => read_layout.subterms(m, layout, position)?,
                None => continue,
            },
        };
        if !m.unify(cell, value)? {
            return Ok(false);
        }
    }
    Ok(true)
}

/// Reads an option of `read_term/2`.
pub(in crate::builtins) fn read_option(
    m: &mut Machine,
    option: OptionTerm,
    parsed: &mut ReadOptions,
) -> Result<(), Throw> {
    let domain = atoms::READ_OPTION;
    let mut want = |wanted| parsed.wanted.put((wanted, option.value));
    match option.name {
        atoms::VARIABLES => want(Wanted::Variables)?,
        atoms::VARIABLE_NAMES => want(Wanted::VariableNames)?,
        // With `warning`, other systems print a message.
        atoms::SINGLETONS if option.value == Cell::atom(atoms::WARNING) => {}
        atoms::SINGLETONS => want(Wanted::Singletons)?,
        atoms::DOUBLE_QUOTES | atoms::BACK_QUOTES => {
            let mode = match m.option_atom(option, domain)? {
                atoms::CODES => QuoteMode::Codes,
                atoms::CHARS => QuoteMode::Chars,
                atoms::ATOM => QuoteMode::Atom,
                atoms::STRING => QuoteMode::String,
                _ => return Err(m.domain_error(domain, option.term)),
            };
            let flags = parsed.flags(m);
            if option.name == atoms::DOUBLE_QUOTES {
                flags.double_quotes = mode;
            } else {
                flags.back_quotes = mode;
            }
        }
        name => match m.world.symbols.text(name) {
            "bindings" => want(Wanted::VariableNames)?,
            "term_position" => want(Wanted::Position)?,
            "comments" => want(Wanted::Comments)?,
            "subterm_positions" => want(Wanted::SubtermPositions)?,
            "character_escapes" => {
                let escapes = m.option_bool(option, domain)?;
                parsed.flags(m).character_escapes = escapes;
            }
            "syntax_errors" => {
                let action = m.option_atom(option, domain)?;
                parsed.on_error = match m.world.symbols.text(action) {
                    "error" => OnSyntaxError::Raise,
                    "fail" | "quiet" => OnSyntaxError::Fail,
                    "dec10" => OnSyntaxError::ReadOn,
                    _ => return Err(m.domain_error(domain, option.term)),
                };
            }
            "module" => {
                let module = m.option_atom(option, domain)?;
                parsed.view.module = Some(module);
                let quotes = m
                    .world
                    .modules
                    .find(module)
                    .and_then(|module| module.quotes);
                if let Some((double, back)) = quotes {
                    let flags = parsed.flags(m);
                    (flags.double_quotes, flags.back_quotes) = (double, back);
                }
            }
            // Options of other systems, without effect here.
            "cycles" | "dotlists" | "var_prefix" | "backquoted_string" | "process_comment" => {}
            _ => return Err(m.domain_error(domain, option.term)),
        },
    }
    Ok(())
}
