//! Arguments of builtins that are streams (ISO 13211-1, 7.10.2 and 8.11), options, and errors of streams and files
//! as terms.

use super::captures::{claim_capture, is_inner_capture};
use crate::base::atom_table::{Atom, atoms, functors};
use crate::base::stop::Stop;
use crate::builtins::args::atomic_text;
use crate::io::allowance::Allowance;
use crate::io::error::IoError;
use crate::io::input::Input;
use crate::io::options::StreamType;
use crate::io::output::Output;
use crate::io::position::Position;
use crate::io::stream::{Stream, StreamId};
use crate::machine::control::errors::Word;
use crate::machine::control::throw::Throw;
use crate::machine::state::Machine;
use crate::store::cell::Cell;
use crate::store::claims::Life;
use crate::store::heap::{Store, View};

/// Error for bytes of a source text that are invalid in its encoding: `syntax_error(illegal_byte)`.
pub(crate) const NO_TEXT: &str = "illegal_byte";

/// Stream that a builtin works on, and its name in the program, for errors.
#[derive(Copy, Clone, Debug)]
pub(crate) struct Target {
    /// Number of the stream.
    pub(crate) id: StreamId,
    /// Argument that names the stream; `None` for a current stream.
    pub(crate) named: Option<Cell>,
}

impl Target {
    /// Returns the target for a stream that the program did not name.
    pub(crate) fn of(id: StreamId) -> Target {
        Target { id, named: None }
    }
}

/// Option `name(argument)`.
#[derive(Copy, Clone, Debug)]
pub(crate) struct OptionTerm {
    /// Whole option.
    pub(crate) term: Cell,
    /// Name.
    pub(crate) name: Atom,
    /// Argument, dereferenced.
    pub(crate) value: Cell,
}

/// Checks that a text may take this number of bytes, and that reading may continue.
///
/// # Errors
/// Returns an error if there is no room, or if a stop of the query is requested.
pub(crate) fn may_take(store: &Store, bytes: usize) -> Result<(), IoError> {
    if store.events.stop_wanted() {
        return Err(IoError::Interrupted);
    }
    let room = store.room_outside(bytes as u64, Life::Passing);
    room.map_err(|Stop| IoError::NoMemory)
}

impl Machine {
    // ---- stream arguments ---------------------------------------------------------------------

    /// Returns the handle of a stream as a term.
    pub(crate) fn stream_term(&mut self, id: StreamId) -> Cell {
        self.store
            .new_struct(functors::STREAM, &[Cell::int(i64::from(id.0))])
    }

    /// Returns the open stream with this handle.
    pub(crate) fn open_handle(&self, cell: Cell) -> Option<StreamId> {
        let View::Struct(functors::STREAM, addr) = self.store.view(cell) else {
            return None;
        };
        let View::Int(number) = self.store.view(self.store.at(addr)) else {
            return None;
        };
        let id = StreamId(u32::try_from(number).ok()?);
        self.world.host.streams.get(id).map(|_| id)
    }

    /// Returns the stream of an open handle, or `None` for a variable.
    pub(crate) fn optional_handle(&mut self, cell: Cell) -> Result<Option<StreamId>, Throw> {
        if self.store.deref(cell).is_var() {
            return Ok(None);
        }
        match self.open_handle(cell) {
            Some(id) => Ok(Some(id)),
            None => Err(self.domain_error(atoms::STREAM, cell)),
        }
    }

    /// Returns the open stream that a handle or an alias names.
    pub(crate) fn stream_arg(&mut self, cell: Cell) -> Result<Target, Throw> {
        let id = match self.store.view(cell) {
            View::Var(_) => return Err(self.instantiation_error()),
            View::Atom(alias) => self.world.host.streams.by_alias(alias),
            View::Struct(functors::STREAM, addr) => {
                if !self.store.arg(addr, 0).is_int() {
                    return Err(self.domain_error(atoms::STREAM_OR_ALIAS, cell));
                }
                self.open_handle(cell)
            }
            _ => return Err(self.domain_error(atoms::STREAM_OR_ALIAS, cell)),
        };
        match id {
            Some(id) => Ok(Target {
                id,
                named: Some(cell),
            }),
            None => Err(self.existence_error(atoms::STREAM, cell)),
        }
    }

    /// Returns the stream that `cell` names, or the current input for `None`.
    pub(crate) fn input_target(&mut self, cell: Option<Cell>) -> Result<Target, Throw> {
        match cell {
            Some(cell) => self.stream_arg(cell),
            None => Ok(Target::of(self.world.host.streams.current_input())),
        }
    }

    /// Returns the stream that `cell` names, or the current output for `None`.
    pub(crate) fn output_target(&mut self, cell: Option<Cell>) -> Result<Target, Throw> {
        match cell {
            Some(cell) => self.stream_arg(cell),
            None => Ok(Target::of(self.world.host.streams.current_output())),
        }
    }

    /// Reads from a stream. Runs `read` again after a signal has interrupted it, unless a stop of the query is
    /// requested.
    pub(crate) fn read_from<T>(
        &mut self,
        target: Target,
        mut read: impl FnMut(&mut Input) -> Result<T, IoError>,
    ) -> Result<T, Throw> {
        loop {
            match self.world.host.streams.input(target.id).and_then(&mut read) {
                Ok(value) => return Ok(value),
                Err(error) => self.after_input_error(error, target)?,
            }
        }
    }

    /// Works like [`Machine::read_from`], for operations that may read or skip large texts.
    pub(crate) fn gather_from<T>(
        &mut self,
        target: Target,
        mut read: impl FnMut(&mut Input, Allowance<'_>) -> Result<T, IoError>,
    ) -> Result<T, Throw> {
        loop {
            let store = &self.store;
            let allowance = |bytes| may_take(store, bytes);
            let input = self.world.host.streams.input(target.id);
            match input.and_then(|input| read(input, &allowance)) {
                Ok(value) => return Ok(value),
                Err(error) => self.after_input_error(error, target)?,
            }
        }
    }

    /// Returns the exception for an error of an input operation, or nothing if the operation can be repeated.
    pub(crate) fn after_input_error(
        &mut self,
        error: IoError,
        target: Target,
    ) -> Result<(), Throw> {
        if error != IoError::Interrupted {
            return Err(self.stream_error(error, atoms::INPUT, target));
        }
        match self.poll() {
            Some(throw) => Err(throw),
            None => Ok(()),
        }
    }

    /// Checks that the running goal may write to this stream.
    ///
    /// # Errors
    /// `permission_error(use, effect, search)` in a goal that several machines search, if other goals could read
    /// the output.
    pub(in crate::builtins) fn check_effect(&mut self, target: Target) -> Result<(), Throw> {
        match self.world.host.refusing.is_some() && !is_inner_capture(self, target.id) {
            true => Err(self.refused_effect()),
            false => Ok(()),
        }
    }

    /// Writes to a stream if [`Machine::check_effect`] allows it.
    pub(crate) fn write_to<T>(
        &mut self,
        target: Target,
        write: impl FnOnce(&mut Output) -> Result<T, IoError>,
    ) -> Result<T, Throw> {
        self.check_effect(target)?;
        let output = self.world.host.streams.output(target.id);
        let written = output.and_then(|output| Ok((write(output)?, output.claim_memory())));
        match written {
            Ok((value, grows)) => {
                if grows {
                    claim_capture(self, target.id)?;
                }
                Ok(value)
            }
            Err(error) => Err(self.stream_error(error, atoms::OUTPUT, target)),
        }
    }

    /// Writes a text to a stream.
    pub(crate) fn write_text_to(&mut self, target: Target, text: &str) -> Result<bool, Throw> {
        self.write_to(target, |output| output.put_str(text))?;
        Ok(true)
    }

    /// Runs `work` on an open stream, to read or change its properties.
    pub(crate) fn with_stream<T>(
        &mut self,
        target: Target,
        work: impl FnOnce(&mut Stream) -> Result<T, IoError>,
    ) -> Result<T, Throw> {
        let stream = self.world.host.streams.get_mut(target.id);
        let result = stream.ok_or(IoError::NoStream).and_then(work);
        result.map_err(|error| self.stream_error(error, atoms::MODIFY, target))
    }

    /// Changes properties of an open stream.
    pub(crate) fn change_stream(
        &mut self,
        target: Target,
        change: impl FnOnce(&mut Stream),
    ) -> Result<(), Throw> {
        self.with_stream(target, |stream| {
            change(stream);
            Ok(())
        })
    }

    // ---- errors -------------------------------------------------------------------------------

    /// Converts the result of an operation on a stream.
    pub(crate) fn of_stream(
        &mut self,
        result: Result<(), IoError>,
        direction: Atom,
        target: Target,
    ) -> Result<bool, Throw> {
        match result {
            Ok(()) => Ok(true),
            Err(error) => Err(self.stream_error(error, direction, target)),
        }
    }

    /// Converts the result of an operation on a file or directory: see [`Machine::file_error`].
    pub(crate) fn of_file<T>(
        &mut self,
        result: Result<T, IoError>,
        (action, kind): (&str, &str),
        culprit: Cell,
    ) -> Result<T, Throw> {
        result.map_err(|error| self.file_error(error, action, kind, culprit))
    }

    /// Returns the name of a stream for errors: the program's name for it, or its handle.
    pub(crate) fn culprit_of(&mut self, target: Target) -> Cell {
        match target.named {
            Some(cell) => cell,
            None => self.stream_term(target.id),
        }
    }

    /// Returns the exception for a failed operation in this direction (`input` or `output`).
    pub(crate) fn stream_error(
        &mut self,
        error: IoError,
        direction: Atom,
        target: Target,
    ) -> Throw {
        if error == IoError::Interrupted
            && let Some(throw) = self.poll()
        {
            return throw;
        }
        let culprit = self.culprit_of(target);
        match error {
            IoError::NoStream => self.existence_error(atoms::STREAM, culprit),
            IoError::NotInput => self.permission_error(atoms::INPUT, atoms::STREAM, culprit),
            IoError::NotOutput => self.permission_error(atoms::OUTPUT, atoms::STREAM, culprit),
            IoError::WrongType(StreamType::Text) => {
                self.permission_error(direction, atoms::TEXT_STREAM, culprit)
            }
            IoError::WrongType(StreamType::Binary) => {
                self.permission_error(direction, atoms::BINARY_STREAM, culprit)
            }
            IoError::PastEndOfStream => {
                self.permission_error(atoms::INPUT, atoms::PAST_END_OF_STREAM, culprit)
            }
            IoError::NotRepositionable => {
                self.permission_error(atoms::REPOSITION, atoms::STREAM, culprit)
            }
            IoError::Unrepresentable(_) | IoError::InvalidEncoding { .. } => {
                self.representation_error(atoms::CHARACTER)
            }
            IoError::NoMemory => Stop.into(),
            IoError::Refused(need) => self.refused(need),
            other => match self.io_error(direction, culprit) {
                Ok(formal) => self.throw_message(formal, Some(&other.to_string())),
                Err(stop) => stop.into(),
            },
        }
    }

    /// Builds `io_error(Action, Culprit)`.
    fn io_error(&mut self, action: impl Word, culprit: Cell) -> Result<Cell, Stop> {
        let action = action.cell(&mut self.world.symbols)?;
        self.new_term("io_error", &[action, culprit])
    }

    /// Returns the exception for a failed operation `action` on a file or directory; `kind` is its type. Invalid
    /// bytes in a source text are a syntax error at their place.
    pub(crate) fn file_error(
        &mut self,
        error: IoError,
        action: &str,
        kind: &str,
        culprit: Cell,
    ) -> Throw {
        if error == IoError::Interrupted
            && let Some(throw) = self.poll()
        {
            return throw;
        }
        self.new_file_error(error, action, kind, culprit)
            .unwrap_or_else(Throw::from)
    }

    fn new_file_error(
        &mut self,
        error: IoError,
        action: &str,
        kind: &str,
        culprit: Cell,
    ) -> Result<Throw, Stop> {
        let message = error.to_string();
        let kind = Cell::atom(self.world.symbols.intern(kind)?);
        let formal = match error {
            IoError::AliasInUse(alias) => {
                return self.option_refused(atoms::ALIAS, Cell::atom(alias));
            }
            IoError::NotRepositionable => {
                return self.option_refused(atoms::REPOSITION, Cell::atom(atoms::TRUE));
            }
            IoError::NoMemory => return Err(Stop),
            IoError::TooManyStreams => {
                return Ok(self.resource_error("streams"));
            }
            IoError::Refused(need) => return Ok(self.refused(need)),
            IoError::InvalidEncoding { line, column, .. } => {
                let file = atomic_text(self, culprit)?.unwrap_or_default();
                let message = format!("{file}:{line}:{column}: {message}");
                return Ok(self.syntax_error(NO_TEXT, &message));
            }
            IoError::NotFound | IoError::NotDirectory => self
                .store
                .new_struct(functors::EXISTENCE_ERROR, &[kind, culprit]),
            IoError::Other(_) => self.io_error(action, culprit)?,
            _ => {
                let action = Cell::atom(self.world.symbols.intern(action)?);
                self.store
                    .new_struct(functors::PERMISSION_ERROR, &[action, kind, culprit])
            }
        };
        Ok(self.throw_message(formal, Some(&message)))
    }

    /// Returns `permission_error(open, source_sink, name(value))`.
    fn option_refused(&mut self, name: Atom, value: Cell) -> Result<Throw, Stop> {
        let functor = self.world.symbols.functor(name, 1)?;
        let option = self.store.new_struct(functor, &[value]);
        Ok(self.permission_error(atoms::OPEN, atoms::SOURCE_SINK, option))
    }

    // ---- positions, options, names ------------------------------------------------------------

    /// Builds `'$stream_position'(Characters, Line, Column, Bytes)`.
    pub(crate) fn position_term(&mut self, position: Position) -> Cell {
        let fields = [
            position.char_count,
            position.line,
            position.line_position,
            position.byte_offset,
        ];
        let cells =
            fields.map(|field| self.store.new_int(i64::try_from(field).unwrap_or(i64::MAX)));
        self.store.new_struct(functors::STREAM_POSITION, &cells)
    }

    /// Returns a position in a stream.
    pub(crate) fn position_arg(&mut self, cell: Cell) -> Result<Position, Throw> {
        let addr = match self.store.view(cell) {
            View::Var(_) => return Err(self.instantiation_error()),
            View::Struct(functors::STREAM_POSITION, addr) => addr,
            _ => return Err(self.domain_error(atoms::STREAM_POSITION, cell)),
        };
        let mut fields = [0; 4];
        for (index, field) in fields.iter_mut().enumerate() {
            match self.store.view(self.store.arg(addr, index)) {
                View::Int(value) if value >= 0 => *field = value.unsigned_abs(),
                View::Var(_) => return Err(self.instantiation_error()),
                _ => return Err(self.domain_error(atoms::STREAM_POSITION, cell)),
            }
        }
        let [char_count, line, line_position, byte_offset] = fields;
        Ok(Position {
            char_count,
            line,
            line_position,
            byte_offset,
        }
        .clamped())
    }

    /// Returns the elements of a list of options. Neither the list nor an element may be a variable.
    pub(crate) fn option_list(&mut self, list: Cell) -> Result<Vec<Cell>, Throw> {
        let items = self.list_arg(list)?;
        if items.iter().any(|item| item.is_var()) {
            return Err(self.instantiation_error());
        }
        Ok(items)
    }

    /// Runs a function for each element `name(argument)` of a list of options.
    pub(crate) fn each_option(
        &mut self,
        items: Vec<Cell>,
        domain: Atom,
        mut work: impl FnMut(&mut Machine, OptionTerm) -> Result<(), Throw>,
    ) -> Result<(), Throw> {
        for item in items {
            let option = self.option_term(item, domain)?;
            work(self, option)?;
        }
        Ok(())
    }

    /// Reads an element of a list of options as `name(argument)`.
    pub(crate) fn option_term(&mut self, term: Cell, domain: Atom) -> Result<OptionTerm, Throw> {
        let (name, value) = match self.store.view(term) {
            View::Struct(functor, addr) if functor.arity() == 1 => {
                (self.world.symbols.name(functor), self.store.arg(addr, 0))
            }
            // Some systems write `name = value`.
            View::Struct(functors::EQUAL, addr)
                if self.store.arg(addr, 0).is_atom() && !self.world.flags.iso =>
            {
                (self.store.arg(addr, 0).as_atom(), self.store.arg(addr, 1))
            }
            _ => return Err(self.domain_error(domain, term)),
        };
        Ok(OptionTerm { term, name, value })
    }

    /// Returns the atom that is the value of an option.
    pub(crate) fn option_atom(&mut self, option: OptionTerm, domain: Atom) -> Result<Atom, Throw> {
        match self.store.view(option.value) {
            View::Atom(atom) => Ok(atom),
            View::Var(_) => Err(self.instantiation_error()),
            _ => Err(self.domain_error(domain, option.term)),
        }
    }

    /// Returns the truth value of an option.
    pub(crate) fn option_bool(&mut self, option: OptionTerm, domain: Atom) -> Result<bool, Throw> {
        match self.option_atom(option, domain)? {
            atoms::TRUE => Ok(true),
            atoms::FALSE => Ok(false),
            atoms::ON if !self.world.flags.iso => Ok(true),
            atoms::OFF if !self.world.flags.iso => Ok(false),
            _ => Err(self.domain_error(domain, option.term)),
        }
    }

    /// Returns the name of a file: the text of an atom or a string.
    pub(crate) fn file_arg(&mut self, cell: Cell) -> Result<String, Throw> {
        if let View::Atom(_) | View::String(_) = self.store.view(cell)
            && let Some(text) = atomic_text(self, cell)?
        {
            return Ok(text.into_owned());
        }
        Err(self.type_or_instantiation_error("text", cell))
    }
}
