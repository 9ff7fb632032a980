//! Modes and options of streams (ISO 13211-1, 7.10.2.11, with those of today's systems).

use super::encoding::Encoding;
use crate::base::needs::{Permit, Read, Write};
use crate::base::symbol::Atom;

/// What a stream was opened for (7.10.1.1).
#[derive(Copy, Clone, Debug, PartialEq, Eq)]
pub(crate) enum OpenMode {
    /// Input.
    Read,
    /// Output to an empty file.
    Write,
    /// Output after what the file holds.
    Append,
    /// Output over what the file holds, from its start.
    Update,
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

impl OpenMode {
    /// Spelling as in `open/3`.
    pub(crate) fn name(self) -> &'static str {
        match self {
            OpenMode::Read => "read",
            OpenMode::Write => "write",
            OpenMode::Append => "append",
            OpenMode::Update => "update",
        }
    }

    /// The mode of this spelling.
    pub(crate) fn from_name(name: &str) -> Option<OpenMode> {
        [
            OpenMode::Read,
            OpenMode::Write,
            OpenMode::Append,
            OpenMode::Update,
        ]
        .into_iter()
        .find(|mode| mode.name() == name)
    }
}

/// Characters or bytes.
#[derive(Copy, Clone, Debug, PartialEq, Eq)]
pub(crate) enum StreamType {
    /// Characters.
    Text,
    /// Bytes.
    Binary,
}

impl StreamType {
    /// Spelling as in `type(T)`.
    pub(crate) fn name(self) -> &'static str {
        match self {
            StreamType::Text => "text",
            StreamType::Binary => "binary",
        }
    }
}

/// What a read past the end of the stream does.
#[derive(Copy, Clone, Debug, PartialEq, Eq)]
pub(crate) enum EofAction {
    /// It is an error.
    Error,
    /// It gives the end of the stream again.
    EofCode,
    /// It looks for more at the source.
    Reset,
}

impl EofAction {
    /// Spelling as in `eof_action(A)`.
    pub(crate) fn name(self) -> &'static str {
        match self {
            EofAction::Error => "error",
            EofAction::EofCode => "eof_code",
            EofAction::Reset => "reset",
        }
    }

    /// The action of this spelling.
    pub(crate) fn from_name(name: &str) -> Option<EofAction> {
        [EofAction::Error, EofAction::EofCode, EofAction::Reset]
            .into_iter()
            .find(|action| action.name() == name)
    }
}

/// When output leaves the buffer of its stream.
#[derive(Copy, Clone, Debug, PartialEq, Eq)]
pub(crate) enum Buffering {
    /// When the buffer is full.
    Full,
    /// At the end of each line as well.
    Line,
    /// At once.
    None,
}

impl Buffering {
    /// Spelling as in `buffer(B)`.
    pub(crate) fn name(self) -> &'static str {
        match self {
            Buffering::Full => "full",
            Buffering::Line => "line",
            Buffering::None => "false",
        }
    }

    /// The buffering of this spelling.
    pub(crate) fn from_name(name: &str) -> Option<Buffering> {
        Some(match name {
            "full" => Buffering::Full,
            "line" => Buffering::Line,
            "false" | "none" => Buffering::None,
            _ => return None,
        })
    }
}

/// What stands at the end of a line of output.
#[derive(Copy, Clone, Debug, PartialEq, Eq)]
pub(crate) enum Newline {
    /// A line feed.
    Posix,
    /// A carriage return and a line feed.
    Dos,
}

impl Newline {
    /// Spelling as in `newline(N)`.
    pub(crate) fn name(self) -> &'static str {
        match self {
            Newline::Posix => "posix",
            Newline::Dos => "dos",
        }
    }

    /// The one of this spelling.
    pub(crate) fn from_name(name: &str) -> Option<Newline> {
        Some(match name {
            "posix" | "detect" => Newline::Posix,
            "dos" => Newline::Dos,
            _ => return None,
        })
    }
}

/// Where a stream is with respect to its end (7.10.2.9).
#[derive(Copy, Clone, Debug, PartialEq, Eq)]
pub(crate) enum EndOfStream {
    /// Before it, or it is not known without waiting.
    Not,
    /// The next read gives the end.
    At,
    /// The end was read.
    Past,
}

impl EndOfStream {
    /// Spelling as in `end_of_stream(E)`.
    pub(crate) fn name(self) -> &'static str {
        match self {
            EndOfStream::Not => "not",
            EndOfStream::At => "at",
            EndOfStream::Past => "past",
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
