//! Admission of files that the host names: the engine may load them, whatever its capabilities are.

use super::engine::Engine;
use crate::base::needs::Needs;
use crate::base::stop::Stop;
use crate::io::files::Directory;
use crate::io::guest::directory::DirectoryFiles;
use crate::io::guest::grants::Mount;
use crate::io::guest::one_file::OneFile;
use crate::io::guest::path::GuestPath;
use crate::io::os_names::{os_of_text, text_of_os};
use std::path::{Path, PathBuf};
use std::sync::Arc;

/// The endings that the engine tries after the name of a program, in this order.
const ENDINGS: [&str; 5] = ["", ".pl", ".pro", ".prolog", ".ll"];
/// The name of the text that is read from the standard input.
const USER: &str = "user";

impl Engine {
    /// Lets the engine load the program at `path`, and files below its folder. Returns the name by which the engine
    /// finds the program.
    #[expect(clippy::disallowed_methods, reason = "the host itself asks")]
    pub(super) fn admit_program(&mut self, path: &Path) -> Result<String, Stop> {
        let name = text_of_os(path.as_os_str());
        let directory = &mut self.machine.world.host.directory;
        if directory.guest().is_none() || name == USER {
            return Ok(name);
        }
        let whole = GuestPath::new(&name);
        if let (Some(folder), Some(at)) = (path.parent(), whole.parent()) {
            admit_folder(directory, at, folder)?;
        }
        let endings = ENDINGS.iter().map(|ending| format!("{name}{ending}"));
        let found = endings
            .into_iter()
            .find(|name| Path::new(&*os_of_text(name)).is_file());
        // If there is no such file, the engine shall report that, whatever was granted.
        let missing = ENDINGS.iter().filter(|_| found.is_none());
        let missing = missing.map(|ending| format!("{name}{ending}"));
        for file in found.iter().cloned().chain(missing) {
            let host: PathBuf = os_of_text(&file).into_owned().into();
            directory.admit(Mount {
                at: GuestPath::new(&file),
                uses: Needs::LOAD,
                files: Arc::new(OneFile(std::path::absolute(&host).unwrap_or(host))),
                admitted: true,
            })?;
        }
        // The program may have changed its working directory.
        Ok(match is_at_root(directory) {
            true => name,
            false => whole.as_str().to_owned(),
        })
    }

    /// Returns the path of a file that the host names. An unconfined engine resolves it from its own working
    /// directory.
    pub(super) fn host_file(&self, name: &str) -> PathBuf {
        match self.machine.world.host.directory.guest() {
            Some(_) => os_of_text(name).into_owned().into(),
            None => self.machine.world.host.directory.file(name),
        }
    }

    /// Lets the engine load the files below a folder that the host names.
    pub(super) fn admit_module_folder(&mut self, folder: &Path) -> Result<(), Stop> {
        let directory = &mut self.machine.world.host.directory;
        admit_folder(
            directory,
            GuestPath::new(&text_of_os(folder.as_os_str())),
            folder,
        )
    }

    /// Lets the engine load Lolli modules that the host names, by the names of the modules or of their files.
    #[expect(clippy::disallowed_methods, reason = "the host itself asks")]
    pub(super) fn admit_modules(&mut self, modules: &[&str]) -> Result<(), Stop> {
        for module in modules {
            let word = module.split_whitespace().next().unwrap_or_default();
            let file = match word.ends_with(".ll") {
                true => word.to_owned(),
                false => format!("{word}.ll"),
            };
            let path = PathBuf::from(os_of_text(&file).into_owned());
            if path.is_file() {
                self.admit_program(&path)?;
            }
        }
        Ok(())
    }
}

fn is_at_root(directory: &Directory) -> bool {
    directory.guest_path("") == GuestPath::root()
}

fn admit_folder(directory: &mut Directory, at: GuestPath, folder: &Path) -> Result<(), Stop> {
    let named = !folder.as_os_str().is_empty();
    let files = DirectoryFiles::new(if named { folder } else { Path::new(".") });
    directory.admit(Mount {
        at,
        uses: Needs::LOAD,
        files: Arc::new(files),
        admitted: true,
    })
}
