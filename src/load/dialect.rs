//! Dialects: the Prolog that a file is written for, found before its first clause is read.
//!
//! A dialect decides how `"…"` is read in its file. The file declares it by `:- expects_dialect(Dialect)`.
//! It can also load a system library that declares the dialect of the files that load it
//! (`:- loaders_dialect(Dialect)`). The position of the directive in the file does not matter. A dialect
//! does not apply to files that the file loads, or to files that load it. An included file is read in the
//! dialect of the file that includes it.

use super::find::find_source;
use super::typed_text::heading;
use crate::base::atom_table::{Functor, functors};
use crate::base::flags::{Flags, QuoteMode};
use crate::base::growth::{Gather, Grow, text_of};
use crate::base::stop::Stop;
use crate::base::warning::Warning;
use crate::image::record::record_directive;
use crate::library::outline::Outline;
use crate::library::prelude::LIBRARIES;
use crate::machine::builtin::builtins;
use crate::machine::control::throw::Throw;
use crate::machine::state::Machine;
use crate::source::loading::{loader, present_load};
use crate::source::permits;
use crate::source::report::warn_at;
use crate::store::cell::Cell;
use crate::text::ast::{Ast, Node, NodeId};
use crate::text::clause_extent::ClauseExtent;
use crate::text::lexer::Lexer;
use crate::text::parser::{ReadContext, read_term};
use crate::text::resume::next_clause;
use crate::text::syntax_error::SyntaxError;
use crate::text::token::TokenKind;
use std::sync::OnceLock;

/// The dialects, each with its way to read `"…"`.
const DIALECTS: [(&str, QuoteMode); 17] = [
    ("swi", QuoteMode::String),
    ("eclipse", QuoteMode::String),
    ("iso", QuoteMode::Codes),
    ("dec10", QuoteMode::Codes),
    ("quintus", QuoteMode::Codes),
    ("sicstus", QuoteMode::Codes),
    ("sicstus4", QuoteMode::Codes),
    ("yap", QuoteMode::Codes),
    ("gprolog", QuoteMode::Codes),
    ("xsb", QuoteMode::Codes),
    ("ciao", QuoteMode::Codes),
    ("ifprolog", QuoteMode::Codes),
    ("hprolog", QuoteMode::Codes),
    ("bprolog", QuoteMode::Codes),
    ("swi3", QuoteMode::Codes),
    ("scryer", QuoteMode::Chars),
    ("trealla", QuoteMode::Chars),
];
/// The directive that declares the dialect of its file.
const EXPECTS: &str = "expects_dialect";
/// Directives that load the file named by their first argument, with the range of their arities.
const LOADS: [(&str, std::ops::RangeInclusive<usize>); 6] = [
    ("use_module", 1..=2),
    ("ensure_loaded", 1..=1),
    ("consult", 1..=1),
    ("reexport", 1..=2),
    ("load_files", 1..=2),
    ("autoload", 1..=2),
];

/// A known dialect: its name, and how it reads `"…"`.
pub(super) type Dialect = (&'static str, QuoteMode);

/// Returns the dialect with this name.
fn known_dialect(name: &str) -> Option<Dialect> {
    DIALECTS.iter().copied().find(|(known, _)| *known == name)
}

/// Returns the system libraries that declare the dialect of the files that load them, each with the
/// dialect. The declaration follows immediately after the heading of the library.
fn loaders_dialects() -> impl Iterator<Item = (&'static str, &'static str)> {
    static DECLARED: OnceLock<Vec<(&str, &str)>> = OnceLock::new();
    let declared = DECLARED.get_or_init(|| {
        let declared = LIBRARIES.iter().filter_map(|&(name, text)| {
            let (start, _) = Outline::new(text).nth(1)?;
            let rest = text.get(start..)?.strip_prefix(":- loaders_dialect(")?;
            Some((name, rest.split_once(')')?.0))
        });
        declared.collect_bounded()
    });
    declared.iter().copied()
}

// ---- finding the dialect of a text --------------------------------------------------------------

/// Returns the dialect that a text declares, if the text contains a double quote. This is the dialect of the
/// first such directive outside of the branches of `if/1` and before `end_of_file`. File names are resolved as
/// loading would resolve them now.
pub(super) fn dialect_of_text(m: &mut Machine, text: &str) -> Result<Option<Dialect>, Stop> {
    if !text.contains('"') {
        return Ok(None);
    }
    let declares = loaders_dialects();
    let names = declares.map(|(name, _)| name).chain([EXPECTS]);
    if !names.into_iter().any(|name| text.contains(name)) {
        return Ok(None);
    }
    let mut scan = Scan {
        ast: Ast::new(),
        flags: Flags::of_programs(),
        depth: 0,
    };
    let lexis = scan.flags.lexis();
    let mut at = heading(m, text)?;
    while at < text.len() {
        let mut lexer = Lexer::new(text, at, lexis);
        let first = lexer.next_token();
        let start = first.as_ref().map_or(at, |token| token.start);
        match first.map(|token| token.kind) {
            Ok(TokenKind::Name(":-")) => match lexer.next_token().map(|token| token.kind) {
                Ok(TokenKind::Name("if")) => scan.depth += 1,
                Ok(TokenKind::Name("endif")) => scan.depth = scan.depth.saturating_sub(1),
                Ok(_) if scan.depth == 0 => {
                    if let Some(dialect) = scan.directive(m, text, start)? {
                        return Ok(Some(dialect));
                    }
                }
                _ => {}
            },
            Ok(TokenKind::Name("end_of_file")) if lexer.at_end_token() => return Ok(None),
            Ok(TokenKind::Eof) => return Ok(None),
            _ => {}
        }
        match scan.after(m, text, start)? {
            Some(next) => at = next,
            None => return Ok(None),
        }
    }
    Ok(None)
}

/// The state of the search for a dialect.
struct Scan {
    ast: Ast,
    /// The flags that the directives are read with.
    flags: Flags,
    /// Number of open conditions.
    depth: usize,
}

impl Scan {
    /// Returns where the loader finds the clause after the one at `start`. Returns `None` if the search
    /// must stop.
    fn after(&mut self, m: &mut Machine, text: &str, start: usize) -> Result<Option<usize>, Stop> {
        if let Some(end) = ClauseExtent::new(self.flags.lexis()).plain_end_in(text, start) {
            return Ok(Some(end));
        }
        let mut end = start;
        match self.read(m, text, &mut end) {
            Ok(_) => {}
            Err(error) if error.is_out_of_memory() => return Ok(None),
            Err(error) => {
                let lexis = self.flags.lexis();
                end = next_clause(text, start, end, &error, lexis)?.unwrap_or(end);
            }
        }
        Ok((end > start).then_some(end))
    }

    /// Reads the clause at `*at`, and moves `*at` past it.
    fn read(&mut self, m: &mut Machine, text: &str, at: &mut usize) -> Result<bool, SyntaxError> {
        let mut context = ReadContext {
            symbols: &mut m.world.symbols,
            ops: m.world.modules.ops(m.world.source_module)?,
            flags: &self.flags,
            char_conversions: None,
            room: usize::MAX,
            passing: true,
            watch: &m.store.events.watch,
        };
        read_term(text, at, &mut context, &mut self.ast)
    }

    /// Returns the dialect that the directive at `start` declares. A directive with a syntax error
    /// declares none.
    fn directive(
        &mut self,
        m: &mut Machine,
        text: &str,
        start: usize,
    ) -> Result<Option<Dialect>, Stop> {
        if self.read(m, text, &mut { start }).is_err() {
            return Ok(None);
        }
        let Some((_, &[goal, ..])) = self.compound(self.ast.root) else {
            return Ok(None);
        };
        let mut goals = vec![goal];
        while let Some(goal) = goals.pop() {
            match self.compound(goal) {
                Some((functors::COMMA, [first, rest])) => goals.put_all([*rest, *first])?,
                Some((functors::COLON, [_, goal])) => goals.put(*goal)?,
                Some((functor, args)) => {
                    let found = self.goal(m, functor, args)?;
                    if found.is_some() {
                        return Ok(found);
                    }
                }
                None => {}
            }
        }
        Ok(None)
    }

    /// Returns the functor and the arguments of a compound term.
    fn compound(&self, node: NodeId) -> Option<(Functor, &[NodeId])> {
        match *self.ast.node(node) {
            Node::Compound { functor, first } => {
                Some((functor, self.ast.arguments(functor, first)))
            }
            _ => None,
        }
    }

    /// Returns the dialect that a goal of a directive declares.
    fn goal(
        &self,
        m: &mut Machine,
        functor: Functor,
        args: &[NodeId],
    ) -> Result<Option<Dialect>, Stop> {
        let &[first, ..] = args else {
            return Ok(None);
        };
        let name = m.world.symbols.name_text(functor);
        if name == EXPECTS && args.len() == 1 {
            return match *self.ast.node(first) {
                Node::Atom(dialect) => Ok(known_dialect(m.world.symbols.text(dialect))),
                _ => Ok(None),
            };
        }
        if functor == functors::LIST {
            let found = self.file(m, first)?;
            return match found {
                Some(_) => Ok(found),
                None => self.files(m, args[1]),
            };
        }
        let Some(loads) = LOADS.iter().find(|(known, _)| *known == name) else {
            return Ok(None);
        };
        if loads.1.contains(&args.len()) {
            self.files(m, first)
        } else {
            Ok(None)
        }
    }

    /// Returns the dialect that loading a file, or one of a list of files, declares.
    fn files(&self, m: &mut Machine, node: NodeId) -> Result<Option<Dialect>, Stop> {
        let mut node = node;
        while let Some((functors::LIST, &[file, rest])) = self.compound(node) {
            let found = self.file(m, file)?;
            if found.is_some() {
                return Ok(found);
            }
            node = rest;
        }
        self.file(m, node)
    }

    fn file(&self, m: &mut Machine, node: NodeId) -> Result<Option<Dialect>, Stop> {
        let (name, of_system) = match self.compound(node) {
            Some((functor, &[name])) => {
                let alias = m.world.symbols.name_text(functor);
                if alias != "library" {
                    return Ok(None);
                }
                (name, true)
            }
            _ => (node, false),
        };
        let name = match self.ast.node(name) {
            Node::Atom(name) => text_of(m.world.symbols.text(*name))?,
            Node::String(name) => text_of(name)?,
            _ => return Ok(None),
        };
        let declared = loaders_dialects().find(|(library, _)| *library == name);
        let Some((_, dialect)) = declared else {
            return Ok(None);
        };
        let own = !of_system && matches!(find_source(m, permits::load(), &name), Ok(Some(_)));
        if own {
            Ok(None)
        } else {
            Ok(known_dialect(dialect))
        }
    }
}

// ---- the dialect of a file ----------------------------------------------------------------------

/// Sets the dialect of the file whose load has just begun.
///
/// # Errors
/// Returns an error if there is no memory to record the dialect in the image that is being made.
pub(super) fn begin_dialect(m: &mut Machine) -> Result<(), Throw> {
    let Some(loading) = loader(m).stack.last() else {
        return Ok(());
    };
    let text = loading.text.clone();
    if let Some(dialect) = dialect_of_text(m, &text)? {
        set_dialect(m, dialect.0)?;
        let name = m.world.symbols.intern("$file_dialect")?;
        let functor = m.world.symbols.functor(name, 1)?;
        let top = m.store.heap_top;
        let goal = m
            .store
            .new_struct(functor, &[Cell::atom(m.world.symbols.intern(dialect.0)?)]);
        let recorded = record_directive(m, goal);
        m.store.heap_top = top;
        recorded?;
    }
    Ok(())
}

/// Returns how `"…"` is read in a file that the present file loads. While the present file is read in
/// its dialect, that dialect does not apply to the loaded file.
pub(super) fn quotes_for_loaded(m: &mut Machine) -> QuoteMode {
    let now = m.world.flags.double_quotes;
    let Some(loading) = present_load(m) else {
        return now;
    };
    let (dialect, before) = (loading.dialect, loading.flags.double_quotes);
    if dialect.is_some_and(|(_, mode)| mode == now) {
        before
    } else {
        now
    }
}

/// Switches the reading of `"…"` to that of a dialect: up to the end of the present file, or from now on at
/// the prompt. An unknown name changes nothing, and a file keeps its first dialect. An included file has the
/// dialect of the file that includes it.
fn set_dialect(m: &mut Machine, name: &str) -> Result<(), Stop> {
    let Some(dialect) = known_dialect(name) else {
        return Ok(());
    };
    let mode = dialect.1;
    if loader(m)
        .stack
        .last()
        .is_some_and(|loading| loading.included)
    {
        warn_included(m, dialect)?;
        return Ok(());
    }
    let Some(loading) = present_load(m) else {
        m.world.flags.double_quotes = mode;
        m.world.flags.dialect = dialect.0;
        return Ok(());
    };
    match loading.dialect {
        None => {
            loading.dialect = Some(dialect);
            let file = loading.file;
            if let Some(entry) = m.world.files.get_mut(file) {
                entry.dialect = Some(dialect.0);
            }
            m.world.flags.double_quotes = mode;
            m.world.flags.dialect = dialect.0;
        }
        Some(first) if first != dialect => {
            let Some(span) = loader(m).stack.last().map(|loading| loading.span) else {
                return Ok(());
            };
            let message = format!("the dialect of this file is {}; {name} is ignored", first.0);
            let hint = "a file has one dialect; move the text in the other dialect to another file";
            warn_at(m, Warning::Dialect, span, message, Some(hint.to_owned()))?;
        }
        Some(_) => {}
    }
    Ok(())
}

/// Warns that an included file declares a dialect that does not apply to its texts in double
/// quotes.
fn warn_included(m: &mut Machine, (name, mode): Dialect) -> Result<(), Stop> {
    let (present, quotes) = (present_dialect(m), m.world.flags.double_quotes);
    let Some(loading) = loader(m).stack.last() else {
        return Ok(());
    };
    let span = loading.span;
    if mode != quotes && loading.text.contains('"') {
        let message = format!(
            "this file has the dialect of the file that includes it, {present}; {name} is ignored"
        );
        let hint = "declare the dialect in the file that includes this one";
        warn_at(m, Warning::Dialect, span, message, Some(hint.to_owned()))?;
    }
    Ok(())
}

/// Records that a file loads a system library, which may declare the file's dialect.
pub(super) fn note_loaded(m: &mut Machine, library: usize) -> Result<(), Stop> {
    let (name, _) = LIBRARIES[library];
    let declared = loaders_dialects().find(|(known, _)| *known == name);
    if let Some((_, dialect)) = declared {
        set_dialect(m, dialect)?;
    }
    Ok(())
}

/// Returns the dialect of the file that is loaded: `swi` if it declares none, or `iso` while the flag `iso`
/// is set.
fn present_dialect(m: &mut Machine) -> &'static str {
    if let Some(dialect) = present_load(m).and_then(|loading| loading.dialect) {
        return dialect.0;
    }
    if m.world.flags.iso { "iso" } else { "swi" }
}

builtins! { DIALECT =
    /// Reads `"…"` in the present file as this dialect does, from here on.
    iso "$file_dialect"("+dialect") needs effect = always |m, [dialect]| {
        let dialect = m.atom_arg(dialect)?;
        let name = text_of(m.world.symbols.text(dialect))?;
        set_dialect(m, &name)?;
    };
    /// Unifies `dialect` with the dialect of the present file.
    iso "$present_dialect"("-dialect") = |m, [dialect]| {
        let present = present_dialect(m);
        Ok(m.unify_text(dialect, present)?)
    };
    /// Unifies `dialect` with the dialect that a loaded file declares. Fails if it declares none.
    iso "$dialect_of_file"("+path", "-dialect") = |m, [path, dialect]| {
        let name = m.file_arg(path)?;
        let file = m.world.files.seek(&name);
        let found = file.and_then(|file| m.world.files.get(file).dialect);
        match found {
            Some(found) => Ok(m.unify_text(dialect, found)?),
            None => Ok(false),
        }
    };
}
