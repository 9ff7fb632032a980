//! Modes and options of streams (ISO 13211-1, 7.10.2.11, with those of today's systems).

use super::encoding::Encoding;
use super::error::IoError;
use crate::base::atom_table::Atom;
use crate::base::named::named;
use crate::base::needs::{Permit, Read, Write};

named! {
    /// The use for which a stream was opened (7.10.1.1).
    OpenMode {
        /// Input.
        Read "read",
        /// Output to an empty file.
        Write "write",
        /// Output after the content of the file.
        Append "append",
        /// Output over the content of the file, from its start.
        Update "update",
    }
}

/// The mode of a stream that is about to be opened, together with the permit for it.
pub(crate) struct Opening(pub(super) OpenMode);

impl Opening {
    /// Makes an opening for reading.
    pub(crate) fn to_read(_: &Permit<Read>) -> Opening {
        Opening(OpenMode::Read)
    }

    /// Makes an opening for writing, after the content or in its place.
    pub(crate) fn to_write(_: &Permit<Write>, appends: bool) -> Opening {
        Opening(if appends {
            OpenMode::Append
        } else {
            OpenMode::Write
        })
    }

    /// Makes an opening in this mode.
    pub(crate) fn in_mode(mode: OpenMode, _: &Permit<Read>, _: &Permit<Write>) -> Opening {
        Opening(mode)
    }
}

named! {
    /// Characters or bytes.
    StreamType {
        /// Characters.
        Text "text",
        /// Bytes.
        Binary "binary",
    }

    /// The effect of a read past the end of the stream.
    EofAction {
        /// An error.
        Error "error",
        /// The end of the stream again.
        EofCode "eof_code",
        /// Another read of the source.
        Reset "reset",
    }

    /// The time when output leaves the buffer of its stream.
    Buffering {
        /// When the buffer is full.
        Full "full",
        /// Also at the end of each line.
        Line "line",
        /// At once.
        None "false" | "none",
    }

    /// The end of a line of output.
    Newline {
        /// A line feed.
        Posix "posix" | "detect",
        /// A carriage return and a line feed.
        Dos "dos",
    }

    /// The place of a stream relative to its end (7.10.2.9).
    EndOfStream {
        /// Before the end, or not known without waiting.
        Not "not",
        /// The next read returns the end.
        At "at",
        /// The end was read.
        Past "past",
    }
}

impl StreamType {
    /// Returns an error unless it is the wanted type.
    #[inline]
    pub(super) fn require(self, wanted: StreamType) -> Result<(), IoError> {
        if self == wanted {
            Ok(())
        } else {
            Err(IoError::WrongType(self))
        }
    }
}

/// The options of `open/4`.
#[derive(Clone, Debug)]
pub(crate) struct OpenOptions {
    /// `type(T)`.
    pub(crate) stream_type: StreamType,
    /// `encoding(E)`.
    pub(crate) encoding: Encoding,
    /// `eof_action(A)`.
    pub(crate) eof_action: EofAction,
    /// `reposition(B)`; without it a stream is repositionable when its file is.
    pub(crate) reposition: Option<bool>,
    /// `alias(A)`, any number of them.
    pub(crate) aliases: Vec<Atom>,
    /// `buffer(B)`.
    pub(crate) buffering: Buffering,
    /// `bom(B)`: look for a byte order mark (default for input), or write one.
    pub(crate) bom: Option<bool>,
    /// `newline(N)`.
    pub(crate) newline: Newline,
}

impl Default for OpenOptions {
    fn default() -> OpenOptions {
        OpenOptions {
            stream_type: StreamType::Text,
            encoding: Encoding::Utf8,
            eof_action: EofAction::EofCode,
            reposition: None,
            aliases: Vec::new(),
            buffering: Buffering::Full,
            bom: None,
            newline: Newline::Posix,
        }
    }
}
