//! Tests of streams and files. The sessions are in `tests/streams`; `session` and `several_ways` run their steps.
//! `code` has the tests that no step can express. `tests/terminal.rs` tests the stream of a terminal.

mod code;
mod session;
mod several_ways;

use super::error::IoError;
use super::input::Input;
use std::io::{Read, Write};
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
    fn bytes(&self) -> Vec<u8> {
        self.0.lock().unwrap().clone()
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

/// A reader that returns its bytes one at a time.
struct Trickle(Vec<u8>);

impl Read for Trickle {
    fn read(&mut self, buffer: &mut [u8]) -> std::io::Result<usize> {
        if self.0.is_empty() || buffer.is_empty() {
            return Ok(0);
        }
        buffer[0] = self.0.remove(0);
        Ok(1)
    }
}

/// Reads the rest of an input, by character.
fn read_all(input: &mut Input) -> Result<String, IoError> {
    let mut text = String::new();
    while let Some(char) = input.get_char()? {
        text.push(char);
    }
    Ok(text)
}
