//! Tests of streams, encodings and files, by theme, on the types of `io` alone. What builtins make of streams is tested in
//! `tests/cases`, a stream of a terminal in `tests/terminal.rs`.

mod encodings;
mod file_system;
mod reading;
mod table;
mod writing;

use super::error::IoError;
use super::options::{EofAction, OpenMode, OpenOptions};
use super::stream::{Stream, StreamId};
use super::stream_table::StreamTable;
use crate::base::needs::Permit;
use crate::io::options::Opening;
use std::io::Write;
use std::path::PathBuf;
use std::sync::atomic::{AtomicU32, Ordering};
use std::sync::{Arc, Mutex};

/// A directory of its own, deleted with its files.
struct TestDirectory(PathBuf);

impl TestDirectory {
    fn new() -> TestDirectory {
        static COUNT: AtomicU32 = AtomicU32::new(0);
        let number = COUNT.fetch_add(1, Ordering::Relaxed);
        let path =
            std::env::temp_dir().join(format!("wamlet_io_test_{}_{number}", std::process::id()));
        std::fs::create_dir_all(&path).unwrap();
        TestDirectory(path)
    }

    fn path(&self, name: &str) -> String {
        self.0.join(name).to_str().unwrap().to_string()
    }

    fn file(&self, name: &str, bytes: &[u8]) -> String {
        let path = self.path(name);
        std::fs::write(&path, bytes).unwrap();
        path
    }
}

impl Drop for TestDirectory {
    fn drop(&mut self) {
        let _ = std::fs::remove_dir_all(&self.0);
    }
}

/// A writer whose bytes stay visible.
#[derive(Clone, Default)]
struct Shared(Arc<Mutex<Vec<u8>>>);

impl Shared {
    fn text(&self) -> String {
        String::from_utf8(self.0.lock().unwrap().clone()).unwrap()
    }
}

impl Write for Shared {
    fn write(&mut self, bytes: &[u8]) -> std::io::Result<usize> {
        self.0.lock().unwrap().extend_from_slice(bytes);
        Ok(bytes.len())
    }

    fn flush(&mut self) -> std::io::Result<()> {
        Ok(())
    }
}

/// A writer whose reader has gone.
struct Broken;

impl Write for Broken {
    fn write(&mut self, _: &[u8]) -> std::io::Result<usize> {
        Err(std::io::Error::from(std::io::ErrorKind::BrokenPipe))
    }

    fn flush(&mut self) -> std::io::Result<()> {
        Ok(())
    }
}

fn with_eof(eof_action: EofAction) -> OpenOptions {
    OpenOptions {
        eof_action,
        ..OpenOptions::default()
    }
}

fn open_text(text: &str, options: &OpenOptions) -> (StreamTable, StreamId) {
    let mut table = StreamTable::new(Permit::issue(), Permit::issue());
    let id = table.open_text(text.to_string(), options).unwrap();
    (table, id)
}

fn open_bytes(bytes: &[u8], options: &OpenOptions) -> (StreamTable, StreamId) {
    let mut table = StreamTable::new(Permit::issue(), Permit::issue());
    let id = table.open_memory(bytes.to_vec(), options).unwrap();
    (table, id)
}

fn stream(table: &mut StreamTable, id: StreamId) -> &mut Stream {
    table.get_mut(id).unwrap()
}

fn read_all(stream: &mut Stream) -> Result<String, IoError> {
    let mut text = String::new();
    while let Some(char) = stream.get_char()? {
        text.push(char);
    }
    Ok(text)
}

fn write_file(table: &mut StreamTable, path: &str, mode: OpenMode, text: &str) {
    let id = table
        .open(
            Opening::in_mode(mode, Permit::issue(), Permit::issue()),
            path,
            &OpenOptions::default(),
        )
        .unwrap();
    stream(table, id).put_str(text).unwrap();
    table.close(id, false).unwrap();
}
