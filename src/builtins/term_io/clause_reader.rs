//! Reading of terms from a text or a stream (ISO 13211-1, 7.10.3 and 8.14.1), for `read_term/2,3` and the loading
//! of programs.
//!
//! Reading from a stream consumes nothing beyond the end token of the term. The term is parsed in the buffer of the
//! stream. If the buffer does not contain the whole term, Wamlet searches for its end first, so that no part is
//! parsed twice.

use super::read_layout::ReadLayout;
use crate::base::atom_table::{Atom, atoms};
use crate::base::flags::Flags;
use crate::base::growth::{Gather, Grow, joined};
use crate::base::source::Span;
use crate::base::stop::Stop;
use crate::base::watch::Watch;
use crate::builtins::streams::errors_io::{Target, may_take};
use crate::front::build::build;
use crate::io::encoding::Encoding;
use crate::io::error::IoError;
use crate::io::position::Position;
use crate::machine::control::throw::Throw;
use crate::machine::state::Machine;
use crate::machine::upper_layers::LayerState;
use crate::store::cell::Cell;
use crate::store::heap::Store;
use crate::text::ast::Ast;
use crate::text::clause_extent::ClauseExtent;
use crate::text::lexer::is_layout_only;
use crate::text::parser::{ReadContext, read_term};
use crate::text::syntax_error::{SyntaxError, SyntaxErrorKind};

/// Term from the input.
#[derive(Debug)]
pub(crate) struct ReadTerm {
    /// Term on the heap.
    pub(crate) term: Cell,
    /// Variables of the term in order of occurrence: name (`_` for an anonymous one), variable, number of
    /// occurrences.
    pub(crate) vars: Vec<(String, Cell, u32)>,
    /// Place of the clause in its text, with its end token.
    pub(crate) span: Span,
}

/// Reason why no term was read.
#[derive(Debug)]
pub(crate) enum ReadError {
    /// Syntax error in the text.
    Syntax(SyntaxError),
    /// Exception: there is no memory for the term.
    Throw(Throw),
}

impl From<Throw> for ReadError {
    fn from(throw: Throw) -> ReadError {
        ReadError::Throw(throw)
    }
}

impl From<Stop> for ReadError {
    fn from(stop: Stop) -> ReadError {
        ReadError::Throw(stop.into())
    }
}

/// Data kept from one term to the next.
#[derive(Default)]
pub(crate) struct Reading {
    /// Last syntax error, for callers that print it with its line.
    pub(crate) last_error: Option<LocatedError>,
    /// Tree used for every term.
    tree: Option<Box<Ast>>,
}

impl LayerState for Reading {}

/// Syntax error with the data for printing it.
#[derive(Clone, Debug)]
pub(crate) struct LocatedError {
    /// Error; its places are bytes of `text`.
    pub(crate) error: SyntaxError,
    /// Line, from 1.
    pub(crate) line: u64,
    /// Column, from 1.
    pub(crate) column: u64,
}

impl LocatedError {
    /// Returns place and message in one line.
    pub(crate) fn message(&self) -> String {
        format!("{}:{}: {}", self.line, self.column, self.error.message())
    }
}

/// Lends the tree to `work`.
pub(crate) fn with_ast<T>(m: &mut Machine, work: impl FnOnce(&mut Machine, &mut Ast) -> T) -> T {
    let kept = m.world.layers.of::<Reading>().tree.take();
    let mut ast = kept.unwrap_or_default();
    let result = work(m, &mut ast);
    m.world.layers.of::<Reading>().tree = Some(ast);
    result
}

/// Returns the number of subterms that a tree may have.
pub(crate) fn room_for_nodes(store: &Store) -> usize {
    let nodes = store.room_left() / Ast::NODE_BYTES as u64;
    // The tree numbers its subterms with 32 bits.
    nodes.min(u64::from(u32::MAX / 4)) as usize
}

/// Reads the tree of the term that begins at byte `*pos` of `text`: see [`read_term`]. With `passing`, a new name
/// exists only while something refers to it.
///
/// # Errors
/// Returns the syntax error of the text.
pub(crate) fn read_tree(
    m: &mut Machine,
    text: &str,
    pos: &mut usize,
    passing: bool,
    ast: &mut Ast,
) -> Result<bool, SyntaxError> {
    let mut context = ReadContext {
        symbols: &mut m.world.symbols,
        ops: m.world.modules.ops(m.world.source_module)?,
        flags: &m.world.flags,
        char_conversions: Some(&m.world.char_conversions),
        room: room_for_nodes(&m.store),
        passing,
        watch: &m.store.events.watch,
    };
    read_term(text, pos, &mut context, ast)
}

/// Reads the term that begins at byte `*pos` of `text` and moves `*pos` after it. After a syntax error, `*pos` is
/// after the faulty clause. Returns `None` if only layout is left. With `passing`, a new name exists only while
/// something refers to it.
pub(crate) fn read_clause(
    m: &mut Machine,
    text: &str,
    pos: &mut usize,
    passing: bool,
) -> Result<Option<ReadTerm>, ReadError> {
    with_ast(m, |m, ast| match read_tree(m, text, pos, passing, ast) {
        Ok(false) => Ok(None),
        Ok(true) => match build(&mut m.store, &mut m.world.symbols, ast) {
            Ok((term, cells)) => {
                let vars = named_vars(ast, &cells).map_err(Throw::from)?;
                Ok(Some(ReadTerm {
                    term,
                    vars,
                    span: ast.span,
                }))
            }
            Err(full) => Err(ReadError::Throw(full.into())),
        },
        Err(error) if error.is_out_of_memory() => Err(ReadError::Throw(Stop.into())),
        Err(error) => Err(ReadError::Syntax(error)),
    })
}

fn named_vars(ast: &Ast, cells: &[Cell]) -> Result<Vec<(String, Cell, u32)>, Stop> {
    let rows = ast.vars.iter().zip(cells).zip(0u32..);
    rows.map(|((info, &cell), index)| (ast.var_name(index).to_owned(), cell, info.count))
        .gather()
}

/// Result of reading from a stream.
pub(crate) enum StreamRead {
    /// End of the stream.
    End,
    /// Term in the tree, with the position of its beginning.
    Term(Position),
    /// Syntax error. The faulty clause was consumed.
    Wrong(Box<LocatedError>),
}

/// State of the search for the end of a clause.
struct Search {
    extent: ClauseExtent,
    scanned: usize,
}

impl Search {
    /// Continues the search in `text`, which begins with the earlier texts. Returns true if it finds the end, or if
    /// there is no more text.
    fn goes_on(&mut self, text: &str, is_all: bool, watch: &Watch) -> Result<bool, Stop> {
        let mut chars = text[self.scanned..].char_indices().peekable();
        let from = self.scanned;
        let mut nth = 0;
        while let Some((at, char)) = chars.next() {
            nth += 1;
            watch.go_on_counted(nth)?;
            let next = chars.peek().map(|&(_, next)| next);
            if next.is_none() && !is_all {
                // The meaning of the character depends on the next one.
                self.scanned = from + at;
                return Ok(false);
            }
            if self.extent.push(char, next) {
                return Ok(true);
            }
        }
        Ok(is_all)
    }
}

/// Settings for reading a text that differ from those of the engine.
#[derive(Default)]
pub(crate) struct ReadView {
    /// Flags.
    pub(crate) flags: Option<Flags>,
    /// Module with the operators; by default the module of the source.
    pub(crate) module: Option<Atom>,
}

impl ReadView {
    /// Returns the context for reading a text into this tree. New names exist only while something refers to them.
    fn context<'m>(&'m self, m: &'m mut Machine, ast: &Ast) -> Result<ReadContext<'m>, Stop> {
        // A layout doubles the memory of a subterm.
        let parts = 1 + usize::from(ast.layout.is_some());
        let module = self.module.unwrap_or(m.world.source_module);
        Ok(ReadContext {
            symbols: &mut m.world.symbols,
            ops: m.world.modules.ops(module)?,
            flags: self.flags.as_ref().unwrap_or(&m.world.flags),
            char_conversions: Some(&m.world.char_conversions),
            room: room_for_nodes(&m.store) / parts,
            passing: true,
            watch: &m.store.events.watch,
        })
    }
}

/// Reads a term from a stream into the tree. `read_layout` receives the layout that the tree has recorded.
pub(crate) fn read_from_stream(
    m: &mut Machine,
    target: Target,
    view: &ReadView,
    ast: &mut Ast,
    read_layout: &mut ReadLayout,
) -> Result<StreamRead, Throw> {
    // A layout doubles the memory of a subterm.
    let parts = 1 + usize::from(ast.layout.is_some());
    let mut is_all = false;
    let mut search: Option<Search> = None;
    loop {
        let input = match m.world.host.streams.input(target.id) {
            Ok(input) => input,
            Err(error) => {
                m.after_input_error(error, target)?;
                continue;
            }
        };
        let position = input.position();
        let text = match input.buffered_text() {
            Ok(text) => text,
            Err(error) => {
                m.after_input_error(error, target)?;
                continue;
            }
        };
        if text.is_empty() {
            m.read_from(target, |input| input.get_char())?;
            return Ok(StreamRead::End);
        }
        let flags = view.flags.as_ref().unwrap_or(&m.world.flags);
        let whole = match &mut search {
            Some(search) => search.goes_on(text, is_all, &m.store.events.watch)?,
            None => true,
        };
        if whole {
            let mut pos = 0;
            let mut context = ReadContext {
                symbols: &mut m.world.symbols,
                ops: m
                    .world
                    .modules
                    .ops(view.module.unwrap_or(m.world.source_module))?,
                flags,
                char_conversions: Some(&m.world.char_conversions),
                room: room_for_nodes(&m.store) / parts,
                passing: true,
                watch: &m.store.events.watch,
            };
            let result = read_term(text, &mut pos, &mut context, ast);
            if let Err(error) = &result
                && error.is_out_of_memory()
            {
                m.read_from(target, |input| {
                    input.consume(pos);
                    Ok(())
                })?;
                return Err(Stop.into());
            }
            if is_all || (pos < text.len() && !matches!(result, Ok(false))) {
                return finish(m, target, result, pos, position, ast, read_layout);
            }
            // With character conversion, the text cannot be searched unconverted.
            if !flags.char_conversion {
                let extent = ClauseExtent::new(flags.lexis());
                search = Some(Search { extent, scanned: 0 });
            }
        }
        is_all = !more_text(m, target)?;
    }
}

/// Extends the buffered text. Returns false if there is no more.
fn more_text(m: &mut Machine, target: Target) -> Result<bool, Throw> {
    loop {
        let store = &m.store;
        let allowance = |bytes| match u32::try_from(bytes) {
            // Places in the text are numbers of 32 bits.
            Err(_) => Err(IoError::NoMemory),
            Ok(_) => may_take(store, bytes),
        };
        match m.world.host.streams.fill_more(target.id, &allowance) {
            Ok(grown) => return Ok(grown),
            Err(error) => m.after_input_error(error, target)?,
        }
    }
}

/// Consumes the parsed clause, which ends at byte `end` of the buffered text.
fn finish(
    m: &mut Machine,
    target: Target,
    result: Result<bool, SyntaxError>,
    end: usize,
    start: Position,
    ast: &mut Ast,
    read_layout: &mut ReadLayout,
) -> Result<StreamRead, Throw> {
    m.read_from(target, |input| {
        let encoding = input.encoding();
        let text = input.buffered_text()?;
        let read = read_of(text, start, encoding, &result, ast, read_layout)?;
        input.consume(end);
        if matches!(read, StreamRead::End) {
            input.get_char()?;
        }
        Ok::<_, IoError>(read)
    })
}

/// Returns the result of parsing `text`, which begins at `start` in its source. `read_layout` receives the layout that the
/// tree has recorded.
fn read_of(
    text: &str,
    start: Position,
    encoding: Encoding,
    result: &Result<bool, SyntaxError>,
    ast: &mut Ast,
    read_layout: &mut ReadLayout,
) -> Result<StreamRead, Stop> {
    let place_of = |offset: u32| {
        let mut position = start;
        position.advance_text(text.get(..offset as usize).unwrap_or(text));
        position
    };
    if let Some(layout) = &mut ast.layout {
        *read_layout = ReadLayout::new(layout, text, start, |part, chars| {
            encoding.text_width(part, chars)
        })?;
    }
    Ok(match result {
        Ok(false) => StreamRead::End,
        Ok(true) => {
            let mut position = place_of(ast.span.start);
            let before = text.get(..ast.span.start as usize).unwrap_or("");
            let chars = position.char_count - start.char_count;
            position.byte_offset += encoding.text_width(before, chars);
            StreamRead::Term(position)
        }
        Err(error) => {
            let position = place_of(error.span.start);
            StreamRead::Wrong(Box::new(LocatedError {
                error: error.clone(),
                line: position.line,
                column: position.line_position + 1,
            }))
        }
    })
}

/// Reads the term at byte `*at` of a text into the tree, and moves `*at` after it. The term needs no full stop.
/// Otherwise it works like [`read_from_stream`].
pub(crate) fn read_from_text(
    m: &mut Machine,
    text: &str,
    at: &mut usize,
    view: &ReadView,
    ast: &mut Ast,
    read_layout: &mut ReadLayout,
) -> Result<StreamRead, Throw> {
    let mut start = Position::START;
    start.advance_text(text.get(..*at).unwrap_or_default());
    let rest = text.get(*at..).unwrap_or_default();
    let mut context = view.context(m, ast)?;
    let mut end = 0;
    let mut result = if is_layout_only(rest) {
        // The tree is empty in this case.
        read_term(rest, &mut end, &mut context, ast)
    } else {
        // The added end must not become part of the last token or of a comment.
        read_term(&joined(&[rest, "\n."])?, &mut end, &mut context, ast)
    };
    if result.as_ref().is_err_and(SyntaxError::is_out_of_memory) {
        return Err(Stop.into());
    }
    // The text ends inside `0'c`.
    if result == Ok(true) && ast.span(ast.root).end as usize > rest.len() {
        let kind = SyntaxErrorKind::EndOfFile { open: None };
        result = Err(SyntaxError::new(rest.len(), rest.len(), kind));
    }
    *at = text.len().min(*at + end);
    Ok(read_of(
        rest,
        start,
        Encoding::Utf8,
        &result,
        ast,
        read_layout,
    )?)
}

/// Returns the exception of a syntax error, and stores the error for callers that print it.
pub(crate) fn syntax_throw(m: &mut Machine, located: LocatedError) -> Throw {
    let name = located.error.name();
    let message = located.message();
    m.world.layers.of::<Reading>().last_error = Some(located);
    m.syntax_error(name, &message)
}

/// Lists for the options of `read_term/2`, made from the variables of the tree.
pub(crate) struct VariableLists<'a> {
    /// Tree.
    pub(crate) ast: &'a Ast,
    /// Variables of the tree on the heap.
    pub(crate) cells: &'a [Cell],
}

impl VariableLists<'_> {
    /// Returns the list for `variables`: all variables.
    pub(crate) fn all(&self, m: &mut Machine) -> Result<Cell, Throw> {
        Ok(m.store.list_of(self.cells)?)
    }

    /// Returns the list for `variable_names`, or for `singletons` if `once`: equations `Name = Variable`. It has
    /// the variables with a name; with `once`, only those that occur once.
    pub(crate) fn named(&self, m: &mut Machine, once: bool) -> Result<Cell, Throw> {
        crate::builtins::args::room_for(m, self.cells.len(), 5)?;
        let mut equations = Vec::new();
        for (index, &cell) in self.cells.iter().enumerate() {
            let name = self.ast.var_name(index as u32);
            if name == "_" || (once && self.ast.vars[index].count > 1) {
                continue;
            }
            let name = Cell::atom(m.world.symbols.intern_passing(name)?);
            let functor = crate::base::atom_table::functors::EQUAL;
            equations.put(m.store.new_struct(functor, &[name, cell]))?;
        }
        Ok(m.store.list_of(&equations)?)
    }
}

/// Term that represents the end of a stream.
pub(crate) const END_OF_FILE: Cell = Cell::atom(atoms::END_OF_FILE);
