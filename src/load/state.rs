//! What the loaders keep in an engine.

use super::consult::Loader;
use super::diagnostic::Place;
use super::lolli_files::LoadedByName;
use super::lolli_modules::LolliModules;
use super::lolli_session::Session;
use super::prelude::Library;
use super::system_text::Texts;
use super::tracing::Sites;
use crate::machine::upper::Layer;
use std::path::PathBuf;

/// What they keep.
#[derive(Default)]
pub(crate) struct State {
    /// Loading of texts.
    pub(crate) loader: Loader,
    /// The libraries.
    pub(super) library: Library,
    /// Texts of the system whose clauses are not all compiled.
    pub(super) texts: Texts,
    /// The modules of Lolli.
    pub(crate) lolli_modules: LolliModules,
    /// Folders in which texts of Lolli are looked for.
    pub(crate) lolli_folders: Vec<PathBuf>,
    /// Texts of Lolli that were found by their names.
    pub(super) loaded_by_name: LoadedByName,
    /// The prompt of Lolli.
    pub(crate) session: Session,
    /// Number of predicates of Lolli made so far: each has a name of its own.
    pub(super) made_names: u64,
    /// Where goals stand that the tracer has shown.
    pub(super) traced_sites: Sites,
    /// The place of the directive or clause whose loading a limit has ended.
    pub(super) cut_short: Option<Place>,
    /// The number of the goal, of those that a directive runs one after the other, that it has come to, where no
    /// text is being loaded any more.
    pub(super) reached_after_load: i64,
}

/// What they keep in this engine.
pub(crate) fn own(layer: &mut Layer) -> &mut State {
    layer.of()
}
