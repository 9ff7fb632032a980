//! Making an image: a recorder writes down the clauses and directives while a program loads.

use super::bytes::put_number;
use super::format::{File, write};
use super::items::{Before, ItemPlace, Kind};
use super::terms::{Numbering, write_term};
use crate::base::atom_table::{Atom, FastSet, atoms, functors};
use crate::base::growth::{Grow, GrowSet, GrowText, joined, text_of};
use crate::base::source::Span;
use crate::base::stop::Stop;
use crate::builtins::streams::errors_io::may_take;
use crate::front::linear::is_connective;
use crate::io::files::absolute_file_name;
use crate::io::fingerprint::fingerprint_of_file;
use crate::io::paths::{base_name, is_absolute};
use crate::machine::control::throw::Throw;
use crate::machine::state::Machine;
use crate::machine::upper_layers::LayerState;
use crate::program::clauses::clause_list::Clause;
use crate::source::loading::{is_conditional, line_of, loader, place_here, present_span};
use crate::source::permits;
use crate::source::program_names::IMAGE_ENDING;
use crate::store::cell::Cell;
use crate::store::copy::{relocate, relocated};
use crate::store::stored::Attrs;
use std::path::{Component, Path};

/// The state of the recording.
#[derive(Default)]
pub(crate) struct Recorder {
    files: Vec<Recorded>,
    names: Numbering,
    /// Names of files that other files refer to by relative paths.
    beside: FastSet<String>,
}

/// A file whose loading is recorded.
struct Recorded {
    name: String,
    parent: Option<usize>,
    included: bool,
    /// The fingerprint of the text. `None` for a text that the host gave.
    fingerprint: Option<u128>,
    before: Before,
    items: Vec<u8>,
}

impl Recorder {
    /// Returns the name of the program.
    pub(crate) fn program(&self) -> Option<&str> {
        self.files.first().map(|file| file.name.as_str())
    }

    /// Returns whether the loading of this file is recorded.
    fn has(&self, name: &str) -> bool {
        self.files
            .iter()
            .any(|file| !file.included && file.name == name)
    }
}

/// The recorder, if an image is being made.
#[derive(Default)]
pub(crate) struct Recording(pub(crate) Option<Recorder>);

impl LayerState for Recording {}

/// Returns whether an image is being made.
pub(crate) fn is_recording(m: &mut Machine) -> bool {
    m.world.layers.of::<Recording>().0.is_some()
}

/// Notes that a file refers to this one by a relative path, if an image is being made.
pub(crate) fn note_beside(m: &mut Machine, name: &str) -> Result<(), Stop> {
    if let Some(recorder) = &mut m.world.layers.of::<Recording>().0 {
        recorder.beside.put_new(text_of(name)?)?;
    }
    Ok(())
}

/// Returns whether the file is in the image, or no image is being made.
pub(crate) fn is_in_image(m: &mut Machine, name: &str) -> bool {
    let recorder = m.world.layers.of::<Recording>();
    recorder
        .0
        .as_ref()
        .is_none_or(|recorder| recorder.has(name))
}

/// Returns whether the image is being made from this program.
pub(crate) fn is_program(m: &mut Machine, name: &str) -> bool {
    let recorder = m.world.layers.of::<Recording>().0.as_ref();
    recorder.is_some_and(|recorder| recorder.program() == Some(name))
}

/// Starts to record the loading of a file, or of a given text, if an image is being made. Content that comes from
/// another image is not recorded again. Returns the number of the file.
///
/// # Errors
/// Returns an error if the file cannot be read.
pub(crate) fn begin(
    m: &mut Machine,
    name: &str,
    given: bool,
    included: bool,
) -> Result<Option<usize>, Throw> {
    let parent = match loader(m).stack.last() {
        Some(loading) if loading.in_image.is_some() => return Ok(None),
        Some(loading) => loading.recording,
        None => None,
    };
    if !is_recording(m) {
        return Ok(None);
    }
    let fingerprint = if given {
        None
    } else {
        let path = m.world.files.path_of(name);
        let print = fingerprint_of_file(permits::load(), path, &|bytes| may_take(&m.store, bytes));
        let culprit = Cell::atom(m.world.symbols.intern_passing(name)?);
        let print = print.map_err(|error| m.file_error(error, "open", "source_sink", culprit))?;
        Some(print)
    };
    let Some(recorder) = &mut m.world.layers.of::<Recording>().0 else {
        return Ok(None);
    };
    recorder.files.put(Recorded {
        name: text_of(name)?,
        parent,
        included,
        fingerprint,
        before: Before::default(),
        items: Vec::new(),
    })?;
    Ok(Some(recorder.files.len() - 1))
}

/// Runs `work` with the recorder and the number of the present file, if its loading is recorded.
fn with_recorder(
    m: &mut Machine,
    work: impl FnOnce(&mut Machine, &mut Recorder, usize) -> Result<(), Stop>,
) -> Result<(), Stop> {
    let Some(file) = loader(m).stack.last().and_then(|loading| loading.recording) else {
        return Ok(());
    };
    let Some(mut recorder) = m.world.layers.of::<Recording>().0.take() else {
        return Ok(());
    };
    let result = work(m, &mut recorder, file);
    m.world.layers.of::<Recording>().0 = Some(recorder);
    result
}

/// Returns the place of the present clause.
fn here(m: &mut Machine, span: Span, line: u32) -> ItemPlace {
    let column = place_here(m, span).map_or(1, |place| place.column as u32);
    ItemPlace { span, line, column }
}

/// Records a clause of the module `module` that is about to be added.
pub(crate) fn record_clause(
    m: &mut Machine,
    clause: &Clause,
    module: Atom,
    (span, line): (Span, u32),
) -> Result<(), Stop> {
    with_recorder(m, |m, recorder, file| {
        let term = clause.term()?;
        let kind = match clause.is_fact() {
            true => Kind::Fact,
            false if depends_on_present(term.words()) => Kind::PresentRule,
            false => Kind::Rule,
        };
        let place = here(m, span, line);
        let block = (term.words(), term.root());
        recorder.item(m, file, kind, (module, place), block)
    })
}

/// Returns whether the term of a block may contain a lambda expression.
pub(crate) fn has_lambda(block: &[u64]) -> bool {
    let lambda = Cell::functor(functors::LAMBDA_GOAL);
    block.iter().any(|&word| Cell::of_word(word) == lambda)
}

/// Returns whether the code of a clause with these words depends on the imports or definitions of its module.
fn depends_on_present(words: &[u64]) -> bool {
    let mut at = 0;
    while let Some(&word) = words.get(at) {
        let cell = Cell::of_word(word);
        at += 1;
        if cell.is_box_header() {
            at += cell.box_words();
        } else if cell.is_functor() {
            let functor = cell.as_functor();
            if functor == functors::NOT1 || is_connective(functor) {
                return true;
            }
        } else if cell.is_atom()
            && matches!(
                cell.as_atom(),
                atoms::OTHERWISE | atoms::ERASE | atoms::LOLLI
            )
        {
            return true;
        }
    }
    false
}

/// Records a directive of the present load.
///
/// # Errors
/// Returns an error if there is not enough memory.
pub(crate) fn record_directive(m: &mut Machine, goal: Cell) -> Result<(), Throw> {
    let recording = loader(m).stack.last().and_then(|loading| loading.recording);
    if recording.is_none() || is_conditional(m, goal) {
        return Ok(());
    }
    let mut words = Vec::new();
    let root = m.store.copy_out(goal, &mut words, Attrs::Drop)?;
    let base = words.as_ptr() as u64;
    relocate(&mut words, base, &m.store.events.watch)?;
    let root = relocated(Cell::of_word(root), base);
    with_recorder(m, |m, recorder, file| {
        let span = present_span(m);
        let text = loader(m)
            .stack
            .last()
            .map(|loading| loading.text.clone())
            .unwrap_or_default();
        let line = line_of(m, &text, span);
        let place = here(m, span, line);
        let module = m.world.source_module;
        recorder.item(m, file, Kind::Directive, (module, place), (&words, root))
    })?;
    Ok(())
}

impl Recorder {
    /// Adds an item: the term in these words.
    fn item(
        &mut self,
        m: &mut Machine,
        file: usize,
        kind: Kind,
        (module, place): (Atom, ItemPlace),
        (words, root): (&[u64], Cell),
    ) -> Result<(), Stop> {
        let (names, symbols) = (&mut self.names, &mut m.world.symbols);
        let Some(file) = self.files.get_mut(file) else {
            return Ok(());
        };
        let (module, number) = if module == m.world.source_module {
            (None, 0)
        } else {
            (Some(module), names.atom(symbols, module)?)
        };
        file.before
            .write(kind, (module, number), place, &mut file.items)?;
        write_term((symbols, names), words, root, &mut file.items)
    }

    /// Returns the bytes of the image, whose name will be `image`. The error is the name of a file that has changed
    /// in the meantime.
    pub(crate) fn finish(
        self,
        m: &mut Machine,
        image: &str,
    ) -> Result<Result<Vec<u8>, String>, Stop> {
        let program = self.program().unwrap_or("").to_owned();
        let folder = folder_of(m.world.files.path_of(&program));
        let mut files = Vec::new();
        for mut file in self.files {
            let path = m.world.files.path_of(&file.name);
            if let Some(before) = file.fingerprint {
                let now =
                    fingerprint_of_file(permits::load(), path, &|bytes| may_take(&m.store, bytes));
                if now != Ok(before) {
                    return Ok(Err(file.name));
                }
            }
            put_number(&mut file.items, Kind::End as u64)?;
            let entry = File {
                name: name_in_image(folder, path, self.beside.contains(&file.name))?,
                parent: file.parent,
                included: file.included,
                fingerprint: file.fingerprint.unwrap_or(0),
                items: 0..0,
            };
            files.put((entry, file.items))?;
        }
        let mut names = Vec::new();
        self.names.write(&m.world.symbols, &mut names)?;
        let folder = relative_path(folder_of(image), folder)?;
        write(&folder, &files, &names).map(Ok)
    }
}

/// Returns the folder of a file, with the separator at its end. The result is empty if the name has no folder.
pub(super) fn folder_of(name: &str) -> &str {
    let end = name.rfind(std::path::is_separator).map_or(0, |at| at + 1);
    &name[..end]
}

/// Returns the name of a file in an image. `folder` is the folder of the program, and `path` is absolute. The name is
/// relative if the file is below the folder, or if another file refers to it by a relative path.
fn name_in_image(folder: &str, path: &str, beside: bool) -> Result<String, Stop> {
    match path.strip_prefix(folder) {
        Some(rest) if !is_absolute(rest) => text_of(rest),
        _ if beside => joined(&[&relative_path(folder, folder_of(path))?, base_name(path)]),
        _ => text_of(path),
    }
}

/// Returns the path from one folder to another: empty, or a folder with the separator at its end.
fn relative_path(from: &str, to: &str) -> Result<String, Stop> {
    let absolute = |folder: &str| {
        let folder = if folder.is_empty() { "." } else { folder };
        absolute_file_name(permits::place(), folder, None).unwrap_or_else(|_| folder.to_owned())
    };
    let (from, to) = (absolute(from), absolute(to));
    let (mut from, mut to) = (
        Path::new(&from).components().peekable(),
        Path::new(&to).components().peekable(),
    );
    let mut common = 0;
    while let (Some(left), Some(right)) = (from.peek(), to.peek())
        && left == right
    {
        from.next();
        to.next();
        common += 1;
    }
    let mut way = String::new();
    if common == 0 {
        // The folder is on another disk.
        for part in to {
            way.put_str(&part.as_os_str().to_string_lossy())?;
            if !matches!(part, Component::RootDir) {
                way.put_str("/")?;
            }
        }
        return Ok(way);
    }
    for _ in from {
        way.put_str("../")?;
    }
    for part in to {
        way.put_str(&part.as_os_str().to_string_lossy())?;
        way.put_str("/")?;
    }
    Ok(way)
}

/// Returns the default name for the image of a program: `file.wam` for `file.pl`.
pub(crate) fn image_name(program: &str) -> String {
    let stem = [".pl", ".pro", ".prolog"]
        .iter()
        .find_map(|ending| program.strip_suffix(ending));
    format!("{}{IMAGE_ENDING}", stem.unwrap_or(program))
}

/// Returns whether this is the name of an image.
pub(crate) fn is_image_name(name: &str) -> bool {
    name.ends_with(IMAGE_ENDING)
}

#[cfg(test)]
mod tests {
    use super::{folder_of, image_name, name_in_image, relative_path};

    #[test]
    fn ways_between_folders() {
        assert_eq!(relative_path("a/", "a/").unwrap(), "");
        assert_eq!(relative_path("", "").unwrap(), "");
        assert_eq!(relative_path("", "a/b/").unwrap(), "a/b/");
        assert_eq!(relative_path("a/b/", "").unwrap(), "../../");
        assert_eq!(relative_path("a/x/", "a/./y/").unwrap(), "../y/");
    }

    #[test]
    fn names_in_images() {
        assert_eq!(name_in_image("/a/", "/a/b.pl", false).unwrap(), "b.pl");
        assert_eq!(name_in_image("/a/", "/b.pl", true).unwrap(), "../b.pl");
        assert_eq!(name_in_image("/a/", "/b.pl", false).unwrap(), "/b.pl");
        assert_eq!((folder_of("b.pl"), folder_of("a/b.pl")), ("", "a/"));
        assert_eq!(image_name("a/b.pl"), "a/b.wam");
        assert_eq!(image_name("b"), "b.wam");
    }
}
