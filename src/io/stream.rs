//! A stream (ISO 13211-1, 7.10.2): an input or an output channel with its properties.

use super::encoding::Encoding;
use super::error::IoError;
use super::input::Input;
use super::options::{Buffering, EndOfStream, EofAction, Newline, OpenMode, StreamType};
use super::output::Output;
use super::position::Position;
use crate::base::atom_table::Atom;
use crate::base::named::named;
use crate::base::stop::Stop;
use crate::base::watch::Watch;
use std::sync::Arc;

/// The handle of a stream. An engine never gives it to another stream. So a handle kept after its stream was closed
/// is known to be stale.
#[derive(Copy, Clone, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub(crate) struct StreamId(pub(crate) u32);

/// The direction of a stream.
pub(crate) enum Channel {
    /// Input.
    Input(Input),
    /// Output.
    Output(Output),
}

/// Evaluates an expression for an input or an output channel.
macro_rules! either {
    ($channel:expr, $half:ident => $work:expr) => {
        match $channel {
            Channel::Input($half) => $work,
            Channel::Output($half) => $work,
        }
    };
}

named! {
    /// The place from which `seek/4` counts.
    SeekOrigin {
        /// The start.
        Start "bof",
        /// The present place.
        Current "current",
        /// The end.
        End "eof",
    }
}

/// A stream.
pub(crate) struct Stream {
    pub(super) channel: Channel,
    pub(super) aliases: Vec<Atom>,
    /// The mode in which it was opened.
    pub(crate) mode: OpenMode,
    /// The name of the file, as it was given at opening.
    pub(crate) file_name: Option<String>,
    /// Whether the stream can be repositioned.
    pub(crate) reposition: bool,
    /// Whether `see/1`, `tell/1` or `append/1` opened the stream. They find it again by its file.
    pub(crate) seen_or_told: bool,
    /// Number of bytes that the stream takes while it is open.
    pub(super) held: usize,
    /// Whether the stream counts towards the limit of open streams.
    pub(super) counts: bool,
    tty: bool,
}

/// Number of bytes that a stream takes, with its buffer.
const STREAM_BYTES: usize = 768;

impl Stream {
    /// Makes a stream of this channel.
    pub(crate) fn new(channel: Channel, mode: OpenMode) -> Stream {
        Stream {
            channel,
            aliases: Vec::new(),
            mode,
            file_name: None,
            reposition: false,
            seen_or_told: false,
            held: STREAM_BYTES,
            counts: true,
            tty: false,
        }
    }

    /// Returns whether the stream is for input.
    pub(crate) fn is_input(&self) -> bool {
        matches!(self.channel, Channel::Input(_))
    }

    /// Returns whether the stream is for output.
    #[cfg(test)]
    pub(crate) fn is_output(&self) -> bool {
        !self.is_input()
    }

    /// Returns the input channel, or an error for an output stream.
    #[inline]
    pub(crate) fn input(&mut self) -> Result<&mut Input, IoError> {
        match &mut self.channel {
            Channel::Input(input) => Ok(input),
            Channel::Output(_) => Err(IoError::NotInput),
        }
    }

    /// Returns the output channel, or an error for an input stream.
    #[inline]
    pub(crate) fn output(&mut self) -> Result<&mut Output, IoError> {
        match &mut self.channel {
            Channel::Output(output) => Ok(output),
            Channel::Input(_) => Err(IoError::NotOutput),
        }
    }

    /// Returns the aliases, in the order in which they were given.
    pub(crate) fn aliases(&self) -> &[Atom] {
        &self.aliases
    }

    /// Returns whether the stream is that of a terminal of the process. The property `tty` alone does not show that,
    /// because programs can set it.
    pub(crate) fn is_terminal(&self) -> bool {
        self.tty && either!(&self.channel, half => half.is_of_process())
    }

    /// Returns whether the stream counts as a terminal (property `tty`).
    pub(crate) fn is_tty(&self) -> bool {
        self.tty
    }

    /// Sets whether the stream counts as a terminal (property `tty`).
    pub(crate) fn set_tty(&mut self, tty: bool) {
        self.tty = tty;
        if let Channel::Input(input) = &mut self.channel {
            input.interruptible = tty;
        }
    }

    /// Makes waits for input or for the reader of output end when the work must stop.
    pub(crate) fn set_watch(&mut self, watch: &Arc<Watch>) {
        either!(&mut self.channel, half => half.watch = Some(Arc::clone(watch)))
    }

    /// Returns whether the stream has characters or bytes.
    pub(crate) fn stream_type(&self) -> StreamType {
        either!(&self.channel, half => half.stream_type())
    }

    /// Reads or writes the rest as characters or as bytes.
    pub(crate) fn set_type(&mut self, stream_type: StreamType) -> Result<(), Stop> {
        match &mut self.channel {
            Channel::Input(input) => input.set_type(stream_type)?,
            Channel::Output(output) => output.set_type(stream_type),
        }
        Ok(())
    }

    /// Returns the encoding of its text.
    pub(crate) fn encoding(&self) -> Encoding {
        either!(&self.channel, half => half.encoding())
    }

    /// Reads or writes the rest in another encoding.
    pub(crate) fn set_encoding(&mut self, encoding: Encoding) -> Result<(), Stop> {
        match &mut self.channel {
            Channel::Input(input) => input.set_encoding(encoding)?,
            Channel::Output(output) => output.set_encoding(encoding),
        }
        Ok(())
    }

    /// Returns the effect of a read past the end. It has no meaning for output streams.
    pub(crate) fn eof_action(&self) -> EofAction {
        match &self.channel {
            Channel::Input(input) => input.eof_action,
            Channel::Output(_) => EofAction::EofCode,
        }
    }

    /// Changes the effect of a read past the end.
    pub(crate) fn set_eof_action(&mut self, action: EofAction) {
        if let Channel::Input(input) = &mut self.channel {
            input.eof_action = action;
        }
    }

    /// Returns when output is written. Input is read a buffer at a time; from a terminal, a line at a time.
    pub(crate) fn buffering(&self) -> Buffering {
        match &self.channel {
            Channel::Input(_) if self.tty => Buffering::Line,
            Channel::Input(_) => Buffering::Full,
            Channel::Output(output) => output.buffering(),
        }
    }

    /// Changes when output is written.
    pub(crate) fn set_buffering(&mut self, buffering: Buffering) -> Result<(), IoError> {
        match &mut self.channel {
            Channel::Input(_) => Ok(()),
            Channel::Output(output) => {
                output.set_buffering(buffering);
                output.flush()
            }
        }
    }

    /// Returns the end of a line of output. Input is not converted.
    pub(crate) fn newline(&self) -> Newline {
        match &self.channel {
            Channel::Input(_) => Newline::Posix,
            Channel::Output(output) => output.newline,
        }
    }

    /// Changes the end of a line of output.
    pub(crate) fn set_newline(&mut self, newline: Newline) {
        if let Channel::Output(output) = &mut self.channel {
            output.newline = newline;
        }
    }

    /// Returns whether the text of the stream began with a byte order mark.
    pub(crate) fn has_bom(&self) -> bool {
        matches!(&self.channel, Channel::Input(input) if input.has_bom())
    }

    /// Returns the place of the next character or byte.
    pub(crate) fn position(&self) -> Position {
        either!(&self.channel, half => half.position())
    }

    /// Returns the column of the next character, from 0.
    pub(crate) fn line_position(&self) -> u64 {
        self.position().line_position
    }

    /// Sets the line and column counters.
    pub(crate) fn set_line(&mut self, line: u64, line_position: u64) {
        let Position {
            line,
            line_position,
            ..
        } = Position {
            line,
            line_position,
            ..Position::START
        }
        .clamped();
        either!(&mut self.channel, half => half.set_line(line, line_position))
    }

    /// Moves to a place that [`Stream::position`] has returned (`set_stream_position/2`).
    pub(crate) fn set_position(&mut self, position: Position) -> Result<(), IoError> {
        if !self.reposition {
            return Err(IoError::NotRepositionable);
        }
        let position = position.clamped();
        either!(&mut self.channel, half => half.set_position(position))
    }

    /// Moves to a byte and returns its offset. The counters of characters and lines start again, because the text
    /// before is unknown.
    pub(crate) fn seek(&mut self, offset: i64, origin: SeekOrigin) -> Result<u64, IoError> {
        if !self.reposition {
            return Err(IoError::NotRepositionable);
        }
        let base = match (origin, &mut self.channel) {
            (SeekOrigin::Start, _) => 0,
            (SeekOrigin::Current, channel) => either!(channel, half => half.position().byte_offset),
            (SeekOrigin::End, Channel::Input(input)) => {
                input.source_len().ok_or(IoError::NotRepositionable)?
            }
            (SeekOrigin::End, Channel::Output(output)) => output.sink_len()?,
        };
        let byte_offset = base
            .checked_add_signed(offset)
            .ok_or(IoError::InvalidPosition)?;
        let char_count = byte_offset / self.encoding().width(' ');
        self.set_position(Position {
            char_count,
            byte_offset,
            ..Position::START
        })?;
        Ok(byte_offset)
    }

    /// Makes the present place of an output stream the end of its file.
    pub(crate) fn set_end_of_stream(&mut self) -> Result<(), IoError> {
        self.output()?.set_end_of_stream()
    }

    /// Returns the place relative to the end, as far as that is known without waiting; `None` for output streams.
    pub(crate) fn end_of_stream(&mut self) -> Option<EndOfStream> {
        match &mut self.channel {
            Channel::Input(input) => Some(input.end_of_stream()),
            Channel::Output(_) => None,
        }
    }

    /// Writes a text.
    #[inline]
    pub(crate) fn put_str(&mut self, text: &str) -> Result<(), IoError> {
        self.output()?.put_str(text)
    }
}
