//! Implementation of `write_term/2,3` and similar builtins (ISO 13211-1, 8.14.3 to 8.14.6 and 7.10.4).

use super::term_text::write_stopped;
use crate::base::atom_table::{Atom, atoms, functors};
use crate::base::growth::Grow;
use crate::base::op_table::OpTable;
use crate::base::stop::Stop;
use crate::builtins::streams::captures::claim_capture;
use crate::builtins::streams::errors_io::{OptionTerm, Target};
use crate::io::error::IoError;
use crate::io::output::Output;
use crate::machine::builtin::builtins;
use crate::machine::control::throw::{Ball, Throw};
use crate::machine::state::Machine;
use crate::program::predicate::Kind;
use crate::store::cell::Cell;
use crate::store::heap::{Store, View};
use crate::store::list::ListShape;
use crate::text::bounded_text::{WriteStop, write_steps};
use crate::text::write_atom::Edge;
use crate::text::write_options::{AttributeMode, Spacing, WriteEnv, WriteOptions};
use crate::text::writer::write_term;
use std::fmt;

builtins! { TERM_WRITE =
    /// Writes `term` to the current output. ISO 8.14.4.
    ///
    /// ?- write('hello world'), nl.
    /// hello world
    /// true.
    ///
    /// ?- write(['A',"ab"]), nl.
    /// [A,ab]
    /// true.
    iso "write"("@term") needs output = |m, [term]| write(m, None, term, &WriteOptions::write());
    /// Writes `term` to `stream`. ISO 8.14.4.
    ///
    /// ?- write(user_output, hello), nl(user_output).
    /// hello
    /// true.
    iso "write"("+stream", "@term") needs output_to = |m, [stream, term]| {
        write(m, Some(stream), term, &WriteOptions::write())
    };
    /// Writes `term` to the current output, quoted so that it can be read back, except `'$VAR'(N)`.
    /// ISO 8.14.5.
    ///
    /// ?- writeq(['A', 'it''s', "ab", f(x, -1), 1 - (-1)]), nl.
    /// ['A','it\'s',"ab",f(x,-1),1- -1]
    /// true.
    iso "writeq"("@term") needs output = |m, [term]| write(m, None, term, &WriteOptions::writeq());
    /// Writes `term` to `stream`, quoted. ISO 8.14.5.
    ///
    /// ?- writeq(user_output, 'A b'), nl(user_output).
    /// 'A b'
    /// true.
    iso "writeq"("+stream", "@term") needs output_to = |m, [stream, term]| {
        write(m, Some(stream), term, &WriteOptions::writeq())
    };
    /// Writes `term` to the current output, quoted and without operators. ISO 8.14.6.
    ///
    /// ?- write_canonical([1 + 2, 'A']), nl.
    /// '.'(+(1,2),'.'('A',[]))
    /// true.
    iso "write_canonical"("@term") needs output = |m, [term]| {
        write(m, None, term, &WriteOptions::write_canonical())
    };
    /// Writes `term` to `stream`, quoted and without operators. ISO 8.14.6.
    iso "write_canonical"("+stream", "@term") needs output_to = |m, [stream, term]| {
        write(m, Some(stream), term, &WriteOptions::write_canonical())
    };
    /// Writes `term` to the current output and ends the line.
    ///
    /// ?- writeln(hello).
    /// hello
    /// true.
    library "writeln"("@term") needs output = |m, [term]| {
        write(m, None, term, &WriteOptions { nl: true, ..WriteOptions::write() })
    };
    /// Writes `term` to `stream` and ends the line.
    ///
    /// ?- writeln(user_output, hello).
    /// hello
    /// true.
    library "writeln"("+stream", "@term") needs output_to = |m, [stream, term]| {
        write(m, Some(stream), term, &WriteOptions { nl: true, ..WriteOptions::write() })
    };
    /// Runs `print/1` for a term that `portray/1` does not print.
    iso "$print"("@term") needs output = |m, [term]| {
        write(m, None, term, &WriteOptions::print()).map_err(|throw| m.named(throw, "print", 1))
    };
    /// Runs `print/2` for a term that `portray/1` does not print.
    iso "$print"("+stream", "@term") needs output_to = |m, [stream, term]| {
        write(m, Some(stream), term, &WriteOptions::print())
            .map_err(|throw| m.named(throw, "print", 2))
    };
    /// Runs `write_term/2` without `portray/1`.
    iso "$write_term"("@term", "+list") needs output = |m, [term, options]| {
        write_with(m, None, term, options).map_err(|throw| m.named(throw, "write_term", 2))
    };
    /// Runs `write_term/3` without `portray/1`.
    iso "$write_term"("+stream", "@term", "+list") needs output_to = |m, [stream, term, options]| {
        write_with(m, Some(stream), term, options).map_err(|throw| m.named(throw, "write_term", 3))
    };
    /// Writes a token. Writes a blank before it if the token would otherwise join the text before it.
    iso "$put_token"("+stream", "+atom") needs output_to = always |m, [stream, token]| {
        let target = m.output_target(Some(stream))?;
        let token = m.text_arg(token)?;
        m.write_to(target, |output| {
            let first = token.chars().next().map_or(Edge::Open, Edge::of);
            if Edge::of(output.last_char()).joins(first) {
                output.put_char(' ')?;
            }
            output.put_str(&token)
        })?;
    };
    /// Succeeds if the program defines `portray/1`.
    iso "$has_portray"() = |m, []| Ok(has_portray(m)?);
}

/// Returns whether the program defines `portray/1`.
pub(crate) fn has_portray(m: &mut Machine) -> Result<bool, Stop> {
    let name = m.world.symbols.intern("portray")?;
    let functor = m.world.symbols.functor(name, 1)?;
    Ok(m.world
        .predicates
        .find(atoms::USER, functor)
        .is_some_and(|id| !matches!(m.world.predicates.get(id).kind, Kind::Undefined)))
}

impl Machine {
    /// Adds a predicate with this name as the context of an exception, unless the exception has a context.
    pub(crate) fn named(&mut self, throw: Throw, name: &str, arity: usize) -> Throw {
        self.newly_named(throw, name, arity)
            .unwrap_or_else(Throw::from)
    }

    fn newly_named(&mut self, throw: Throw, name: &str, arity: usize) -> Result<Throw, Stop> {
        let Ball::Error(stored, message) = &throw.0.ball else {
            return Ok(throw);
        };
        let Ok(formal) = self.store.load_term(stored) else {
            return Ok(throw);
        };
        let name = self.world.symbols.intern(name)?;
        let functor = self.world.symbols.functor(name, arity)?;
        let indicator = self.indicator(functor);
        let system = Cell::atom(atoms::SYSTEM);
        let indicator = self.store.new_struct(functors::COLON, &[system, indicator]);
        let message = match message {
            Some(text) => Cell::atom(self.world.symbols.intern_passing(text)?),
            None => self.store.new_var(),
        };
        let context = self
            .store
            .new_struct(functors::CONTEXT, &[indicator, message]);
        let error = self.store.new_struct(functors::ERROR, &[formal, context]);
        Ok(self.throw_term(error))
    }

    /// Returns the operators of the module to which clauses and queries belong.
    pub(crate) fn ops(&self) -> Result<&OpTable, Stop> {
        self.world.modules.ops(self.world.source_module)
    }

    /// Returns the environment of the writer.
    pub(crate) fn write_env(&self) -> Result<WriteEnv<'_>, Stop> {
        self.write_env_of(self.world.source_module)
    }

    /// Returns the environment of the writer with the operators of a module.
    pub(crate) fn write_env_of(&self, module: Atom) -> Result<WriteEnv<'_>, Stop> {
        Ok(WriteEnv {
            store: &self.store,
            symbols: &self.world.symbols,
            ops: self.world.modules.ops(module)?,
            flags: &self.world.flags,
        })
    }

    /// Writes a term to a stream.
    pub(crate) fn write_term_to(
        &mut self,
        target: Target,
        term: Cell,
        options: &WriteOptions,
    ) -> Result<(), Throw> {
        self.check_effect(target)?;
        let env = WriteEnv {
            store: &self.store,
            symbols: &self.world.symbols,
            ops: self.world.modules.ops(options.module)?,
            flags: &self.world.flags,
        };
        let written = self
            .world
            .host
            .streams
            .output(target.id)
            .and_then(|output| {
                // Writing an empty text checks the stream.
                output.put_str("")?;
                let mut sink = OutputSink {
                    output,
                    store: &self.store,
                    error: None,
                    stop: None,
                };
                match write_term(&mut sink, &env, term, options) {
                    Ok(()) => Ok(Ok(sink.output.claim_memory())),
                    Err(fmt::Error) => match (sink.stop, sink.error) {
                        (Some(stop), _) => Ok(Err(stop)),
                        (_, Some(error)) => Err(error),
                        (None, None) => Ok(Err(WriteStop::TooLong)),
                    },
                }
            });
        match written {
            Ok(Ok(false)) => Ok(()),
            Ok(Ok(true)) => Ok(claim_capture(self, target.id)?),
            Ok(Err(stop)) => Err(write_stopped(stop)),
            Err(error) => Err(self.stream_error(error, atoms::OUTPUT, target)),
        }
    }
}

/// Output stream for the writer.
struct OutputSink<'a> {
    output: &'a mut Output,
    store: &'a Store,
    error: Option<IoError>,
    stop: Option<WriteStop>,
}

impl fmt::Write for OutputSink<'_> {
    fn write_str(&mut self, text: &str) -> fmt::Result {
        if self.store.events.watch.stop_wanted_after(write_steps(text)) {
            self.stop = Some(WriteStop::Interrupted);
            return Err(fmt::Error);
        }
        if !self.store.has_room_for(self.output.held_in_memory()) {
            self.stop = Some(WriteStop::TooLong);
            return Err(fmt::Error);
        }
        self.output.put_str(text).map_err(|error| {
            self.error = Some(error);
            fmt::Error
        })
    }
}

fn write(
    m: &mut Machine,
    stream: Option<Cell>,
    term: Cell,
    options: &WriteOptions,
) -> Result<bool, Throw> {
    let target = m.output_target(stream)?;
    m.write_term_to(target, term, options)?;
    Ok(true)
}

fn write_with(
    m: &mut Machine,
    stream: Option<Cell>,
    term: Cell,
    options: Cell,
) -> Result<bool, Throw> {
    if stream.is_some_and(Cell::is_var) {
        return Err(m.instantiation_error());
    }
    let items = m.option_list(options)?;
    let target = m.output_target(stream)?;
    let mut parsed = WriteOptions::default();
    m.each_option(items, atoms::WRITE_OPTION, |m, option| {
        write_option(m, option, &mut parsed)
    })?;
    m.write_term_to(target, term, &parsed)?;
    Ok(true)
}

const DOMAIN: Atom = atoms::WRITE_OPTION;

/// Reads an option of `write_term/2`. If an option occurs twice, the last one counts.
pub(in crate::builtins) fn write_option(
    m: &mut Machine,
    option: OptionTerm,
    parsed: &mut WriteOptions,
) -> Result<(), Throw> {
    match option.name {
        atoms::MODULE => parsed.module = m.option_atom(option, DOMAIN)?,
        atoms::QUOTED => parsed.quoted = m.option_bool(option, DOMAIN)?,
        atoms::IGNORE_OPS => parsed.ignore_ops = m.option_bool(option, DOMAIN)?,
        atoms::NUMBERVARS => parsed.numbervars = m.option_bool(option, DOMAIN)?,
        atoms::VARIABLE_NAMES => parsed.variable_names = variable_names(m, option)?,
        atoms::MAX_DEPTH => {
            let depth = bounded(m, option, i64::from(u32::MAX))?;
            parsed.max_depth = u32::try_from(depth).unwrap_or(u32::MAX);
        }
        atoms::PRIORITY => {
            let priority = bounded(m, option, 1200)?;
            parsed.priority = u16::try_from(priority).unwrap_or(1200);
        }
        atoms::SPACING => {
            parsed.spacing = match m.option_atom(option, DOMAIN)? {
                atoms::STANDARD => Spacing::Standard,
                atoms::NEXT_ARGUMENT => Spacing::NextArgument,
                _ => return Err(m.domain_error(DOMAIN, option.term)),
            };
        }
        atoms::FULLSTOP => parsed.fullstop = m.option_bool(option, DOMAIN)?,
        atoms::NL => parsed.nl = m.option_bool(option, DOMAIN)?,
        name => match m.world.symbols.text(name) {
            "dotlists" => parsed.dotlists = Some(m.option_bool(option, DOMAIN)?),
            "brace_terms" => parsed.brace_terms = Some(m.option_bool(option, DOMAIN)?),
            "character_escapes" => {
                parsed.character_escapes = Some(m.option_bool(option, DOMAIN)?);
            }
            "cycles" => parsed.cycles = m.option_bool(option, DOMAIN)?,
            "attributes" => {
                let mode = m.option_atom(option, DOMAIN)?;
                parsed.attributes = match m.world.symbols.text(mode) {
                    "write" => AttributeMode::Write,
                    "ignore" | "dots" | "portray" => AttributeMode::Ignore,
                    _ => return Err(m.domain_error(DOMAIN, option.term)),
                };
            }
            // Lists have no functor of their own that could be written.
            "no_lists" => {
                if m.option_bool(option, DOMAIN)? {
                    parsed.dotlists = Some(true);
                }
            }
            "portray" | "portrayed" => {
                m.option_bool(option, DOMAIN)?;
            }
            "blobs" => {
                let mode = m.option_atom(option, DOMAIN)?;
                if m.world.symbols.text(mode) != "portray" {
                    return Err(m.domain_error(DOMAIN, option.term));
                }
            }
            "portray_goal" => {
                m.callable_arg(option.value)?;
            }
            // Options of other systems, without effect here.
            "back_quotes" | "character_escapes_unicode" | "module" | "partial" => {}
            _ => return Err(m.domain_error(DOMAIN, option.term)),
        },
    }
    Ok(())
}

/// Returns an integer from 0 to `limit`.
fn bounded(m: &mut Machine, option: OptionTerm, limit: i64) -> Result<i64, Throw> {
    match m.store.view(option.value) {
        View::Int(value) if (0..=limit).contains(&value) => Ok(value),
        View::Var(_) => Err(m.instantiation_error()),
        _ => Err(m.domain_error(DOMAIN, option.term)),
    }
}

/// Returns the names of variables from a list of `Name = Variable`, checked from left to right. Skips names of
/// terms that are not, or no longer, variables.
fn variable_names(m: &mut Machine, option: OptionTerm) -> Result<Vec<(Cell, String)>, Throw> {
    let mut items = Vec::new();
    let shape = m.store.list_items(option.value, &mut items);
    let mut names = Vec::new();
    for item in items {
        let (name, value) = match m.store.view(item) {
            View::Var(_) => return Err(m.instantiation_error()),
            View::Struct(functors::EQUAL, addr) => (m.store.arg(addr, 0), m.store.arg(addr, 1)),
            _ => return Err(m.domain_error(DOMAIN, option.term)),
        };
        match m.store.view(name) {
            View::Var(_) => return Err(m.instantiation_error()),
            View::Atom(atom) if value.is_var() => {
                names.put((value, m.world.symbols.text(atom).to_owned()))?;
            }
            View::Atom(_) => {}
            _ => return Err(m.domain_error(DOMAIN, option.term)),
        }
    }
    match shape? {
        ListShape::Proper(_) => Ok(names),
        ListShape::Partial(..) => Err(m.instantiation_error()),
        ListShape::NotList(..) | ListShape::Cyclic => Err(m.domain_error(DOMAIN, option.term)),
    }
}
