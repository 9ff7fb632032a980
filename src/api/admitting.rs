//! What the host names itself is read, whatever the text of the engine may reach.

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

/// What is added to the name of a program that has no ending, in the order in which files are looked for.
const ENDINGS: [&str; 5] = ["", ".pl", ".pro", ".prolog", ".ll"];
/// The text that comes from the standard input.
const USER: &str = "user";

impl Engine {
    /// Lets a program be read that the host names, and what is below its folder be loaded. Gives the name by which the
    /// engine finds it.
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
        // Where there is none, the text shall see that, whatever was granted.
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
        // Text may have gone elsewhere.
        Ok(match is_at_root(directory) {
            true => name,
            false => whole.as_str().to_owned(),
        })
    }

    /// The file of a name that the host gives: seen from where an engine works that is not confined.
    pub(super) fn host_file(&self, name: &str) -> PathBuf {
        match self.machine.world.host.directory.guest() {
            Some(_) => os_of_text(name).into_owned().into(),
            None => self.machine.world.host.directory.file(name),
        }
    }

    /// Lets what is below a folder be loaded that the host names.
    pub(super) fn admit_module_folder(&mut self, folder: &Path) -> Result<(), Stop> {
        let directory = &mut self.machine.world.host.directory;
        admit_folder(
            directory,
            GuestPath::new(&text_of_os(folder.as_os_str())),
            folder,
        )
    }

    /// Lets the modules of Lolli be loaded that the host names, by their names or their files.
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
