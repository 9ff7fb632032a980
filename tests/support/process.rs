//! Runs the command as a process, in its own folder.

use std::io::Write;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::sync::atomic::{AtomicUsize, Ordering};

/// The output of a process, and its exit status.
pub(crate) struct Ran {
    pub(crate) status: i32,
    pub(crate) output: String,
    pub(crate) errors: String,
}

/// A folder that is deleted on drop.
pub(crate) struct Folder(pub(crate) PathBuf);

impl Folder {
    pub(crate) fn new() -> Folder {
        static COUNT: AtomicUsize = AtomicUsize::new(0);
        let number = COUNT.fetch_add(1, Ordering::Relaxed);
        let name = format!("wamlet-command-{}-{number}", std::process::id());
        let path = std::env::temp_dir().join(name);
        std::fs::create_dir_all(&path).expect("a folder for temporary files");
        Folder(path)
    }

    pub(crate) fn file(&self, name: &str, text: &str) -> PathBuf {
        let path = self.0.join(name);
        std::fs::write(&path, text).expect("a writable folder");
        path
    }
}

impl Drop for Folder {
    fn drop(&mut self) {
        let _ = std::fs::remove_dir_all(&self.0);
    }
}

pub(crate) fn run_in(folder: &Path, args: &[&str], input: &str) -> Ran {
    let mut child = Command::new(env!("CARGO_BIN_EXE_wamlet"))
        .args(args)
        .current_dir(folder)
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .expect("the command starts");
    let mut stdin = child.stdin.take().expect("a pipe");
    // A process that does not want its input closes it.
    let _ = stdin.write_all(input.as_bytes());
    drop(stdin);
    let result = child.wait_with_output().expect("the command ends");
    Ran {
        status: result.status.code().unwrap_or(-1),
        output: String::from_utf8_lossy(&result.stdout).into_owned(),
        errors: String::from_utf8_lossy(&result.stderr).into_owned(),
    }
}
