//! The files of a confined engine: guest names, the places that are granted under them, and the holders of the files.
//! The functions on files are in `io::files`, `io::source_file` and `io::stream_table`; they call `io::target`.
//!
//! A guest name is made absolute and normal before any lookup. Then the grants decide, by the name alone. Only after
//! that [`HostFiles`] is called.
#![forbid(unsafe_code)]

pub(crate) mod directory;
pub(crate) mod grants;
pub(crate) mod host_files;
pub(crate) mod memory;
pub(crate) mod one_file;
pub(crate) mod path;
