//! The clauses of Lolli modules in their source form, for `listing/1`, `edit/1` and `help/1`.

use super::files::library_text;
use super::modules::LolliModules;
use super::origin::heads;
use crate::base::atom_table::{Functor, functors};
use crate::base::growth::{Gather, Grow, text_of};
use crate::base::needs::{Load, Permit};
use crate::base::source::Span;
use crate::base::stop::Stop;
use crate::base::watch::Watch;
use crate::builtins::streams::errors_io::may_take;
use crate::builtins::term_io::clause_reader::with_ast;
use crate::io::source_file::read_source_file;
use crate::machine::builtin::builtins;
use crate::machine::state::Machine;
use crate::store::cell::Cell;
use crate::store::heap::View;
use crate::text::lolli::reader::ModuleReader;
use crate::text::query_tests::{Syntax, without_tests};

/// A clause of a module: its predicate, its line, its text.
struct Found {
    about: Functor,
    line: usize,
    text: String,
}

/// Returns the text of a loaded module, without its tests. Returns `None` if the text is gone.
fn module_text(m: &mut Machine, load: &Permit<Load>, path: &str) -> Result<Option<String>, Stop> {
    let file = m.world.files.find(path);
    let given = file.and_then(|file| m.world.files.get(file).text.clone());
    let text = match (given, library_text(path)) {
        (Some(text), _) => text_of(&text)?,
        (None, Some(text)) => text_of(text)?,
        (None, None) => {
            let path = m.world.files.path_of(path);
            match read_source_file(load, path, None, &|bytes| may_take(&m.store, bytes)) {
                Ok(text) => text,
                Err(_) => return Ok(None),
            }
        }
    };
    Ok(Some(without_tests(&text, Syntax::Lolli)?.unwrap_or(text)))
}

/// Returns the clauses in the text of a module, in order. Leaves out clauses whose head is known only when they are
/// assumed. Lists a clause of several heads once for each head.
fn clauses(m: &mut Machine, text: &str) -> Result<Vec<Found>, Stop> {
    with_ast(m, |m, ast| {
        ast.clear();
        let mut reader = ModuleReader::new(text, &mut m.world.symbols, ast)?;
        let (mut counted, mut line, mut found) = (0, 1, Vec::new());
        loop {
            ast.clear();
            let clause = reader.next_clause(&mut m.world.symbols, ast, &Watch::default())?;
            if clause.is_none() {
                break;
            }
            let Span { start, end } = ast.span;
            let (start, end) = (start as usize, end as usize);
            line += text.get(counted..start).unwrap_or("").matches('\n').count();
            counted = start;
            let mut known = heads(m, ast)?;
            known.dedup();
            for about in known {
                let text = text_of(text.get(start..end).unwrap_or(""))?;
                found.put(Found { about, line, text })?;
            }
        }
        Ok(found)
    })
}

builtins! { LOLLI_LISTING =
    /// Returns the clauses of predicates with this name and number of arguments in all loaded Lolli modules,
    /// as `clause(Name/Arity, File, Line, Text)`. Leaves out the library if no name is given.
    iso "$lolli_clauses"("?name", "?arity", "-list") needs load, history = |m, [name, arity, list]| {
        let name = match m.store.view(name) {
            View::Atom(name) => Some(name),
            View::Var(_) => None,
            _ => return m.unify_items(list, &[]),
        };
        let arity = match m.store.view(arity) {
            View::Int(arity) => Some(arity),
            _ => None,
        };
        let paths = m.world.layers.of::<LolliModules>().loaded.keys();
        let paths: Vec<String> = paths.map(|path| text_of(path)).try_gather()?;
        let functor = m.world.symbols.intern("clause")?;
        let functor = m.world.symbols.functor(functor, 4)?;
        let mut items = Vec::new();
        for path in paths {
            if name.is_none() && library_text(&path).is_some() {
                continue;
            }
            let Some(text) = module_text(m, load, &path)? else { continue };
            let file = Cell::atom(m.world.symbols.intern_passing(&path)?);
            for clause in clauses(m, &text)? {
                let (known, count) = (m.world.symbols.name(clause.about), clause.about.arity() as i64);
                if name.is_some_and(|name| name != known) || arity.is_some_and(|arity| arity != count) {
                    continue;
                }
                let text = m.store.new_string(&clause.text)?;
                m.store.reserve(16)?;
                let indicator = [Cell::atom(known), Cell::int(count)];
                let indicator = m.store.new_struct(functors::SLASH, &indicator);
                let args = [indicator, file, Cell::int(clause.line as i64), text];
                items.put(m.store.new_struct(functor, &args))?;
            }
        }
        m.unify_items(list, &items)
    };
}
