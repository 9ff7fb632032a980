//! Images: files with the clauses and directives of loaded programs, which load without reading the texts again.

use super::consult::LoadReport;
use super::engine::{Engine, no_memory};
use super::error::{Error, ErrorKind};
use super::leave;
use crate::base::growth::Grow;
use crate::image::record::{Recorder, Recording, image_name, is_image_name};
use crate::io::files::replace_in_system;
use crate::source::loading::Loader;
use crate::source::program_names::is_lolli;

use crate::io::os_names::text_of_os;
use crate::tools::timing::reading_times;
use std::path::Path;
use std::sync::Arc;
use std::time::Duration;

/// The CPU time for reading the texts of a program, up to each of three stages.
#[derive(Copy, Clone, Debug, Default, PartialEq, Eq)]
#[non_exhaustive]
pub struct ReadingTimes {
    /// Time to read the texts as tokens.
    pub tokens: Duration,
    /// Time to read the texts as syntax trees.
    pub trees: Duration,
    /// Time to read the texts as terms.
    pub terms: Duration,
}

/// Checks that a program with this name can have an image.
fn check_program(name: &str) -> Result<(), Error> {
    if is_lolli(name) || is_image_name(name) {
        let message = format!("{name}: only a Prolog text can have an image");
        return Err(Error::new(ErrorKind::Usage, message));
    }
    Ok(())
}

impl Engine {
    /// Loads a program and writes an image of it to the file `image`. The name of the image ends in `.wam`. Use a new
    /// engine for this: the image contains what the program loads, but nothing that was in the engine before.
    ///
    /// The image contains the clauses and directives of the program and of all files that it loads and includes. It
    /// refers to libraries of the system and modules of Lolli by their names only. [`Engine::consult_file`] loads an
    /// image faster than the text. If a text exists and has changed since, [`Engine::consult_file`] loads the text
    /// instead and reports a warning.
    ///
    /// Directives run as in loading, because they can change how the rest is read. Goals of `initialization/1` of the
    /// program itself do not run. If the program has an error, no image is written.
    ///
    /// # Errors
    /// - the errors of [`Engine::consult_file`]
    /// - [`ErrorKind::Io`] also if the image cannot be written
    /// - [`ErrorKind::Usage`] if the name of the image does not end in `.wam`, or if the program is a module of Lolli
    ///   or an image
    pub fn compile_file(
        &mut self,
        program: impl AsRef<Path>,
        image: impl AsRef<Path>,
    ) -> Result<LoadReport, Error> {
        let text = |path: &Path| text_of_os(path.as_os_str());
        let (path, program) = (program.as_ref(), text(program.as_ref()));
        let image = text(image.as_ref());
        if !is_image_name(&image) {
            let message = format!("{image}: the name of an image must end in .wam");
            return Err(Error::new(ErrorKind::Usage, message));
        }
        check_program(&program)?;
        let (report, bytes) =
            self.record(&program, Some(&image), |engine| engine.consult_file(path))?;
        if let Some(bytes) = bytes {
            let file = self.host_file(&image);
            replace_in_system(file, &bytes)
                .map_err(|error| Error::new(ErrorKind::Io, format!("{image}: {error}")))?;
        }
        Ok(report)
    }

    /// Loads a program and returns the bytes of its image, or `None` if the program has an error. The bytes depend on
    /// the texts and on their paths relative to the program. They do not depend on the folder of the program.
    ///
    /// # Errors
    /// Returns the errors of [`Engine::compile_file`].
    pub fn compile_file_to_bytes(
        &mut self,
        program: impl AsRef<Path>,
    ) -> Result<(LoadReport, Option<Vec<u8>>), Error> {
        let path = program.as_ref();
        let name = text_of_os(path.as_os_str());
        check_program(&name)?;
        self.record(&name, None, |engine| engine.consult_file(path))
    }

    /// Loads a program from a text and returns the bytes of its image, or `None` if the program has an error. `name`
    /// takes the place of a file name.
    ///
    /// # Errors
    /// Returns the errors of [`Engine::compile_file`].
    pub fn compile_text(
        &mut self,
        name: &str,
        text: &str,
    ) -> Result<(LoadReport, Option<Vec<u8>>), Error> {
        self.record(name, None, |engine| engine.consult_text(name, text))
    }

    /// Loads an image from its bytes. `name` takes the place of a file name and ends in `.wam`. The engine does not
    /// look at the texts from which the image was made.
    ///
    /// ```
    /// # fn main() -> Result<(), wamlet::Error> {
    /// let mut maker = wamlet::Engine::new()?;
    /// let (report, image) = maker.compile_text("small.pl", "p(1).\np(2).\n")?;
    /// assert!(report.is_clean());
    ///
    /// let mut engine = wamlet::Engine::new()?;
    /// engine.consult_image("small.wam", image.expect("there was no error"))?;
    /// assert_eq!(engine.query("p(X)")?.count(), 2);
    /// # Ok(())
    /// # }
    /// ```
    ///
    /// # Errors
    /// - the errors of [`Engine::consult_file`]
    /// - [`ErrorKind::Io`] also if the bytes are not an image, or an image of another version of the engine
    /// - [`ErrorKind::Usage`] if the name does not end in `.wam`
    pub fn consult_image(
        &mut self,
        name: &str,
        image: impl Into<Arc<[u8]>>,
    ) -> Result<LoadReport, Error> {
        if !is_image_name(name) {
            let message = format!("{name}: the name of an image must end in .wam");
            return Err(Error::new(ErrorKind::Usage, message));
        }
        let images = |engine: &mut Engine| {
            let loader = engine.machine.world.layers.of::<Loader>();
            loader.given_images.retain(|(known, _)| known != name);
        };
        images(self);
        let loader = self.machine.world.layers.of::<Loader>();
        loader.given_images.put((name.to_owned(), image.into()))?;
        let result = self.consult_given_image(name);
        images(self);
        result
    }

    /// Measures the CPU time for reading the texts of the loaded files, by reading them again.
    ///
    /// # Errors
    /// Returns [`ErrorKind::Interrupted`] or [`ErrorKind::Resource`].
    pub fn reading_times(&mut self) -> Result<ReadingTimes, Error> {
        let times = reading_times(&mut self.machine, leave());
        let times = times.map_err(|throw| self.error(throw))?;
        Ok(ReadingTimes {
            tokens: times.tokens,
            trees: times.trees,
            terms: times.terms,
        })
    }

    /// Loads a program and returns its image. The name of the image is `image`, or by default that of the program with
    /// another ending.
    fn record(
        &mut self,
        program: &str,
        image: Option<&str>,
        load: impl FnOnce(&mut Engine) -> Result<LoadReport, Error>,
    ) -> Result<(LoadReport, Option<Vec<u8>>), Error> {
        self.machine.world.layers.of::<Recording>().0 = Some(Recorder::default());
        let loaded = load(self);
        let recorder = self.machine.world.layers.of::<Recording>().0.take();
        let report = loaded?;
        if !report.errors.is_empty() {
            return Ok((report, None));
        }
        let recorder = recorder.filter(|recorder| recorder.program().is_some());
        let Some(recorder) = recorder else {
            let message = format!("{program}: only a Prolog text can have an image");
            return Err(Error::new(ErrorKind::Usage, message));
        };
        let _at_work = self.machine.world.host.directory.enter();
        let image = match (image, recorder.program()) {
            (None, Some(program)) => image_name(program),
            (image, _) => image.unwrap_or_default().to_owned(),
        };
        let bytes = recorder.finish(&mut self.machine, &image);
        let bytes = bytes.map_err(|_| no_memory())?.map_err(|name| {
            let message = format!("{name}: the file changed while Wamlet loaded it");
            Error::new(ErrorKind::Io, message)
        })?;
        Ok((report, Some(bytes)))
    }
}
