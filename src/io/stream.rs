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

/// The handle of a stream. An engine never gives it to another stream, so that a handle kept
/// beyond the closing of its stream is known to be stale.
#[derive(Copy, Clone, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub(crate) struct StreamId(pub(crate) u32);

/// The direction of a stream.
pub(crate) enum Channel {
    /// Input.
    Input(Input),
    /// Output.
    Output(Output),
}

/// Does the same with a channel whatever its direction.
macro_rules! either {
    ($channel:expr, $half:ident => $work:expr) => {
        match $channel {
            Channel::Input($half) => $work,
            Channel::Output($half) => $work,
        }
    };
}

named! {
    /// From where `seek/4` counts.
    SeekOrigin {
        /// From the start.
        Start "bof",
        /// From the present place.
        Current "current",
        /// From the end.
        End "eof",
    }
}

/// A stream.
pub(crate) struct Stream {
    pub(super) channel: Channel,
    pub(super) aliases: Vec<Atom>,
    /// The mode it was opened in.
    pub(crate) mode: OpenMode,
    /// The file as it was named at opening.
    pub(crate) file_name: Option<String>,
    /// Whether it can be repositioned.
    pub(crate) reposition: bool,
    /// Was it opened by `see/1`, `tell/1` or `append/1`, which find it again by its file?
    pub(crate) seen_or_told: bool,
    /// Bytes that it takes for as long as it is open.
    pub(super) held: usize,
    /// Does it count among those that may be open?
    pub(super) counts: bool,
    tty: bool,
}

/// Bytes that a stream takes, with its buffer.
const STREAM_BYTES: usize = 768;

impl Stream {
    /// A stream of this channel.
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

    /// Is it for input?
    pub(crate) fn is_input(&self) -> bool {
        matches!(self.channel, Channel::Input(_))
    }

    /// Is it for output?
    #[cfg(test)]
    pub(crate) fn is_output(&self) -> bool {
        !self.is_input()
    }

    /// The input channel, or an error of an output stream.
    #[inline]
    pub(crate) fn input(&mut self) -> Result<&mut Input, IoError> {
        match &mut self.channel {
            Channel::Input(input) => Ok(input),
            Channel::Output(_) => Err(IoError::NotInput),
        }
    }

    /// The output channel, or an error of an input stream.
    #[inline]
    pub(crate) fn output(&mut self) -> Result<&mut Output, IoError> {
        match &mut self.channel {
            Channel::Output(output) => Ok(output),
            Channel::Input(_) => Err(IoError::NotOutput),
        }
    }

    /// The aliases, in the order they were given.
    pub(crate) fn aliases(&self) -> &[Atom] {
        &self.aliases
    }

    /// Is it that of a terminal of the process? Text can say so of any stream.
    pub(crate) fn is_terminal(&self) -> bool {
        self.tty && either!(&self.channel, half => half.is_of_process())
    }

    /// Is a terminal at its other end?
    pub(crate) fn is_tty(&self) -> bool {
        self.tty
    }

    /// Says whether a terminal is at its other end.
    pub(crate) fn set_tty(&mut self, tty: bool) {
        self.tty = tty;
        if let Channel::Input(input) = &mut self.channel {
            input.interruptible = tty;
        }
    }

    /// Waiting for input, or for somebody to take the output, ends where the work is to be stopped.
    pub(crate) fn set_watch(&mut self, watch: &Arc<Watch>) {
        either!(&mut self.channel, half => half.watch = Some(Arc::clone(watch)))
    }

    /// Characters or bytes.
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

    /// The encoding of its text.
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

    /// What a read past the end does; of output streams it has no meaning.
    pub(crate) fn eof_action(&self) -> EofAction {
        match &self.channel {
            Channel::Input(input) => input.eof_action,
            Channel::Output(_) => EofAction::EofCode,
        }
    }

    /// Changes what a read past the end does.
    pub(crate) fn set_eof_action(&mut self, action: EofAction) {
        if let Channel::Input(input) = &mut self.channel {
            input.eof_action = action;
        }
    }

    /// When output is written; input is read a buffer or, of a terminal, a line at a time.
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

    /// What ends a line of output; input is read as it is.
    pub(crate) fn newline(&self) -> Newline {
        match &self.channel {
            Channel::Input(_) => Newline::Posix,
            Channel::Output(output) => output.newline,
        }
    }

    /// Changes what ends a line of output.
    pub(crate) fn set_newline(&mut self, newline: Newline) {
        if let Channel::Output(output) = &mut self.channel {
            output.newline = newline;
        }
    }

    /// Whether its text began with a byte order mark.
    pub(crate) fn has_bom(&self) -> bool {
        matches!(&self.channel, Channel::Input(input) if input.has_bom())
    }

    /// The place of the next character or byte.
    pub(crate) fn position(&self) -> Position {
        either!(&self.channel, half => half.position())
    }

    /// The column of the next character, from 0.
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

    /// Goes to a place that [`Stream::position`] gave (`set_stream_position/2`).
    pub(crate) fn set_position(&mut self, position: Position) -> Result<(), IoError> {
        if !self.reposition {
            return Err(IoError::NotRepositionable);
        }
        let position = position.clamped();
        either!(&mut self.channel, half => half.set_position(position))
    }

    /// Goes to a byte; the result is its offset. The counters of characters and lines start anew,
    /// since nobody knows what lies before.
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

    /// Where it is with respect to its end, as far as that is known without waiting; `None` of
    /// output streams.
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
