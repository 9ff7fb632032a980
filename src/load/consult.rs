//! Loading files and texts of programs (ISO 7.4.2). Prolog text (`prelude/system/load.pl`) drives a
//! load. Reading clauses and adding those that need no expansion is done here, without returning to
//! Prolog.
//! Long because a load is one state machine.

use super::conditions::{note_unread, unended};
use super::context::{names_list, skip_read_text};
use super::dialect::{begin_dialect, quotes_for_loaded};
use super::formulas::{formula_clauses, is_formula_clause};
use super::hooks::{has_expansion, is_expansion};
use super::reload::{Former, discard_former, put_back, redefine, set_aside};
use super::replayed::next_replayed;
use super::sources::check_forgetting;
use super::typed_text::{heading, is_typed, keep_typed, more_typed};
use crate::base::atom_table::{Atom, FastSet, atoms, functors};
use crate::base::growth::{Grow, GrowSet, GrowTable, Within, reserve, room_for_one};
use crate::base::source::Span;
use crate::base::stop::Stop;
use crate::base::warning::Warning;
use crate::builtins::control::tables::tabled_clause;
use crate::builtins::database::clauses::{
    compile_clause, compile_rule, is_protected, load_clause, make_dynamic, modify_error,
};
use crate::builtins::database::dcg;
use crate::builtins::term_io::clause_reader::{ReadError, ReadTerm, read_clause};
use crate::diagnose::messages::{report_syntax_error, wrong_bytes};
use crate::diagnose::refused;
use crate::diagnose::rules::{warn_clause, warn_text};
use crate::image::record::{self, is_recording, record_clause};
use crate::image::replay::{Replay, close_images};
use crate::io::encoding::Replacement;
use crate::io::files::{is_plain_file, time_file};
use crate::io::position::Position;
use crate::library::lambdas::makes_lambda;
use crate::machine::control::throw::{Ball, Throw};
use crate::machine::state::Machine;
use crate::machine::tables::functor_of_program;
use crate::machine::upper_layers::Layers;
use crate::program::predicate::{Kind, PredId};
use crate::source::loading::{
    Lines, Loading, is_conditional, line_of, loader, present_load, skipping,
};
use crate::source::permits;
use crate::source::report::warn_at;
use crate::source::term_texts::indicator_text;
use crate::store::cell::Cell;
use crate::store::claims::{Claim, Life};
use crate::store::heap::View;
use crate::text::query_tests::{Syntax, without_tests};
use crate::text::resume::next_clause;
use std::collections::VecDeque;
use std::sync::Arc;

// ---- beginning and ending ---------------------------------------------------------------------

/// Maximum size of a host's text that is kept.
pub(super) const MAX_KEPT: usize = 1 << 20;

/// Begins to load the text of a file and removes the clauses of an earlier load.
pub(super) fn begin(
    m: &mut Machine,
    name: &str,
    (text, replaced, given): (Arc<str>, VecDeque<Replacement>, bool),
    module: Atom,
    included: bool,
) -> Result<(), Throw> {
    check_begin(m, name, (module, included))?;
    let claim = m.store.claim(text.len() as u64, Life::Passing)?;
    let text = without_tests(&text, Syntax::Prolog)?.map_or(text, Arc::from);
    let recording = record::begin(m, name, given, included)?;
    let file = m.world.files.intern(name)?;
    begin_as(m, file, claim, (text, replaced, given), (module, included))?;
    if let Some(loading) = loader(m).stack.last_mut() {
        loading.recording = recording;
    }
    match included {
        true => Ok(()),
        false => begin_dialect(m),
    }
}

/// Begins to load a file of an image.
pub(super) fn begin_replay(
    m: &mut Machine,
    name: &str,
    replay: Box<Replay>,
    module: Atom,
    included: bool,
) -> Result<(), Throw> {
    check_begin(m, name, (module, included))?;
    let claim = m.store.claim(0, Life::Passing)?;
    let file = m.world.files.intern(name)?;
    let text = ("".into(), VecDeque::new(), false);
    begin_as(m, file, claim, text, (module, included))?;
    if let Some(loading) = loader(m).stack.last_mut() {
        loading.in_image = Some(replay.in_image());
        *loading.own.of() = Some(replay);
    }
    Ok(())
}

/// Checks that the present text may enter the module, and may replace the clauses of an earlier load
/// of the file.
fn check_begin(m: &mut Machine, name: &str, (module, included): (Atom, bool)) -> Result<(), Throw> {
    check_entered(m, module)?;
    match m.world.files.seek(name) {
        Some(file) => check_forgetting(m, file, included),
        None => Ok(()),
    }
}

/// Checks that a tenant's text is not loaded into a module outside the tenant.
pub(super) fn check_entered(m: &mut Machine, module: Atom) -> Result<(), Throw> {
    match m.leaves_tenant(module) {
        true => m.check_module(module),
        false => Ok(()),
    }
}

/// Begins to load a text for an entry in the table of files.
pub(super) fn begin_as(
    m: &mut Machine,
    file: u32,
    claim: Claim,
    (text, replaced, given): (Arc<str>, VecDeque<Replacement>, bool),
    (module, included): (Atom, bool),
) -> Result<(), Stop> {
    let name: Arc<str> = (&*m.world.files.get(file).name).into();
    let includer = loader(m).stack.last().map(|loading| loading.file);
    room_for_one(&mut loader(m).stack)?;
    if let Some(entry) = includer.and_then(|file| m.world.files.get_mut(file)) {
        room_for_one(&mut entry.includes)?;
    }
    let again = m.world.files.get(file).module.is_some();
    let former = set_aside(m, file, included)?;
    if let Some(entry) = m.world.files.get_mut(file) {
        entry.text = (given && text.len() <= MAX_KEPT).then(|| text.clone());
    }
    if let Some(entry) = m.world.files.get_mut(file) {
        entry.loading = true;
        entry.broken = true;
        entry.module = Some(module);
        entry.context = (!included).then_some(module);
        // Text from a pipe or device cannot be read again.
        let plain = !given && is_plain_file(permits::load(), &entry.path).unwrap_or(false);
        entry.time = plain
            .then(|| time_file(permits::load(), &entry.path).ok())
            .flatten();
        entry.includes.clear();
        entry.unread.clear();
        entry.refused.clear();
        entry.dialect = None;
    }
    if included && let Some(entry) = includer.and_then(|file| m.world.files.get_mut(file)) {
        entry.includes.put(file)?;
    }
    let at = heading(m, &text)?;
    let loading = Loading {
        file,
        name,
        text,
        claim,
        at,
        typed: None,
        span: Span::default(),
        module,
        saved_module: m.world.source_module,
        flags: m.world.flags.clone(),
        quotes: (m.world.flags.double_quotes, m.world.flags.back_quotes),
        dialect: None,
        defined: FastSet::default(),
        last: None,
        sealed: None,
        warned: FastSet::default(),
        conditions: Vec::new(),
        included,
        heading: None,
        replaced,
        comment_reported: false,
        in_image: None,
        recording: None,
        lines: Lines::default(),
        reached: 0,
        begun: false,
        again,
        place: Position::START,
        ended: false,
        stopped: false,
        own: Layers::default(),
    };
    if !included {
        m.world.flags.double_quotes = quotes_for_loaded(m);
        m.world.flags.dialect = "swi";
    }
    let quotes = (m.world.flags.double_quotes, m.world.flags.back_quotes);
    let mut loading = Loading { quotes, ..loading };
    *loading.own.of() = former;
    m.world.source_module = module;
    if m.is_tenant(module) && !included {
        let own = m.world.modules.find(module);
        m.world.flags.char_conversion = own.and_then(|own| own.char_conversion) == Some(true);
    }
    loader(m).stack.put(loading)?;
    Ok(())
}

/// Sets the flags for reading the module that the present file begins. They are the flags of the engine, or
/// those of the file's dialect, not those of the file that loads it.
pub(super) fn begin_module(m: &mut Machine) {
    let stack = &loader(m).stack;
    let (Some(outermost), Some(present)) = (stack.first(), stack.last()) else {
        return;
    };
    let (own, before, dialect) = (outermost.flags.clone(), present.quotes, present.dialect);
    // Directives before the heading may have changed the flags.
    if dialect.is_none() && before == (m.world.flags.double_quotes, m.world.flags.back_quotes) {
        m.world.flags.restore_reading(&own);
    }
}

/// Ends all remaining loads when no query is open: those whose cleanup could not run.
pub(crate) fn end_left_loads(m: &mut Machine) -> Result<(), Stop> {
    end_loads(m, 0)?;
    close_images(m);
    Ok(())
}

/// Ends the loads that are nested deeper than `depth`; they were interrupted.
pub(super) fn end_loads(m: &mut Machine, depth: usize) -> Result<(), Stop> {
    while loader(m).stack.len() > depth {
        if let Some(mut loading) = leave(m, false)? {
            let former = std::mem::take(loading.own.of());
            put_back(m, loading.file, &mut loading.defined, former)?;
            loaded(m, loading.file, loading.defined);
        }
    }
    Ok(())
}

/// Ends the load that began last, whose text is complete.
pub(super) fn end(m: &mut Machine) -> Result<(), Stop> {
    let present = loader(m).stack.last();
    if present.is_some_and(|loading| !loading.conditions.is_empty()) {
        unended(m)?;
    }
    let Some(mut loading) = leave(m, true)? else {
        return Ok(());
    };
    let done = discard_former(m, loading.file, loading.own.of());
    loaded(m, loading.file, loading.defined);
    done
}

/// Removes the load that began last from the stack, and returns it unless its file is included. `whole` means that
/// the whole text was loaded.
fn leave(m: &mut Machine, whole: bool) -> Result<Option<Loading>, Stop> {
    keep_typed(m);
    let Some(loading) = loader(m).stack.pop() else {
        return Ok(None);
    };
    if let Some(entry) = m.world.files.get_mut(loading.file) {
        entry.broken &= !whole;
    }
    if loading.included {
        // Declarations of an included text remain valid in the including text.
        let defined = loading.defined;
        if let Some(outer) = loader(m).stack.last_mut() {
            outer.defined.put_all_within(defined);
        }
        return Ok(None);
    }
    if loading.in_image.is_none() && m.world.flags.warnings.wants(Warning::Undefined) {
        let unchecked = &mut loader(m).unchecked;
        if !unchecked.contains(&loading.file) {
            // If there is no memory, the calls of the file are not checked.
            let _ = unchecked.put(loading.file);
        }
    }
    let quotes = Some((m.world.flags.double_quotes, m.world.flags.back_quotes));
    let tenant = m.is_tenant(loading.module);
    if loading.heading.is_some() || tenant {
        m.world.modules.intern(loading.module)?.quotes = quotes;
    }
    if tenant {
        let converts = std::mem::replace(
            &mut m.world.flags.char_conversion,
            loading.flags.char_conversion,
        );
        m.world.modules.intern(loading.module)?.char_conversion = Some(converts);
    }
    m.world.source_module = loading.saved_module;
    loader(m).quotes = quotes;
    if m.world.flags.iso != loading.flags.iso {
        m.set_iso(loading.flags.iso)?;
    }
    m.world.flags.restore_reading(&loading.flags);
    m.world.flags.warnings = loading.flags.warnings;
    m.world.flags.dialect = loading.flags.dialect;
    Ok(Some(loading))
}

/// Records that the load of a file has ended, and which predicates the file defines.
fn loaded(m: &mut Machine, file: u32, defined: FastSet<PredId>) {
    if let Some(entry) = m.world.files.get_mut(file) {
        entry.loading = false;
        entry.defines.put_all_within(defined);
    }
}

// ---- reading ----------------------------------------------------------------------------------

/// The next task for the Prolog side of the loader. A term comes with the list of its variables'
/// names.
pub(super) enum Item {
    End,
    Directive(Cell, Cell),
    Expand(Cell, Cell),
    /// A clause that may contain lambda expressions.
    Clause(Cell),
}

/// Reads and adds clauses until something needs Prolog.
pub(super) fn next_item(m: &mut Machine) -> Result<Item, Throw> {
    let loading = loader(m).stack.last();
    if loading.is_some_and(|loading| loading.in_image.is_some()) {
        return next_replayed(m);
    }
    skip_read_text(m);
    let hooks = has_expansion(m);
    let Some(loading) = loader(m).stack.last_mut() else {
        return Ok(Item::End);
    };
    if loading.stopped || loading.ended {
        return Ok(Item::End);
    }
    let begins = !std::mem::replace(&mut loading.begun, true);
    match begins && hooks && !loading.included {
        true => Ok(edge(atoms::BEGIN_OF_FILE)),
        false => next_of_text(m, hooks),
    }
}

/// Returns the item for the beginning or end of a file: hooks of the program may expand the atom `name`.
fn edge(name: Atom) -> Item {
    Item::Expand(Cell::atom(name), Cell::atom(atoms::NIL))
}

/// Returns the item for the end of the present text, at byte `at`.
fn at_end(m: &mut Machine, hooks: bool, at: usize) -> Item {
    let Some(loading) = loader(m).stack.last_mut() else {
        return Item::End;
    };
    loading.ended = true;
    if !hooks || loading.included {
        return Item::End;
    }
    let at = at.min(loading.text.len()) as u32;
    loading.span = Span { start: at, end: at };
    edge(atoms::END_OF_FILE)
}

/// Returns the start of the term that was read, which ends before byte `at`; 0 if the start is unknown,
/// as after a syntax error.
fn start_of(read: &Result<Option<ReadTerm>, ReadError>, at: usize) -> usize {
    match read {
        Ok(Some(read)) => read.span.start as usize,
        Ok(None) => at,
        Err(_) => 0,
    }
}

/// Sets the span of the load to the beginning of the next item after byte `from`, which was not read
/// completely.
fn note_start(m: &mut Machine, text: &str, from: usize) {
    let rest = text.get(from..).unwrap_or_default();
    let start = from + rest.len() - rest.trim_start().len();
    if let Some(loading) = loader(m).stack.last_mut() {
        loading.span = Span::new(start, (start + 1).min(text.len()));
    }
}

/// Reads and adds clauses of the present text until something needs Prolog. `hooks` says whether terms
/// are expanded.
fn next_of_text(m: &mut Machine, mut hooks: bool) -> Result<Item, Throw> {
    loop {
        m.go_on()?;
        if !more_typed(m)? {
            return Ok(at_end(m, hooks, usize::MAX));
        }
        let Some(loading) = loader(m).stack.last() else {
            return Ok(Item::End);
        };
        let (text, mut at) = (loading.text.clone(), loading.at);
        let top = m.store.heap_top;
        let from = at;
        let read = read_here(m, &text, &mut at);
        if !m.world.booting {
            m.store.watch.did_clause(at.saturating_sub(from));
        }
        let wrong = wrong_bytes(m, start_of(&read, at), at)?;
        let read = match read {
            Ok(None) if is_typed(m) => continue,
            Ok(None) => return Ok(at_end(m, hooks, at)),
            Ok(Some(_)) if wrong.is_some() => {
                m.store.heap_top = top;
                continue;
            }
            Ok(Some(read)) => read,
            Err(ReadError::Throw(throw)) => {
                note_start(m, &text, from);
                return Err(throw);
            }
            Err(ReadError::Syntax(error)) => {
                let span = error.span.start as usize..=error.span.end as usize;
                let reported = wrong.is_some_and(|wrong| span.contains(&wrong));
                if !reported && !skipping(m) {
                    report_syntax_error(m, &error)?;
                    refused::note(m, &text, from)?;
                }
                continue;
            }
        };
        if let Some(loading) = loader(m).stack.last_mut() {
            loading.span = read.span;
        }
        warn_text(m, &text, from, (read.term, read.span))?;
        if let View::Struct(functors::DIRECTIVE | functors::QUERY, args) = m.store.view(read.term) {
            let goal = m.store.arg(args, 0);
            let condition = is_conditional(m, goal);
            if condition || !skipping(m) {
                keep_typed(m);
                let names = names_list(m, &read.vars)?;
                return Ok(if hooks && !condition {
                    Item::Expand(read.term, names)
                } else {
                    Item::Directive(goal, names)
                });
            }
            m.store.heap_top = top;
            continue;
        }
        if skipping(m) {
            m.store.heap_top = top;
            continue;
        }
        warn_clause(m, read.term, &read.vars, hooks)?;
        if read.term == Cell::atom(atoms::END_OF_FILE) {
            note_unread(m, true)?;
            return Ok(at_end(m, hooks, read.span.start as usize));
        }
        if hooks {
            let names = names_list(m, &read.vars)?;
            return Ok(Item::Expand(read.term, names));
        }
        if makes_lambda(m, top, read.term) {
            return Ok(Item::Clause(read.term));
        }
        let defines = is_expansion(m, read.term);
        add(m, read.term)?;
        m.store.heap_top = top;
        if defines {
            hooks = has_expansion(m);
        }
    }
}

/// Reads the clause that begins at byte `*at` of the present text, and moves `*at` to the beginning of
/// the next one.
fn read_here(m: &mut Machine, text: &str, at: &mut usize) -> Result<Option<ReadTerm>, ReadError> {
    let start = *at;
    let read = read_clause(m, text, at, !m.world.booting);
    if let Err(ReadError::Syntax(error)) = &read {
        *at = next_clause(text, start, *at, error, m.world.flags.lexis())?.unwrap_or(*at);
    }
    if let Some(loading) = loader(m).stack.last_mut() {
        loading.at = *at;
    }
    read
}

// ---- adding -----------------------------------------------------------------------------------

/// Adds a clause and reports its errors. Returns only exceptions without a place.
pub(super) fn add(m: &mut Machine, term: Cell) -> Result<(), Throw> {
    let added = try_add(m, term);
    report_error(m, added)
}

/// Adds a rule that is compiled from the term `term` and stored as the term `kept`.
pub(super) fn add_compiled(m: &mut Machine, kept: Cell, term: Cell) -> Result<(), Throw> {
    let module = m.world.source_module;
    let Some((file, span, line)) = present_place(m) else {
        return Ok(());
    };
    let added = add_one(m, (term, Some(kept)), (module, file, line), span);
    report_error(m, added)
}

/// Returns the file, span and line of the clause that is being loaded.
fn present_place(m: &mut Machine) -> Option<(u32, Span, u32)> {
    let loading = loader(m).stack.last()?;
    let (file, span, text) = (loading.file, loading.span, loading.text.clone());
    let line = line_of(m, &text, span);
    Some((file, span, line))
}

/// Warns that the clauses of a predicate are not together.
fn warn_apart(m: &mut Machine, id: PredId, span: Span) -> Result<(), Stop> {
    let (module, functor) = m.world.predicates.home(id);
    // The clauses of a tabled predicate belong to an internal predicate.
    let functor = functor_of_program(&mut m.world.symbols, functor)?;
    let declared = m.world.predicates.find(module, functor);
    if declared.is_some_and(|id| m.world.predicates.get(id).traits.discontiguous) {
        return Ok(());
    }
    let name = indicator_text(m, functor)?;
    let message = format!("clauses of {name} are not together in the source");
    let hint = format!("move them together, or declare `:- discontiguous {name}.`");
    warn_at(m, Warning::Discontiguous, span, message, Some(hint))?;
    Ok(())
}

/// Reports an error of a clause. Returns only exceptions without a place.
pub(super) fn report_error(m: &mut Machine, added: Result<(), Throw>) -> Result<(), Throw> {
    match added {
        Ok(()) => Ok(()),
        Err(throw) => match throw.0.ball {
            Ball::Halt(_) | Ball::Aborted | Ball::Spent(..) | Ball::OutOfMemory => Err(throw),
            _ => {
                let ball = m.ball_term(&throw)?;
                refused::report_refused(m, ball)?;
                Ok(())
            }
        },
    }
}

fn try_add(m: &mut Machine, term: Cell) -> Result<(), Throw> {
    let module = m.world.source_module;
    let term = match m.store.view(term) {
        View::Struct(functors::DCG_ARROW, _) => dcg::translate_rule(m, term)?.unwrap_or(term),
        View::Atom(name) => refused::unless_sign(m, name)?,
        _ => term,
    };
    let Some((file, span, line)) = present_place(m) else {
        return Ok(());
    };
    if is_formula_clause(m, module, term) {
        let (formula, module) = m.strip_module(term, module);
        for clause in formula_clauses(m, formula, span)? {
            add_one(m, (clause, None), (module, file, line), span)?;
        }
        return Ok(());
    }
    add_one(m, (term, None), (module, file, line), span)
}

/// Adds a clause for one predicate.
fn add_one(
    m: &mut Machine,
    (term, kept): (Cell, Option<Cell>),
    (module, file, line): (Atom, u32, u32),
    span: Span,
) -> Result<(), Throw> {
    let term = tabled_clause(m, term, module)?;
    let kept = kept
        .map(|kept| tabled_clause(m, kept, module))
        .transpose()?;
    let (id, clause) = match kept {
        Some(_) => compile_rule(m, (term, kept), module, (file, line))?,
        None => compile_clause(m, term, module, file, line)?,
    };
    if is_recording(m) {
        let home = if clause.is_fact() {
            m.world.predicates.get(id).module
        } else {
            m.strip_module(term, module).1
        };
        record_clause(m, &clause, home, (span, line))?;
    }
    self_check(m, id, span)?;
    load_clause(m, id, clause)
}

/// Records that this load defines the predicate. The clauses of another file are replaced, and
/// clauses that are not together are reported.
pub(super) fn self_check(m: &mut Machine, id: PredId, span: Span) -> Result<(), Throw> {
    let predicate = m.world.predicates.get(id);
    let (home, functor) = (predicate.module, predicate.functor);
    if is_protected(m, id) || m.is_shut(home, functor)? {
        return Err(modify_error(m, functor));
    }
    let Some(loading) = loader(m).stack.last_mut() else {
        return Ok(());
    };
    if loading.last == Some(id) {
        return Ok(());
    }
    loading.defined.make_room()?;
    loading.warned.make_room()?;
    let (defined, of, included) = (loading.defined.len() + 1, loading.file, loading.included);
    // Reserve room now, so that recording the predicates at the end of the load cannot fail.
    if !included && let Some(entry) = m.world.files.get_mut(of) {
        reserve(&mut entry.defines, defined)?;
    }
    let Some((loading, outer)) = loader(m).stack.split_last_mut() else {
        return Ok(());
    };
    if included && let Some(outer) = outer.last_mut() {
        outer.defined.try_reserve(defined).map_err(|_| Stop)?;
    }
    let known = !loading.defined.put_new(id)?;
    loading.last = Some(id);
    let file = loading.file;
    // The warning was already given when the image was made.
    let warn = known && loading.in_image.is_none() && loading.warned.put_new(id)?;
    let predicate = m.world.predicates.get(id);
    if predicate.kind == Kind::Undefined && m.is_hook(predicate) {
        make_dynamic(m, id)?;
        m.world.predicates.get_mut(id).traits.multifile = true;
    }
    let predicate = m.world.predicates.get(id);
    let (functor, traits, kind) = (predicate.functor, predicate.traits, predicate.kind);
    if known {
        if warn && !traits.discontiguous && kind == Kind::Static {
            warn_apart(m, id, span)?;
        }
        return Ok(());
    }
    if let Kind::Imported(target) = kind
        && !traits.named
    {
        // A predicate of the module that the file defined before counts as empty: nothing is
        // imported from it.
        let own = present_load(m).is_some_and(|loading| loading.own.of::<Former>().had(target));
        let target = m.world.predicates.get(target);
        let nothing = traits.lazy
            || target.kind == Kind::Undefined
            || own && target.clauses.iter().next().is_none();
        if !nothing && !target.traits.system && !m.is_system_module(target.module) {
            let from = m.world.symbols.text(target.module).to_owned();
            let name = indicator_text(m, functor)?;
            let message =
                format!("{name} is defined here and replaces the one imported from {from}");
            warn_at(m, Warning::Redefined, span, message, None)?;
        }
        return Ok(());
    }
    let alone = match kind {
        Kind::Static => true,
        Kind::Dynamic => !m.is_hook(predicate),
        _ => false,
    };
    if alone && !traits.multifile && !traits.system {
        // Clauses that programs add to a dynamic predicate belong to no file.
        let whole = present_load(m).map_or(file, |loading| loading.file);
        let files = m.world.files.with_included(whole)?;
        let foreign = |of: u32| !files.contains(&of) && (kind == Kind::Static || of != 0);
        let mut clauses = m.world.predicates.get(id).clauses.iter();
        let other = clauses.any(|(_, clause)| foreign(clause.file()));
        drop(clauses);
        if other {
            redefine(m, id, functor, span)?;
        }
    }
    Ok(())
}
