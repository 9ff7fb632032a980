//! Loading files.
