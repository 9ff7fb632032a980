//! Images: programs that were loaded once, written down so that they are loaded again without reading
//! their texts.

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

/// The CPU time that it takes to read the texts of a program, as far as this.
#[derive(Copy, Clone, Debug, Default, PartialEq, Eq)]
#[non_exhaustive]
pub struct ReadingTimes {
    /// As tokens.
    pub tokens: Duration,
    /// As syntax trees.
    pub trees: Duration,
    /// As terms.
    pub terms: Duration,
}

/// Makes sure that there can be an image of a program of this name.
fn check_program(name: &str) -> Result<(), Error> {
    if is_lolli(name) || is_image_name(name) {
        let message = format!("{name}: images are made of texts of Prolog only");
        return Err(Error::new(ErrorKind::Usage, message));
    }
    Ok(())
}

impl Engine {
    /// Loads a program and writes an image of it to the file `image`, whose name ends in `.wam`. The image
    /// holds what was made of the text, and of the texts of all files that it loads and includes; libraries of the
    /// system and modules of Lolli are named in it only. [`Engine::consult_file`] loads it as it loads
    /// the text, but faster; if a text is there and has changed since, the text is loaded instead, and
    /// the report has a warning. An engine of its own should do this: what the program loads is in
    /// the image, what was there before is not.
    ///
    /// Directives are done, as in loading, for they may change how the rest is read. Goals of
    /// `initialization/1` of the program itself are not run. If there is an error in the program,
    /// no image is written.
    ///
    /// # Errors
    /// As [`Engine::consult_file`]; [`ErrorKind::Io`] also if the image cannot be written,
    /// [`ErrorKind::Usage`] if its name does not end in `.wam`, or for a module of Lolli or an
    /// image in place of the program.
    pub fn compile_file(
        &mut self,
        program: impl AsRef<Path>,
        image: impl AsRef<Path>,
    ) -> Result<LoadReport, Error> {
        let text = |path: &Path| text_of_os(path.as_os_str());
        let (path, program) = (program.as_ref(), text(program.as_ref()));
        let image = text(image.as_ref());
        if !is_image_name(&image) {
            let message = format!("{image}: the name of an image ends in .wam");
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

    /// The same without a file for the image: gives its bytes, unless there is an error in the program. They depend on the
    /// texts and where they lie as seen from the program, not on the folder that it is in.
    ///
    /// # Errors
    /// As [`Engine::compile_file`].
    pub fn compile_file_to_bytes(
        &mut self,
        program: impl AsRef<Path>,
    ) -> Result<(LoadReport, Option<Vec<u8>>), Error> {
        let path = program.as_ref();
        let name = text_of_os(path.as_os_str());
        check_program(&name)?;
        self.record(&name, None, |engine| engine.consult_file(path))
    }

    /// The same of a program that is given as text, under a name that stands for its file: gives the
    /// bytes of the image, unless there is an error in the program.
    ///
    /// # Errors
    /// As [`Engine::compile_file`].
    pub fn compile_text(
        &mut self,
        name: &str,
        text: &str,
    ) -> Result<(LoadReport, Option<Vec<u8>>), Error> {
        self.record(name, None, |engine| engine.consult_text(name, text))
    }

    /// Loads an image that is given as its bytes, under a name that stands for its file and ends in
    /// `.wam`. The texts that it was made of are not looked at.
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
    /// As [`Engine::consult_file`]; [`ErrorKind::Io`] also if this is no image, or one of another
    /// version of the engine, [`ErrorKind::Usage`] if the name does not end in `.wam`.
    pub fn consult_image(
        &mut self,
        name: &str,
        image: impl Into<Arc<[u8]>>,
    ) -> Result<LoadReport, Error> {
        if !is_image_name(name) {
            let message = format!("{name}: the name of an image ends in .wam");
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

    /// The CPU time that it takes to read the texts of the files that were loaded, which is done again for
    /// that.
    ///
    /// # Errors
    /// [`ErrorKind::Interrupted`] and [`ErrorKind::Resource`].
    pub fn reading_times(&mut self) -> Result<ReadingTimes, Error> {
        let times = reading_times(&mut self.machine, leave());
        let times = times.map_err(|throw| self.error(throw))?;
        Ok(ReadingTimes {
            tokens: times.tokens,
            trees: times.trees,
            terms: times.terms,
        })
    }

    /// Loads a program and gives its image, which is to have this name or one like its own.
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
            let message = format!("{program}: images are made of texts of Prolog only");
            return Err(Error::new(ErrorKind::Usage, message));
        };
        let _at_work = self.machine.world.host.directory.enter();
        let image = match (image, recorder.program()) {
            (None, Some(program)) => image_name(program),
            (image, _) => image.unwrap_or_default().to_owned(),
        };
        let bytes = recorder.finish(&mut self.machine, &image);
        let bytes = bytes.map_err(|_| no_memory())?.map_err(|name| {
            let message = format!("{name}: the file has changed while it was loaded");
            Error::new(ErrorKind::Io, message)
        })?;
        Ok((report, Some(bytes)))
    }
}
