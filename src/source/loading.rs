//! The loads in progress: the text of each, and the position of its present clause.

use super::diagnostic::{Location, MessageForm};
use super::encoding_directive::read_program_again;
use super::kept_messages::Kept;
use super::permits;
use crate::base::atom_table::{Atom, FastSet, Functor};
use crate::base::flags::QuoteMode;
use crate::base::growth::{GrowSet, GrowTable, require_memory};
use crate::base::source::Span;
use crate::base::stop::Stop;
use crate::builtins::streams::errors_io::may_take;
use crate::io::encoding::Replacement;
use crate::io::fingerprint::fingerprint_of_file;
use crate::io::position::Position;
use crate::machine::state::Machine;
use crate::machine::upper_layers::Layers;
use crate::machine::upper_layers::{LayerState, Part};
use crate::program::predicate::PredId;
use crate::store::cell::Cell;
use crate::store::claims::Claim;
use crate::store::heap::View;
use std::collections::VecDeque;
use std::sync::Arc;

/// A dialect: its name, and how it reads text in double quotes.
pub(super) type Dialect = (&'static str, QuoteMode);

/// A file or text being loaded.
pub(crate) struct Loading {
    pub(crate) file: u32,
    pub(crate) name: Arc<str>,
    pub(crate) text: Arc<str>,
    /// The position up to which the lines of the text are counted.
    pub(crate) lines: Lines,
    /// The memory of the text.
    pub(crate) claim: Claim,
    pub(crate) at: usize,
    /// Number of lines typed before `text`, if the text is typed; none for a file.
    pub(crate) typed: Option<u32>,
    /// The span of the present clause.
    pub(crate) span: Span,
    pub(crate) module: Atom,
    pub(crate) saved_module: Atom,
    pub(crate) flags: crate::base::flags::Flags,
    /// The quote modes at the beginning of the load: for double quotes and back quotes.
    pub(crate) quotes: (QuoteMode, QuoteMode),
    /// The dialect that the text declares.
    pub(crate) dialect: Option<Dialect>,
    /// Predicates defined so far by this load.
    pub(crate) defined: FastSet<PredId>,
    pub(crate) last: Option<PredId>,
    /// The predicate that accepts no more clauses after the present one.
    pub(crate) sealed: Option<Functor>,
    pub(crate) warned: FastSet<PredId>,
    /// Conditional compilation: for each open `if`, whether its present branch is read, and whether
    /// one of its branches has been read already.
    pub(crate) conditions: Vec<(bool, bool)>,
    /// Whether the file of the load below this one on the stack includes this text.
    pub(crate) included: bool,
    /// The span of the directive that names the module of the file.
    pub(crate) heading: Option<Span>,
    /// The replacements for invalid bytes after the present clause.
    pub(crate) replaced: VecDeque<Replacement>,
    /// Whether invalid bytes in a comment have been reported.
    pub(crate) comment_reported: bool,
    /// Data about the text, if the clauses come from an image and not from the text.
    pub(crate) in_image: Option<InImage>,
    /// The number of the file in the image that is being made.
    pub(crate) recording: Option<usize>,
    /// The number of the goal that runs now, among the goals that the present directive runs one after the
    /// other; 0 if none runs.
    pub(crate) reached: i64,
    /// Whether the program was notified of the beginning of the text.
    pub(crate) begun: bool,
    /// Whether the file was loaded before.
    pub(crate) again: bool,
    /// A position in the text from which other positions are counted.
    pub(crate) place: Position,
    /// Whether the end of the text was reached.
    pub(crate) ended: bool,
    /// Whether the rest of the text is skipped.
    pub(crate) stopped: bool,
    /// The data of upper layers about this load: one value of each type.
    pub(crate) own: Layers,
}

impl Loading {
    /// Records that the clauses of the predicate `from` now belong to `into`.
    pub(crate) fn moved(&mut self, from: PredId, into: PredId) -> Result<(), Stop> {
        self.defined.make_room()?;
        self.warned.make_room()?;
        self.defined.put_new(into)?;
        self.warned.put_new(into)?;
        self.last = Some(from);
        Ok(())
    }
}

/// Data about a text whose clauses come from an image.
pub(crate) struct InImage {
    /// Line and column of the present item.
    pub(crate) place: (u32, u32),
    /// The fingerprint of the file, until the file has been searched for.
    pub(crate) unread: Option<u128>,
}

/// The state of loading in an engine.
#[derive(Default)]
pub(crate) struct Loader {
    pub(crate) stack: Vec<Loading>,
    /// Messages of the loads since the host last took them.
    pub(crate) kept: Kept,
    /// Number of errors so far.
    pub(crate) errors: usize,
    /// Whether one of the errors was the memory limit.
    pub(crate) met_memory_limit: bool,
    /// Texts that the host registered under a name, to be loaded by that name.
    pub(crate) texts: Vec<(String, Arc<str>)>,
    /// Files loaded since the last check for undefined predicates.
    pub(crate) unchecked: Vec<u32>,
    /// Predicates that lost their definition when files were reloaded, since the last check.
    pub(crate) lost: Vec<PredId>,
    /// Whether warnings are errors.
    pub(crate) strict: bool,
    /// Whether messages are not printed, because the host takes them.
    pub(crate) quiet: bool,
    /// The output format of messages.
    pub(crate) form: MessageForm,
    /// Whether the standard output shows colours.
    pub(crate) coloured_output: bool,
    /// Images that the host registered under a name, to be loaded by that name.
    pub(crate) given_images: Vec<(String, Arc<[u8]>)>,
    /// The quote modes at the end of the last load: for double quotes and back quotes.
    pub(crate) quotes: Option<(QuoteMode, QuoteMode)>,
}

impl LayerState for Loader {
    fn part(&self) -> Option<Part> {
        let (texts, images) = (self.texts.clone(), self.given_images.clone());
        let (strict, quiet, form) = (self.strict, self.quiet, self.form);
        Part::made_by(move || Loader {
            texts: texts.clone(),
            given_images: images.clone(),
            strict,
            quiet,
            form,
            ..Loader::default()
        })
    }
}

pub(crate) fn loader(m: &mut Machine) -> &mut Loader {
    m.world.layers.of::<Loader>()
}

/// Returns the innermost load of a file that is not included.
pub(crate) fn present_load(m: &mut Machine) -> Option<&mut Loading> {
    let mut loads = loader(m).stack.iter_mut();
    loads.rfind(|loading| !loading.included)
}

/// Returns whether the present clause is in a branch of conditional compilation that is skipped.
pub(crate) fn skipping(m: &mut Machine) -> bool {
    loader(m)
        .stack
        .last()
        .is_some_and(|loading| loading.conditions.iter().any(|&(active, _)| !active))
}

/// Returns whether the directive belongs to conditional compilation.
pub(crate) fn is_conditional(m: &Machine, goal: Cell) -> bool {
    match m.store.view(goal) {
        View::Atom(name) => matches!(m.world.symbols.text(name), "else" | "endif"),
        View::Struct(functor, _) if functor.arity() == 1 => {
            matches!(
                m.world.symbols.text(m.world.symbols.name(functor)),
                "if" | "elif"
            )
        }
        _ => false,
    }
}

/// Returns the span of the present clause.
pub(crate) fn present_span(m: &mut Machine) -> Span {
    loader(m)
        .stack
        .last()
        .map(|loading| loading.span)
        .unwrap_or_default()
}

/// Returns the line of a place in the text of the present load. Lines are counted from the last
/// position that was counted.
pub(crate) fn line_of(m: &mut Machine, text: &str, span: Span) -> u32 {
    let Some(loading) = loader(m).stack.last_mut() else {
        let before = text.as_bytes().get(..span.start as usize);
        return 1 + newlines(before.unwrap_or_default());
    };
    if let Some(known) = &loading.in_image {
        // The line of the present item is known even without a text.
        let before = loading.span.start as usize..span.start as usize;
        let between = text.as_bytes().get(before).unwrap_or_default();
        return known.place.0 + newlines(between);
    }
    loading.typed.unwrap_or(0) + loading.lines.line_at(text, span.start as usize)
}

fn newlines(bytes: &[u8]) -> u32 {
    bytes.iter().filter(|&&byte| byte == b'\n').count() as u32
}

/// The position up to which the lines of a text have been counted.
#[derive(Default)]
pub(crate) struct Lines {
    at: usize,
    /// Number of newlines before that position.
    before: u32,
}

impl Lines {
    /// Returns the line of a place in the text, from 1.
    fn line_at(&mut self, text: &str, at: usize) -> u32 {
        let bytes = text.as_bytes();
        let at = at.min(bytes.len());
        if let Some(between) = bytes.get(self.at..at) {
            self.before += newlines(between);
        } else {
            let between = bytes.get(at..self.at).map_or(0, newlines);
            self.before = self.before.saturating_sub(between);
        }
        self.at = at;
        1 + self.before
    }
}

/// Returns a place in the text of the present load, or `None` if nothing is being loaded.
pub(crate) fn place_here(m: &mut Machine, span: Span) -> Option<Location> {
    seek_text(m);
    let loading = loader(m).stack.last()?;
    let (name, text) = (loading.name.clone(), loading.text.clone());
    let recorded = loading.in_image.as_ref().map(|known| known.place);
    let line = line_of(m, &text, span) as usize;
    let mut place = Location::new(&name, &text, span, line);
    if let Some((_, column)) = recorded.filter(|_| text.is_empty()) {
        place.column = column as usize;
    }
    Some(place)
}

/// Reads the text of the present load, for messages about places in it. This is needed only for a
/// load from an image, and works only if its source file exists.
pub(super) fn seek_text(m: &mut Machine) {
    let Some(loading) = loader(m).stack.last_mut() else {
        return;
    };
    let name = loading.name.clone();
    let Some(print) = loading
        .in_image
        .as_mut()
        .and_then(|known| known.unread.take())
    else {
        return;
    };
    let allowance = |bytes| may_take(&m.store, bytes);
    let path = m.world.files.path_of(&name);
    if fingerprint_of_file(permits::load(), path, &allowance) != Ok(print) {
        return;
    }
    if let Ok(text) = read_program_again(permits::load(), path, &allowance)
        && require_memory(text.len()).is_ok()
        && let Some(loading) = loader(m).stack.last_mut()
    {
        loading.text = text.into();
    }
}
