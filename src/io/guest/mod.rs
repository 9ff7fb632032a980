//! The files of a confined engine: guest names, the places that are granted under them, and who holds the files.
//! What an engine does with files is in `io::files`, `io::source_file` and `io::stream_table`: they ask `io::target`.
//!
//! A guest name is made absolute and normal before anything is looked up. Then the grants decide, by the name alone;
//! only then [`HostFiles`] is asked.
#![forbid(unsafe_code)]

pub(crate) mod directory;
pub(crate) mod grants;
pub(crate) mod host_files;
pub(crate) mod memory;
pub(crate) mod one_file;
pub(crate) mod path;
