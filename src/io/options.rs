//! Modes and options of streams (ISO 13211-1, 7.10.2.11, with those of today's systems).

use super::encoding::Encoding;
use super::error::IoError;
use crate::base::atom_table::Atom;
use crate::base::named::named;
use crate::base::needs::{Permit, Read, Write};

named! {
    /// What a stream was opened for (7.10.1.1).
    OpenMode {
        /// Input.
        Read "read",
        /// Output to an empty file.
        Write "write",
        /// Output after what the file holds.
        Append "append",
        /// Output over what the file holds, from its start.
        Update "update",
    }
}

/// The mode of a stream that is to be opened, and leave for it.
pub(crate) struct Opening(pub(super) OpenMode);

impl Opening {
    /// To read.
    pub(crate) fn to_read(_: &Permit<Read>) -> Opening {
        Opening(OpenMode::Read)
    }

    /// To write, after what there is or in its place.
    pub(crate) fn to_write(_: &Permit<Write>, appends: bool) -> Opening {
        Opening(if appends {
            OpenMode::Append
        } else {
            OpenMode::Write
        })
    }

    /// In this mode.
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

    /// What a read past the end of the stream does.
    EofAction {
        /// It is an error.
        Error "error",
        /// It gives the end of the stream again.
        EofCode "eof_code",
        /// It looks for more at the source.
        Reset "reset",
    }

    /// When output leaves the buffer of its stream.
    Buffering {
        /// When the buffer is full.
        Full "full",
        /// At the end of each line as well.
        Line "line",
        /// At once.
        None "false" | "none",
    }

    /// What stands at the end of a line of output.
    Newline {
        /// A line feed.
        Posix "posix" | "detect",
        /// A carriage return and a line feed.
        Dos "dos",
    }

    /// Where a stream is with respect to its end (7.10.2.9).
    EndOfStream {
        /// Before it, or it is not known without waiting.
        Not "not",
        /// The next read gives the end.
        At "at",
        /// The end was read.
        Past "past",
    }
}

impl StreamType {
    /// An error unless it is that one.
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
