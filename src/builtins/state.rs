//! What builtins keep in an engine from one call to the next.

use super::atoms_sub::LastIndexed;
use super::captures::Captures;
use super::char_types;
use super::clause_reader::LocatedError;
use super::search_tree::Tree;
use super::system::{Clocks, Variables};
use crate::machine::upper::Layer;
use crate::store::limit::Claim;
use crate::text::ast::Ast;

/// What they keep.
#[derive(Default)]
pub(crate) struct State {
    /// The last syntax error, kept for those who show it with its line.
    pub(crate) last_syntax_error: Option<LocatedError>,
    /// The tree that serves for every term that is read.
    pub(super) syntax_tree: Option<Box<Ast>>,
    /// The directives of `format/2` that the program has defined by `format_predicate/2`.
    pub(super) format_directives: String,
    /// The symbols of the classes of characters, once they are needed.
    pub(super) char_type_names: char_types::Names,
    /// Captures of output under way.
    pub(super) captures: Captures,
    /// The index of the text that was taken apart last.
    pub(super) last_indexed: LastIndexed,
    /// Environment variables that this engine has set.
    pub(super) environment: Variables,
    /// When statistics were asked for last.
    pub(super) clocks: Clocks,
    /// What the streams take that are open.
    pub(super) open_streams: Claim,
    /// The search tree that is drawn.
    pub(super) search_tree: Tree,
    /// Has the program declared a predicate to be tabled?
    pub(super) tabling_declared: bool,
}

/// What they keep in this engine.
pub(crate) fn own(layer: &mut Layer) -> &mut State {
    layer.of()
}
