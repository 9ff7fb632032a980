//! Messages of loading: at places of the present clause, and at places of clauses that were read
//! before.

use super::backtrace;
use super::goal_places::{numbered_goal, numbered_goals, place as place_in_clause};
use super::hint::hint_for;
use super::origin::origin;
use crate::base::atom_table::{atoms, functors};
use crate::base::growth::{Gather, Grow, joined_by};
use crate::base::source::Span;
use crate::base::stop::Stop;
use crate::base::warning::Warning;
use crate::builtins::database::updates::find_clause;
use crate::io::encoding::Replacement;
use crate::machine::builtin::builtins;
use crate::machine::control::throw::Throw;
use crate::machine::state::Machine;
use crate::source::diagnostic::{Diagnostic, Location, MessageForm, MessageKind, Severity};
use crate::source::loading::{loader, place_here, present_span, skipping};
use crate::source::named_goals::Call;
use crate::source::parts::{goals_of_present, in_directive, names_of_present};
use crate::source::report::{report, report_at, show, warn_at};
use crate::source::term_texts::{term_text, text_of, text_with_names};
use crate::source::waiting::Waiting;
use crate::store::cell::Cell;
use crate::store::heap::View;
use crate::text::name_table::NameTable;
use crate::text::syntax_error::SyntaxError;
use crate::text::write_options::{Spacing, WriteOptions};
use crate::text::writer::{beginning_with_names, message_text};

/// Reports a syntax error. If a bracket is not closed, also reports its place.
pub(crate) fn report_syntax_error(m: &mut Machine, error: &SyntaxError) -> Result<(), Stop> {
    let goes_on = loader(m).stack.last().map_or(0, |loading| loading.at);
    let bracket = error.open_bracket();
    let place = error.missing_end().unwrap_or(error.span);
    let (span, bracket) = match bracket {
        // The place of the error belongs to the next clause.
        Some(bracket) if goes_on < error.span.start as usize => (bracket, None),
        _ => (place, bracket),
    };
    let Some(place) = place_here(m, span) else {
        return Ok(());
    };
    let bracket = bracket.and_then(|span| place_here(m, span));
    let hint = match (error.hint(), bracket) {
        (None, Some(bracket)) if bracket.line != place.line => {
            let Location { line, column, .. } = bracket;
            Some(format!("the bracket opens in line {line}, column {column}"))
        }
        (hint, _) => hint,
    };
    let message = format!("syntax error: {}", error.message());
    let diagnostic = Diagnostic::at(Severity::Error, place, message, hint);
    report(m, diagnostic.of_syntax(error.name()))?;
    Ok(())
}

/// Reports invalid bytes in the clause `start..end` that was read, and in the comments before it.
/// Returns the position of the first invalid byte in the clause itself. Such a clause is not the
/// intended one.
pub(crate) fn wrong_bytes(
    m: &mut Machine,
    start: usize,
    end: usize,
) -> Result<Option<usize>, Stop> {
    let skipped = skipping(m);
    let loading = loader(m).stack.last_mut();
    let Some(loading) = loading.filter(|loading| !loading.replaced.is_empty()) else {
        return Ok(None);
    };
    let (mut comment, mut clause) = (None, None);
    while let Some(wrong) = loading.replaced.pop_front_if(|wrong| wrong.at < end) {
        let first = if wrong.at < start {
            &mut comment
        } else {
            &mut clause
        };
        first.get_or_insert(wrong);
    }
    comment =
        comment.filter(|_| !skipped && !std::mem::replace(&mut loading.comment_reported, true));
    if let Some(wrong) = &comment {
        let message = format!("{} in a comment is not UTF-8", bytes_text(wrong)?);
        warn_at(m, Warning::Encoding, wrong_span(wrong), message, None)?;
    }
    let Some(wrong) = clause else {
        return Ok(None);
    };
    if !skipped {
        let message = format!(
            "{} is not UTF-8; the clause is skipped",
            bytes_text(&wrong)?
        );
        let hint = "save the file as UTF-8, or declare its encoding first, as in `:- encoding(iso_latin_1).`";
        report_at(
            m,
            Severity::Error,
            wrong_span(&wrong),
            message,
            Some(hint.to_owned()),
        )?;
    }
    Ok(Some(wrong.at))
}

fn wrong_span(wrong: &Replacement) -> Span {
    Span::new(wrong.at, wrong.at + char::REPLACEMENT_CHARACTER.len_utf8())
}

fn bytes_text(wrong: &Replacement) -> Result<String, Stop> {
    let bytes: Vec<String> = wrong
        .bytes()
        .iter()
        .map(|byte| format!("{byte:02X}"))
        .gather()?;
    let word = if bytes.len() == 1 { "byte" } else { "bytes" };
    Ok(format!("{word} {} (hexadecimal)", joined_by(&bytes, " ")?))
}

/// Returns a place as a term.
fn place_term(m: &mut Machine, place: &Location) -> Result<Cell, Throw> {
    let file = Cell::atom(m.world.symbols.intern_passing(place.file_name())?);
    let source = m.store.new_string(&place.source_line)?;
    let number = |number: usize| Cell::int(number as i64);
    let (line, column) = (number(place.line), number(place.column));
    let (from, to) = (number(place.span.start), number(place.span.end));
    let parts = [file, line, column, source, from, to];
    Ok(m.store.new_struct(functors::PLACE6, &parts))
}

/// Returns the place in a term made by `'$load_place'/1`.
pub(crate) fn place_of(m: &Machine, term: Cell) -> Option<Location> {
    let (_, args) = m
        .store
        .compound(term)
        .filter(|&(functor, _)| functor == functors::PLACE6)?;
    let number = |index| match m.store.view(m.store.arg(args, index)) {
        View::Int(number) => usize::try_from(number).ok(),
        _ => None,
    };
    Some(Location {
        file: Some(text_of(m, m.store.arg(args, 0)).ok()??.into()),
        line: number(1)?,
        column: number(2)?,
        source_line: text_of(m, m.store.arg(args, 3)).ok()??,
        span: number(4)?..number(5)?,
    })
}

/// Creates a message about `ball`: an exception, the name of a warning, or `none`.
pub(super) fn about_ball(
    m: &mut Machine,
    severity: Severity,
    place: Location,
    message: String,
    ball: Cell,
) -> Result<Diagnostic, Stop> {
    let hint = hint_for(m, ball)?;
    let mut diagnostic = Diagnostic::at(severity, place, message, hint);
    let name = match m.store.view(ball) {
        View::Atom(name) => m.world.symbols.text(name),
        _ => "",
    };
    let warning = Warning::from_name(name).filter(|_| severity == Severity::Warning);
    match warning {
        Some(Warning::Directive) => diagnostic.kind = MessageKind::Failure,
        Some(_) => {}
        None if name == "none" => {}
        None => {
            diagnostic.kind = MessageKind::Exception;
            diagnostic.term = Some(quoted(m, ball)?);
            diagnostic.formal = formal_text(m, ball)?;
        }
    }
    diagnostic.warning = warning;
    Ok(diagnostic)
}

/// Returns a term as `writeq/1` writes it, or the beginning of that text.
pub(crate) fn quoted(m: &Machine, term: Cell) -> Result<String, Stop> {
    message_text(&m.write_env()?, term, &WriteOptions::writeq())
}

/// Maximum number of bytes for the error term in a message.
const LONGEST_FORMAL: usize = 100;
/// Number of bytes of the error term that are written to check whether it is too long.
const TRIED_FORMAL: usize = 2000;

/// Returns the first argument of an error term for a message, abbreviated, with `_` for variables.
/// Returns `None` if the exception is no error term.
pub(crate) fn formal_text(m: &Machine, ball: Cell) -> Result<Option<String>, Stop> {
    let Some((functors::ERROR, args)) = m.store.compound(ball) else {
        return Ok(None);
    };
    let formal = m.store.arg(args, 0);
    if let View::Var(_) = m.store.view(formal) {
        return Ok(None);
    }
    let texts = abbreviated_to(
        m,
        &[formal],
        [0, 8, 5, 3, 2],
        (TRIED_FORMAL, LONGEST_FORMAL),
    )?;
    Ok(texts.into_iter().next())
}

/// Maximum number of bytes for the arguments of a goal in a message.
const LONGEST_ARGS: usize = 80;
/// Number of bytes of the arguments that are written to check whether they are too long. This is also
/// the maximum that is shown if no depth makes them shorter.
const TRIED_ARGS: usize = 120;

/// Returns the texts of the arguments of a goal, abbreviated so that they fit together into a line. This is a
/// hook of the machine.
pub(crate) fn abbreviated(m: &Machine, args: &[Cell]) -> Result<Box<[String]>, Stop> {
    // This is done quickly, and it may be needed to report the interrupt itself.
    let _put_off = PutOff(m, m.store.events.watch.put_off(true));
    // Without a limit of depth, the whole term would be searched for cycles.
    Ok(abbreviated_to(m, args, [12, 8, 5, 3, 2], (TRIED_ARGS, LONGEST_ARGS))?.into())
}

/// A guard that delays interrupts of the query until it is dropped; it keeps the former setting.
struct PutOff<'a>(&'a Machine, bool);

impl Drop for PutOff<'_> {
    fn drop(&mut self) {
        self.0.store.events.watch.put_off(self.1);
    }
}

/// Returns the texts of terms, with `_` for variables. They are written at the first of these depths that makes
/// them shorter than `most` bytes together. If there is none, they are written at the last depth. At most `tried`
/// bytes of a term are written.
fn abbreviated_to(
    m: &Machine,
    terms: &[Cell],
    depths: [u32; 5],
    (tried, most): (usize, usize),
) -> Result<Vec<String>, Stop> {
    let env = m.write_env()?;
    let mut options = WriteOptions {
        spacing: Spacing::NextArgument,
        cycles: false,
        priority: 999,
        ..WriteOptions::writeq()
    };
    let mut texts = Vec::new();
    for max_depth in depths {
        options.max_depth = max_depth;
        texts.clear();
        for &term in terms {
            let met = NameTable::new(env.store, &[])?.recording_unnamed();
            beginning_with_names(&env, term, &options, &met, tried)?;
            let nameless = met.into_unnamed().into_iter();
            let nameless: Vec<_> = nameless.map(|var| (var, "_".to_owned())).gather()?;
            let names = NameTable::new(env.store, &nameless)?;
            texts.put(beginning_with_names(&env, term, &options, &names, tried)?)?;
        }
        // A text that is too long may be abbreviated to nothing.
        let nothing = texts.iter().any(|text| text == "...");
        if !nothing && texts.iter().map(String::len).sum::<usize>() < most {
            break;
        }
    }
    Ok(texts)
}

/// Returns a clause that led to an exception, as a term.
fn caller_term(m: &mut Machine, caller: &Waiting) -> Result<Cell, Throw> {
    let predicate = m.store.new_string(&caller.predicate)?;
    let file = m.store.new_string(&caller.file)?;
    let (line, times) = (caller.line as i64, i64::from(caller.times));
    let goal = match &caller.goal {
        Some(goal) => m.store.new_string(goal)?,
        None => Cell::atom(atoms::NIL),
    };
    m.store.reserve(8)?;
    let parts = [predicate, file, Cell::int(line), Cell::int(times), goal];
    Ok(m.store.new_struct(functors::CALLER5, &parts))
}

/// Returns the clauses in a list made by `'$raised_place'/3`.
fn callers_of(m: &mut Machine, list: Cell) -> Result<Vec<Waiting>, Throw> {
    let items = m.list_arg(list)?;
    let mut found = Vec::new();
    for item in items {
        let Some((functor, args)) = m.store.compound(item) else {
            continue;
        };
        if functor != functors::CALLER5 {
            continue;
        }
        let number = |index| match m.store.view(m.store.arg(args, index)) {
            View::Int(number) => number,
            _ => 0,
        };
        found.put(Waiting {
            predicate: text_of(m, m.store.arg(args, 0))?.unwrap_or_default(),
            goal: match m.store.arg(args, 4) {
                none if none == Cell::atom(atoms::NIL) => None,
                goal => text_of(m, goal)?,
            },
            file: text_of(m, m.store.arg(args, 1))?.unwrap_or_default(),
            line: usize::try_from(number(2)).unwrap_or(0),
            times: u32::try_from(number(3)).unwrap_or(0),
        })?;
    }
    Ok(found)
}

builtins! { TOLD =
    /// Reports an error (`error`) or warning (`warning`) at the present clause. `Ball` is the
    /// exception, the name of the warning, or `none`.
    iso "$load_message"("+severity", "+text", "@term") needs effect = always |m, [severity, text, ball]| {
        let message = text_of(m, text)?.map_or_else(|| term_text(m, text), Ok)?;
        let warning = severity == Cell::atom(atoms::WARNING);
        if loader(m).stack.is_empty() {
            return Ok(false);
        }
        let call = Call { goal: Cell::atom(atoms::TRUE), culprit: None, args: &[] };
        let goal = in_directive(m, call)?;
        let span = goal.unwrap_or_else(|| present_span(m));
        let severity = if warning { Severity::Warning } else { Severity::Error };
        let Some(place) = place_here(m, span) else { return Ok(false) };
        let diagnostic = about_ball(m, severity, place, message, ball)?;
        report(m, diagnostic)?;
    };
    /// Succeeds if messages are shown as JSON.
    iso "$messages_for_programs"() = |m, []| Ok(loader(m).form == MessageForm::Json);
    /// Prints a message as JSON: `error`, `warning` or `note`.
    iso "$message_for_programs"("+severity", "+text", "+term") needs effect = always |m, [severity, text, term]| {
        let name = m.atom_arg(severity)?;
        let severity = match m.world.symbols.text(name) {
            "error" => Severity::Error,
            "warning" => Severity::Warning,
            _ => Severity::Note,
        };
        let mut message = Diagnostic::without_place(severity, text_of(m, text)?.unwrap_or_default());
        message.term = Some(quoted(m, term)?);
        if let Some((functors::ERROR, _)) = m.store.compound(term) {
            message.kind = MessageKind::Exception;
        }
        show(m, &message);
    };
    /// Unifies `place` with the place of the present clause, for messages that are reported later.
    iso "$load_place"("-place") = |m, [place]| {
        let span = present_span(m);
        let Some(here) = place_here(m, span) else { return Ok(false) };
        let found = place_term(m, &here)?;
        Ok(m.unify(place, found)?)
    };
    /// Unifies `atom` with the text of the goal of the present directive, with the names of its
    /// variables.
    iso "$directive_text"("+goal", "-atom") = |m, [goal, text]| {
        let variables = m.store.variables_of(goal)?;
        let names = match variables.is_empty() {
            true => Vec::new(),
            false => names_of_present(m)?.unwrap_or_default(),
        };
        // If the goal is not the one that was read, the names would be wrong.
        let named = match names.len() == variables.len() {
            true => variables.into_iter().zip(names).gather()?,
            false => Vec::new(),
        };
        let shown = text_with_names(m, goal, named)?;
        Ok(m.unify_text(text, &shown)?)
    };
    /// Unifies `places` with the places of the goals of the present directive. These are the goals that it
    /// runs one after the other, or runs after the load. Fails unless their number is that of the conjuncts
    /// of `goal`.
    iso "$goal_places"("-places", "+goal") = |m, [places, goal]| {
        let (goal, _) = m.strip_module(goal, atoms::USER);
        let mut count = 1;
        let mut rest = goal;
        while let Some((functors::COMMA, args)) = m.store.compound(rest) {
            count += 1;
            rest = m.store.arg(args, 1);
        }
        let Some(spans) = goals_of_present(m)?.filter(|spans| spans.len() == count) else {
            return Ok(false);
        };
        let mut terms = Vec::new();
        for span in spans {
            let Some(here) = place_here(m, span) else { return Ok(false) };
            terms.put(place_term(m, &here)?)?;
        }
        m.unify_items(places, &terms)
    };
    /// Unifies `list` with the goals of the body of a clause that call a predicate, each as
    /// `Number-Goal`.
    iso "$goal_numbers"("@body", "-list") = |m, [body, goals]| {
        let found = numbered_goals(m, body)?;
        m.store.reserve(3 * found.len())?;
        let pair = |(number, goal)| {
            m.store.new_struct(functors::MINUS2, &[Cell::int(i64::from(number)), goal])
        };
        let pairs = found.into_iter().map(pair).gather()?;
        m.unify_items(goals, &pairs)
    };
    /// Unifies `place` with the place of the goal with this number in a clause from a file, or of
    /// the clause.
    iso "$goal_in_clause"("+reference", "+integer", "-place") = |m, [reference, number, place]| {
        let number = m.size_arg(number)?;
        let Some((id, position)) = find_clause(m, reference)? else { return Ok(false) };
        let clause = m.world.predicates.get(id).clauses.get(position).cloned();
        let Some(clause) = clause.filter(|clause| clause.file() != 0) else { return Ok(false) };
        let goal = numbered_goal(m, &clause, number as u32)?;
        let Some(here) = place_in_clause(m, id, &clause, goal)? else { return Ok(false) };
        let found = place_term(m, &here)?;
        Ok(m.unify(place, found)?)
    };
    /// Unifies `place` with the place of a goal of the present directive: the goal that raised the
    /// exception caught by `'$raised'(Ball)`. The place is as exact as the directive shows it.
    iso "$raised_in_directive"("+goal", "-place") = |m, [goal, place]| {
        let trace = m.run.raising.traces.last.take();
        let (culprit, args) = trace.map_or((None, Box::default()), |trace| (trace.culprit, trace.args));
        let call = Call { goal, culprit, args: &args };
        let Some(span) = in_directive(m, call)? else { return Ok(false) };
        let Some(here) = place_here(m, span) else { return Ok(false) };
        let found = place_term(m, &here)?;
        Ok(m.unify(place, found)?)
    };
    /// Finds where the exception caught by `'$raised'(Ball)` was raised, in a clause that this goal called
    /// directly or indirectly. `Callers` are the clauses that led there, as a list of
    /// `'$caller'(Predicate, File, Line, Times, Goal)`.
    iso "$raised_place"(":goal", "-place", "-callers") = |m, [goal, place, callers]| {
        let Some(trace) = m.run.raising.traces.last.take() else { return Ok(false) };
        let Some(found) = origin(m, &trace, goal)? else {
            // The directive may show the place.
            m.run.raising.traces.last = Some(trace);
            return Ok(false);
        };
        let led = backtrace::of_exception(m, &trace, Some(&found))?;
        let mut terms = Vec::new();
        for caller in &led {
            terms.put(caller_term(m, caller)?)?;
        }
        let found = place_term(m, &found)?;
        Ok(m.unify(place, found)? && m.unify_items(callers, &terms)?)
    };
    /// Reports an error (`error`) or warning (`warning`) at a place of `'$load_place'/1`. `Ball` is the exception,
    /// the name of the warning, or `none`. `Callers` is the list from `'$raised_place'/3`.
    iso "$place_message"("+severity", "+text", "+place", "@term", "+callers") needs effect = always |m, [severity, text, place, ball, callers]| {
        let message = text_of(m, text)?.map_or_else(|| term_text(m, text), Ok)?;
        let Some(place) = place_of(m, place) else { return Ok(false) };
        let warning = severity == Cell::atom(atoms::WARNING);
        let severity = if warning { Severity::Warning } else { Severity::Error };
        let mut diagnostic = about_ball(m, severity, place, message, ball)?;
        diagnostic.callers = callers_of(m, callers)?;
        report(m, diagnostic)?;
    };
}
