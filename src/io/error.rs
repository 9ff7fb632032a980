//! Errors of streams and files. The builtins turn each into the error term that ISO 13211-1 (7.12.2 and 8.11 to 8.13)
//! requires at that place.

use super::encoding::Encoding;
use super::guest::host_files::is_refused;
use super::options::StreamType;
use crate::base::atom_table::Atom;
use crate::base::needs::Needs;
use crate::base::stop::Stop;
use std::fmt;
use std::io::{Error, ErrorKind};

/// Codes of the system for the error that the process, or the system, has no descriptor left.
const OUT_OF_DESCRIPTORS: &[i32] = if cfg!(windows) { &[4] } else { &[23, 24] };

/// A failed operation on a stream or a file.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum IoError {
    /// There is no such file or directory: `existence_error(source_sink, F)`.
    NotFound,
    /// The system denies access: `permission_error(open, source_sink, F)`.
    PermissionDenied,
    /// The operation needs a file but found a directory.
    IsDirectory,
    /// The operation needs a directory but found a file.
    NotDirectory,
    /// The file or directory to be made already exists.
    AlreadyExists,
    /// The directory to be deleted has entries.
    DirectoryNotEmpty,
    /// No process reads the output any more.
    BrokenPipe,
    /// A signal interrupted a terminal read. No input is lost; the caller checks for interrupts and repeats the
    /// operation.
    Interrupted,
    /// Source text is invalid in its encoding. The fields give the first invalid byte.
    InvalidEncoding {
        /// The encoding of the source text.
        encoding: Encoding,
        /// Offset of the first wrong byte.
        byte_offset: u64,
        /// The line of the first wrong byte, from 1.
        line: usize,
        /// The column of the first wrong byte in characters, from 1.
        column: usize,
    },
    /// The encoding of the output stream lacks this character: `representation_error(character)`.
    Unrepresentable(char),
    /// A read past the end with `eof_action(error)`: `permission_error(input, past_end_of_stream, S)`.
    PastEndOfStream,
    /// The stream handle or alias names no open stream: `existence_error(stream, S)`.
    NoStream,
    /// Input from an output stream: `permission_error(input, stream, S)`.
    NotInput,
    /// Output to an input stream: `permission_error(output, stream, S)`.
    NotOutput,
    /// A text operation on a binary stream or the reverse: `permission_error(input, binary_stream, S)` and similar
    /// errors. Holds the type of the stream.
    WrongType(StreamType),
    /// `permission_error(reposition, stream, S)`, or at opening
    /// `permission_error(open, source_sink, reposition(true))`.
    NotRepositionable,
    /// A position outside the stream or inside a character: `domain_error(stream_position, P)`.
    InvalidPosition,
    /// Another stream has this alias: `permission_error(open, source_sink, alias(A))`.
    AliasInUse(Atom),
    /// The gathered text exceeds its limit of memory.
    NoMemory,
    /// The maximum number of streams is open: `resource_error(streams)`.
    TooManyStreams,
    /// The engine has no grant for the operation: `permission_error(use, capability, C)`.
    Refused(Needs),
    /// Any other error, in the words of the system.
    Other(String),
}

impl IoError {
    /// Makes an error with these words.
    pub(crate) fn other(message: impl Into<String>) -> IoError {
        IoError::Other(message.into())
    }
}

impl From<Stop> for IoError {
    fn from(_: Stop) -> IoError {
        IoError::NoMemory
    }
}

impl From<Stop> for Error {
    fn from(_: Stop) -> Error {
        ErrorKind::OutOfMemory.into()
    }
}

impl From<Error> for IoError {
    fn from(error: Error) -> IoError {
        match error.kind() {
            ErrorKind::NotFound => IoError::NotFound,
            // Refusals of files are handled elsewhere, so this is the standard input.
            ErrorKind::PermissionDenied if is_refused(&error) => IoError::Refused(Needs::STDIN),
            ErrorKind::PermissionDenied | ErrorKind::ReadOnlyFilesystem => {
                IoError::PermissionDenied
            }
            ErrorKind::IsADirectory => IoError::IsDirectory,
            ErrorKind::NotADirectory => IoError::NotDirectory,
            ErrorKind::AlreadyExists => IoError::AlreadyExists,
            ErrorKind::DirectoryNotEmpty => IoError::DirectoryNotEmpty,
            ErrorKind::BrokenPipe => IoError::BrokenPipe,
            ErrorKind::Interrupted => IoError::Interrupted,
            ErrorKind::NotSeekable => IoError::NotRepositionable,
            ErrorKind::OutOfMemory => IoError::NoMemory,
            _ if error
                .raw_os_error()
                .is_some_and(|code| OUT_OF_DESCRIPTORS.contains(&code)) =>
            {
                IoError::TooManyStreams
            }
            _ => IoError::Other(error.to_string()),
        }
    }
}

impl fmt::Display for IoError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let text = match self {
            IoError::NotFound => "no such file or directory",
            IoError::PermissionDenied => "permission denied",
            IoError::IsDirectory => "is a directory",
            IoError::NotDirectory => "not a directory",
            IoError::AlreadyExists => "already exists",
            IoError::DirectoryNotEmpty => "directory not empty",
            IoError::BrokenPipe => "broken pipe",
            IoError::Interrupted => "interrupted",
            IoError::InvalidEncoding {
                encoding,
                byte_offset,
                ..
            } => {
                let name = encoding.name();
                return write!(
                    f,
                    "this is not {name} text (byte {byte_offset} of the file)"
                );
            }
            IoError::Unrepresentable(char) => {
                return write!(f, "the encoding has no character {char:?}");
            }
            IoError::PastEndOfStream => "past the end of the stream",
            IoError::NoStream => "no such stream",
            IoError::NotInput => "not an input stream",
            IoError::NotOutput => "not an output stream",
            IoError::WrongType(StreamType::Text) => "a text stream",
            IoError::WrongType(StreamType::Binary) => "a binary stream",
            IoError::NotRepositionable => "stream cannot be repositioned",
            IoError::InvalidPosition => "no such position in the stream",
            IoError::AliasInUse(_) => "alias is in use",
            IoError::NoMemory => "the text is too large for the memory",
            IoError::TooManyStreams => "too many open streams",
            IoError::Refused(need) => {
                return write!(f, "the capability `{}` is not granted", need.refused_word());
            }
            IoError::Other(message) => message,
        };
        f.write_str(text)
    }
}

impl std::error::Error for IoError {}
