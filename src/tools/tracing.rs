//! The output and the keys of the tracer.
//! Long because the commands and the output of the tracer share its state.

use crate::base::atom_table::{FastMap, Functor, atoms, functors};
use crate::base::growth::{Gather, Grow, GrowMap, GrowText, joined_by};
use crate::base::stop::Stop;
use crate::builtins::database::modules::indicator_arg;
use crate::builtins::linear::explain::plain;
use crate::builtins::streams::errors_io::Target;
use crate::code::instruction::{Op, decode, wide};
use crate::diagnose::backtrace::{caller_place, waiting};
use crate::diagnose::internal_predicates::exported_caller;
use crate::diagnose::origin::{calls, clauses_at, definition};
use crate::diagnose::similar::in_modules;
use crate::io::stream::Stream;
use crate::io::stream_table::{USER_ERROR, USER_INPUT, USER_OUTPUT};
use crate::machine::builtin::builtins;
use crate::machine::events::tracer::{
    ALL_PORTS, Command, Event, GoalPlace, Mode, Port, Spy, frame,
};
use crate::machine::frames::layout::{ChoiceKind, cp};
use crate::machine::frames::stubs;
use crate::machine::state::Machine;
use crate::machine::upper_layers::LayerState;
use crate::program::predicate::{Kind, PredId};
use crate::source::diagnostic::Location;
use crate::source::language::definitions;
use crate::source::permits;
use crate::source::term_texts::name_and_arity;
use crate::source::terminal::read_key;
use crate::source::waiting::{MAX_CALLERS, Waiting, caller_lines};
use crate::store::address::CodeAddr;
use crate::store::cell::{Cell, WORD};
use crate::store::heap::View;
use crate::store::raw;
use crate::text::lolli::writer::Form;
use crate::text::name_table::NameTable;
use crate::text::write_options::{Spacing, WriteOptions};
use crate::text::writer::beginning_with_names;

/// The maximum number of bytes of a goal that are shown.
const LONGEST_GOAL: usize = 4000;
/// The maximum number of predicates that are named as callers of another.
const MOST_CALLERS: usize = 4;
/// The last line of a list of goals that is cut short.
const AND_SO_ON: &str = "   and so on\n";
/// The maximum number of active goals that are shown.
const MOST_GOALS: usize = 30;

/// The places of goals that were shown, by the address of the instruction that calls them.
#[derive(Default)]
pub(super) struct Sites {
    generation: u64,
    known: FastMap<CodeAddr, Option<(String, usize)>>,
}

impl LayerState for Sites {}

/// Returns the file and the line of the goal that an instruction belongs to, if known.
fn site(m: &mut Machine, at: CodeAddr) -> Result<Option<(String, usize)>, Stop> {
    if at == CodeAddr::NONE {
        return Ok(None);
    }
    let generation = m.world.predicates.generation;
    let sites = m.world.layers.of::<Sites>();
    if sites.generation != generation {
        *sites = Sites {
            generation,
            ..Sites::default()
        };
    }
    if let Some(known) = sites.known.get(&at) {
        return Ok(known.clone());
    }
    let found = caller_place(m, at)?.map(|place| (place.file_name().to_owned(), place.line));
    m.world
        .layers
        .of::<Sites>()
        .known
        .put_entry(at, found.clone())?;
    Ok(found)
}

fn write_trace(m: &mut Machine, text: &str) {
    let target = Target::of(USER_ERROR);
    // A failure of the standard error output cannot be reported.
    let _ = m.write_text_to(target, text);
    if let Ok(stream) = m.world.host.streams.output(USER_ERROR) {
        let _ = stream.flush();
    }
}

/// Flushes the output of the program before the trace. Ends an incomplete line if the trace goes to a terminal.
fn end_output(m: &mut Machine) {
    let seen = m.world.host.streams.is_tty(USER_ERROR);
    let column = m.world.host.streams.get(USER_OUTPUT);
    let column = column.map_or(0, Stream::line_position);
    if let Ok(stream) = m.world.host.streams.output(USER_OUTPUT) {
        // An error here occurs again when the program writes.
        if seen && column > 0 {
            let _ = stream.put_str("\n");
        }
        let _ = stream.flush();
    }
}

/// The form in which goals are written.
#[derive(Copy, Clone, PartialEq, Eq)]
enum Style {
    Print,
    Write,
    Canonical,
}

/// Returns the text of an active goal.
fn goal_text(m: &mut Machine, goal: Cell, style: Style) -> Result<String, Stop> {
    let goal = m.frame_arg(goal, frame::GOAL);
    let (term, lolli) = unqualified(m, goal);
    if lolli && let Ok(text) = m.lolli_form_traced(term, Form::Goal) {
        return Ok(text);
    }
    let base = match style {
        Style::Print => WriteOptions::print(),
        Style::Write => WriteOptions::write(),
        Style::Canonical => WriteOptions {
            dotlists: Some(false),
            ..WriteOptions::write_canonical()
        },
    };
    let options = WriteOptions {
        max_depth: m.run.observers.tracer.depth,
        spacing: Spacing::NextArgument,
        priority: 999,
        ..base
    };
    let text = |m: &Machine, names: &NameTable<'_>| {
        beginning_with_names(&m.write_env()?, term, &options, names, LONGEST_GOAL)
    };
    // Only the shown variables need names: the goal may be much larger.
    let unnamed = NameTable::new(&m.store, &[])?.recording_unnamed();
    let shown = text(m, &unnamed)?;
    let met = unnamed.into_unnamed();
    if met.is_empty() {
        return Ok(shown);
    }
    let names = m.trace_names(&met);
    text(m, &NameTable::new(&m.store, &names?)?)
}

/// Removes a module that need not be shown from a goal. Also returns whether the goal is one of Lolli.
fn unqualified(m: &Machine, goal: Cell) -> (Cell, bool) {
    if let Some((functors::COLON, args)) = m.store.compound(goal)
        && let View::Atom(module) = m.store.view(m.store.arg(args, 0))
        && m.is_system_module(module)
    {
        return (m.store.arg(args, 1), false);
    }
    plain(m, goal)
}

/// Returns the line of a port, without its end.
fn line(m: &mut Machine, event: &Event, style: Style) -> Result<String, Stop> {
    let mark = if event.spied { " * " } else { "   " };
    let depth = m.frame_int(event.frame, frame::DEPTH);
    let port = event.port.name();
    let goal = goal_text(m, event.frame, style)?;
    let mut text = format!("{mark}{port}: ({depth}) {goal}");
    let at = m.frame_site(event.frame);
    if event.port == Port::Call
        && let Some((file, line)) = site(m, at)?
    {
        let file = file.rsplit('/').next().unwrap_or_default();
        text.put_str(&format!("  [{file}:{line}]"))?;
    }
    Ok(text)
}

/// Shows a port, and waits for a key if the port is leashed. The machine calls this hook.
pub(crate) fn trace_port(m: &mut Machine, event: &Event) -> Result<Command, Stop> {
    let leashed = m.run.observers.tracer.leash & event.port as u8 != 0;
    let terminal = m.world.host.streams.is_terminal(USER_INPUT);
    let asks = leashed && terminal && !m.only_shows(event.frame);
    end_output(m);
    if !asks {
        let text = line(m, event, Style::Print)?;
        write_trace(m, &format!("{text}\n"));
        return Ok(Command::Go);
    }
    let mut style = Style::Print;
    loop {
        let text = line(m, event, style)?;
        write_trace(m, &format!("{text} ? "));
        let key = m
            .while_waiting(|m| read_key(m, permits::stdin()))?
            .unwrap_or('\u{4}');
        match handle_key(m, event, key)? {
            KeyRequest::Do(command) => return Ok(command),
            KeyRequest::Again => {}
            KeyRequest::Write(wanted) => style = wanted,
        }
    }
}

/// The request of a key.
enum KeyRequest {
    Do(Command),
    /// Show the port again.
    Again,
    /// Show the port again, with the goal in another form.
    Write(Style),
}

/// The help text of the key `h`.
const KEYS: &str = "
SPACE RETURN c  creep: to the next port     s  skip: to the end of this goal
l  leap: to the next spy point              u  up: to the end of the goal that called it
f  fail: the goal fails                     r  retry: the goal is called again
i  ignore: the goal succeeds                n  no debugging: no more stops
g  goals that led here                      .  source line of this call
p  print  w  write  d  canonical            + <digit>  depth of terms (0 all)
*  spy point here  -  no spy point here     L  listing of the predicate
b  break: a session within                  a  abort: the query ends
e  exit: the process ends                   h ?  this help
";

fn handle_key(m: &mut Machine, event: &Event, key: char) -> Result<KeyRequest, Stop> {
    let depth = m.frame_int(event.frame, frame::DEPTH);
    let (name, mode, command) = match key {
        ' ' | '\n' | '\r' | 'c' => ("creep", Some(Mode::Creep), Command::Go),
        's' if matches!(event.port, Port::Call | Port::Redo) => {
            ("skip", Some(Mode::Skip(depth)), Command::Go)
        }
        's' => ("creep", Some(Mode::Creep), Command::Go),
        'u' => ("up", Some(Mode::Skip(depth - 1)), Command::Go),
        'l' => ("leap", Some(Mode::Leap), Command::Go),
        'n' => ("no debugging", Some(Mode::Off), Command::Go),
        'f' if event.port != Port::Exception => ("fail", Some(Mode::Creep), Command::Fail),
        'r' if event.may_retry => ("retry", Some(Mode::Creep), Command::Retry),
        'i' if event.port == Port::Call => ("ignore", Some(Mode::Creep), Command::Ignore),
        'a' | '\u{3}' | '\u{4}' => ("abort", None, Command::Abort),
        'e' => ("exit", None, Command::Halt),
        _ => return handle_inspection_key(m, event, key),
    };
    write_trace(m, &format!("{name}\n"));
    if let Some(mode) = mode {
        m.run.observers.tracer.mode = mode;
    }
    Ok(KeyRequest::Do(command))
}

/// Handles keys that do not continue or change the run.
fn handle_inspection_key(m: &mut Machine, event: &Event, key: char) -> Result<KeyRequest, Stop> {
    let id = PredId(m.frame_int(event.frame, frame::PREDICATE) as u32);
    let definition = m.definition(id);
    match key {
        'p' => return Ok(written(m, "print", Style::Print)),
        'w' => return Ok(written(m, "write", Style::Write)),
        'd' => return Ok(written(m, "canonical", Style::Canonical)),
        '0'..='9' => {
            m.run.observers.tracer.depth = key.to_digit(10).unwrap_or(0);
            write_trace(m, &format!("depth {key}\n"));
        }
        'g' => {
            write_trace(m, "goals\n");
            let text = goals_text(m, Some(event.frame), event.stand)?;
            write_trace(m, &text);
        }
        '*' | '+' => {
            let spied = &mut m.run.observers.tracer.spied;
            spied.put_entry(definition, Spy::Stop)?;
            write_trace(m, "spy point set\n");
        }
        '-' => {
            m.run.observers.tracer.spied.remove(&definition);
            write_trace(m, "spy point removed\n");
        }
        '.' => {
            let at = m.frame_site(event.frame);
            let place = caller_place(m, at)?;
            let text = place.map_or("no source is known\n".to_owned(), |place| place.marked());
            write_trace(m, &format!("source\n{text}"));
        }
        'f' | 'r' | 'i' => write_trace(m, "not possible at this port\n"),
        'L' if !event.may_run => write_trace(m, "not possible at this port\n"),
        'L' => {
            write_trace(m, "listing\n");
            list(m, definition);
        }
        'b' if event.may_break() && m.may_break() => {
            write_trace(m, "break\n");
            return Ok(KeyRequest::Do(Command::Break));
        }
        'b' if !event.may_run => write_trace(m, "not possible at this port\n"),
        'b' => {
            write_trace(m, "break\n");
            let goal = Cell::atom(m.world.symbols.intern("break")?);
            // The session has reported its errors.
            let _ = m.call_once(goal, atoms::USER);
        }
        'h' | '?' => write_trace(m, KEYS),
        _ => write_trace(m, "\nUnknown key (h for help)\n"),
    }
    Ok(KeyRequest::Again)
}

fn written(m: &mut Machine, name: &str, style: Style) -> KeyRequest {
    write_trace(m, &format!("{name}\n"));
    KeyRequest::Write(style)
}

/// Lists a predicate.
fn list(m: &mut Machine, id: PredId) {
    let (module, functor) = m.world.predicates.home(id);
    if m.store.reserve(16).is_err() {
        return;
    }
    let indicator = m.indicator(functor);
    let parts = [Cell::atom(module), indicator];
    let qualified = m.store.new_struct(functors::COLON, &parts);
    let goal = m.store.new_struct(functors::LISTING1, &[qualified]);
    // The listing itself reports a predicate that cannot be listed.
    let _ = m.call_once(goal, atoms::USER);
}

/// Returns the active goals, a line for each, the innermost first. These are the given traced goal, and the traced goals
/// and clauses that wait for it. If no goal is traced, returns the clauses in the form of errors.
pub(crate) fn goals_text(
    m: &mut Machine,
    innermost: Option<Cell>,
    stand: GoalPlace,
) -> Result<String, Stop> {
    if innermost.is_none() && m.traced_goal().is_none() {
        let lines = caller_lines(&present(m)?).into_iter();
        return Ok(lines.map(|line| format!("  {line}\n")).collect_bounded());
    }
    let (mut text, mut lines) = (String::new(), 0);
    if let Some(goal) = innermost {
        text.put_str(&goal_line(m, goal)?)?;
        lines += 1;
    }
    let (mut depth, mut next) = (m.depth_at(stand, i64::MAX), Some(stand));
    while let Some(stand) = next.take() {
        let (callers, traced) = m.callers_to_traced(stand);
        let found = waiting(m, &callers, &[], false)?;
        for (index, waiting) in found.iter().enumerate() {
            if lines == MOST_GOALS || index == MAX_CALLERS {
                text.put_str(AND_SO_ON)?;
                break;
            }
            depth -= 1;
            text.put_str(&format!("   ({depth}) {}\n", waiting.text()))?;
            depth -= i64::from(waiting.times) - 1;
            lines += 1;
        }
        if let Some((goal, stand)) = traced {
            if lines < MOST_GOALS {
                text.put_str(&goal_line(m, goal)?)?;
                depth = m.frame_int(goal, frame::DEPTH);
                lines += 1;
                next = Some(stand);
            } else if !text.ends_with(AND_SO_ON) {
                text.put_str(AND_SO_ON)?;
            }
        }
    }
    Ok(text)
}

/// Returns the line of a traced goal in the list of active goals.
fn goal_line(m: &mut Machine, goal: Cell) -> Result<String, Stop> {
    let depth = m.frame_int(goal, frame::DEPTH);
    let shown = goal_text(m, goal, Style::Print)?;
    let at = m.frame_site(goal);
    let place = match site(m, at)? {
        Some((file, line)) => format!("  [{file}:{line}]"),
        None => String::new(),
    };
    Ok(format!("   ({depth}) {shown}{place}\n"))
}

/// Returns the clauses that wait for the present goal.
pub(crate) fn present(m: &mut Machine) -> Result<Vec<Waiting>, Stop> {
    let (callers, goals) = m.present_callers();
    waiting(m, &callers, &goals, false)
}

/// Returns the defined predicates that a name with or without arity means. If `user` has no such predicate, returns
/// those of modules.
fn spied_by(
    m: &mut Machine,
    spec: Cell,
) -> Result<Vec<PredId>, crate::machine::control::throw::Throw> {
    let (plain, module) = m.strip_module(spec, atoms::USER);
    let mut found = Vec::new();
    // Formulas that clauses of Lolli define have no predicate of their own.
    let (assumed, module) = match module {
        atoms::USER | atoms::LOLLI => (definitions(m)?.into_keys().gather()?, atoms::USER),
        _ => (Vec::new(), module),
    };
    match m.store.view(plain) {
        View::Atom(name) => {
            let named =
                |id: &PredId| m.world.symbols.name(m.world.predicates.get(*id).functor) == name;
            found.put_all(assumed.into_iter().filter(named))?;
            for id in m.world.predicates.ids() {
                let predicate = m.world.predicates.get(id);
                if m.world.symbols.name(predicate.functor) == name
                    && (predicate.module == module || predicate.module == atoms::LOLLI)
                    && predicate.kind != Kind::Undefined
                    && !found.contains(&m.definition(id))
                {
                    found.put(m.definition(id))?;
                }
            }
            if found.is_empty() && module == atoms::USER {
                found = in_modules(m, name, None)?;
            }
        }
        _ => {
            let functor = indicator_arg(m, plain)?;
            let about = |id: &PredId| m.world.predicates.get(*id).functor == functor;
            found.put_all(assumed.into_iter().filter(about))?;
            let id = m.intern_predicate(module, functor)?;
            let _ = m.find_definition(id)?;
            m.entries = m.world.predicates.entries();
            let id = m.definition(id);
            if m.world.predicates.get(id).kind != Kind::Undefined && !found.contains(&id) {
                found.put(id)?;
            } else if found.is_empty() && module == atoms::USER {
                found = in_modules(m, m.world.symbols.name(functor), Some(functor.arity()))?;
            }
        }
    }
    Ok(found)
}

/// Returns `Name/Arity` of a predicate, with its module if that is neither `user` nor a module of the system.
fn indicator_of(m: &mut Machine, id: PredId) -> Cell {
    let (module, functor) = m.world.predicates.home(id);
    let indicator = m.indicator(functor);
    if module == atoms::USER || m.is_system_module(module) {
        return indicator;
    }
    m.store
        .new_struct(functors::COLON, &[Cell::atom(module), indicator])
}

fn ports_list(m: &mut Machine, set: u8) -> Result<Cell, Stop> {
    let mut names = Vec::new();
    for &port in Port::ALL {
        if set & port as u8 != 0 {
            let mut name = port.name().to_owned();
            name.make_ascii_lowercase();
            names.put(Cell::atom(m.world.symbols.intern_passing(&name)?))?;
        }
    }
    m.store.list_of(&names)
}

builtins! { TRACING =
    /// Gives the mode of the tracer: `off`, `leap` or `creep`.
    iso "$trace_mode"("-atom") = |m, [mode]| {
        let name = match m.run.observers.tracer.mode {
            Mode::Off => "off",
            Mode::Leap => "leap",
            Mode::Creep | Mode::Skip(_) => "creep",
        };
        Ok(m.unify_text(mode, name)?)
    };
    /// Sets (`stop`, `show`) or removes (`none`) spy points at the predicates that `Spec` means; `List`
    /// names them.
    iso "$spy"("+spec", "+atom", "-list") needs effect = |m, [spec, how, list]| {
        let how = m.atom_arg(how)?;
        let found = spied_by(m, spec)?;
        let how = m.world.symbols.text(how).to_owned();
        m.store.reserve(16 * found.len() + 16)?;
        let mut names = Vec::new();
        for id in found {
            match how.as_str() {
                "stop" => m.run.observers.tracer.spied.put_entry(id, Spy::Stop)?,
                "show" => m.run.observers.tracer.spied.put_entry(id, Spy::Show)?,
                _ => m.run.observers.tracer.spied.remove(&id),
            };
            names.put(indicator_of(m, id))?;
        }
        m.unify_items(list, &names)
    };
    /// Removes all spy points.
    iso "$nospyall"() needs effect = always |m, []| m.run.observers.tracer.spied.clear();
    /// Gives the predicates with spy points.
    iso "$spied"("-list") = |m, [list]| {
        let mut ids: Vec<PredId> = m.run.observers.tracer.spied.keys().copied().gather()?;
        ids.sort_unstable();
        m.store.reserve(16 * ids.len() + 16)?;
        let names: Vec<Cell> = ids.into_iter().map(|id| indicator_of(m, id)).gather()?;
        m.unify_items(list, &names)
    };
    /// Gives the ports at which the tracer waits for a key, and the ports that it shows, as lists of names.
    iso "$trace_ports"("-list", "-list") = |m, [asked, visible]| {
        let leash = ports_list(m, m.run.observers.tracer.leash)?;
        let shown = ports_list(m, m.run.observers.tracer.visible)?;
        Ok(m.unify(asked, leash)? && m.unify(visible, shown)?)
    };
    /// True if the host offers sessions within queries, and the present query can wait for one.
    iso "$may_break"() = |m, []| Ok(m.may_break());

    /// True if the query can wait for a prompt within it.
    iso "$may_prompt"() = |m, []| Ok(m.may_prompt());
    /// Adds (`1`) or removes (`0`) a port at which the tracer waits for a key (`leash`), or a port that it shows. `all` means
    /// all ports.
    iso "$set_trace_port"("+atom", "+atom", "+integer") needs effect = always |m, [which, port, add]| {
        let (which, port) = (m.atom_arg(which)?, m.atom_arg(port)?);
        let name = m.world.symbols.text(port).to_owned();
        let bits = match Port::ALL.iter().find(|port| port.name().eq_ignore_ascii_case(&name)) {
            Some(&port) => port as u8,
            None if name == "all" => ALL_PORTS,
            None => return Ok(false),
        };
        let leash = m.world.symbols.text(which) == "leash";
        let set = if leash { &mut m.run.observers.tracer.leash } else { &mut m.run.observers.tracer.visible };
        if add == Cell::int(0) { *set &= !bits } else { *set |= bits }
    };
    /// Gives at most `Most` active goals as strings, the innermost first.
    iso "$backtrace"("+integer", "-list") needs history = |m, [most, lines]| {
        let most = m.size_arg(most)?;
        let mut strings = Vec::new();
        for line in caller_lines(&present(m)?).into_iter().take(most) {
            strings.put(m.store.new_string(&line)?)?;
        }
        m.unify_items(lines, &strings)
    };
}

impl Location {
    /// Returns the place and its line with the place marked.
    fn marked(&self) -> String {
        let shown = self.place_text();
        shown
            .strip_prefix("raised at ")
            .unwrap_or(&shown)
            .to_owned()
    }
}

/// Returns the public predicate that contains this internal predicate: `'$repeat'/0` is a part of `repeat/0`.
pub(crate) fn public_text(m: &Machine, functor: Functor) -> Result<String, Stop> {
    let name = m.world.symbols.name_text(functor);
    let arity = functor.arity();
    let public = name
        .strip_prefix('$')
        .and_then(|name| m.world.symbols.find(name));
    match public.filter(|name| m.world.symbols.find_functor(*name, arity).is_some()) {
        Some(public) => Ok(format!("{}/{arity}", m.world.symbols.text(public))),
        None => name_and_arity(m, exported_caller(m, functor)?.unwrap_or(functor)),
    }
}

// ---- choices ------------------------------------------------------------------------------------

/// Returns the origin of the newest choice point of a query for `goal`, in words.
pub(crate) fn choice_text(m: &mut Machine, goal: Cell) -> Result<Option<String>, Stop> {
    let mut b = m.choice;
    // Choice points of the tracer stand for others.
    while b.get(cp::ALT) == stubs::watched_redo() {
        b = b.get(cp::PREV);
    }
    let alternative = b.get(cp::ALT);
    if m.choice_kind(b) == ChoiceKind::Dynamic {
        let arity = m.choice_args(b) - 3;
        let id = PredId(m.choice_arg(b, arity).int_value() as u32);
        let position = m.choice_arg(b, arity + 1).int_value();
        let next = m.world.predicates.get(id).clauses.get(position);
        let next = next.map(|clause| (clause.file(), clause.line()));
        return Ok(Some(clause_text(m, id, next)?));
    }
    let word = raw::word(alternative);
    let Some(op) = decode(word) else {
        return Ok(None);
    };
    match op {
        Op::Retry | Op::Trust => {
            let next = raw::code_at(alternative + WORD);
            match clauses_at(m, &[next])?.pop().flatten() {
                Some((id, clause)) => {
                    let place = (clause.file(), clause.line());
                    Ok(Some(clause_text(m, id, Some(place))?))
                }
                None => choice_owner_text(m, alternative, goal),
            }
        }
        Op::NondetRetry => {
            let functor = m.builtin_functor(wide(word))?;
            Ok(Some(format!(
                "{} may have more solutions",
                name_and_arity(m, functor)?
            )))
        }
        Op::BetweenRetry | Op::BetweenNext => {
            Ok(Some("between/3 may have more solutions".to_owned()))
        }
        _ => match clauses_at(m, &[alternative])?.pop().flatten() {
            Some((id, clause)) => {
                let name = name_and_arity(m, m.world.predicates.get(id).functor)?;
                let place = place_text(m, (clause.file(), clause.line()));
                Ok(Some(format!(
                    "another branch of the clause of {name}{place}"
                )))
            }
            None => choice_owner_text(m, alternative, goal),
        },
    }
}

/// Returns the next clause of a predicate, in words.
fn clause_text(m: &Machine, id: PredId, next: Option<(u32, u32)>) -> Result<String, Stop> {
    let name = name_and_arity(m, m.world.predicates.get(id).functor)?;
    let place = next.map_or(String::new(), |place| place_text(m, place));
    Ok(format!("{name} has another clause{place}"))
}

fn place_text(m: &Machine, (file, line): (u32, u32)) -> String {
    match file {
        0 => String::new(),
        _ => format!(" at {}:{line}", m.world.files.get(file).name),
    }
}

/// Returns the predicate of a choice point, found by the code that selects its clauses.
fn choice_owner_text(m: &Machine, at: CodeAddr, goal: Cell) -> Result<Option<String>, Stop> {
    let Some(id) = m.world.predicates.ids().find(|&id| {
        let predicate = m.world.predicates.get(id);
        predicate.index.iter().any(|code| {
            let start = CodeAddr::of(code);
            (start..start + code.len() as u64 * WORD).contains(&at)
        }) || predicate
            .clauses
            .iter()
            .any(|(_, clause)| clause.addresses().contains(&at))
    }) else {
        return Ok(None);
    };
    if is_control_predicate(m, id) {
        return Ok(Some(
            "a disjunction of the query has another branch".to_owned(),
        ));
    }
    let mut known = exported_callers(m, id)?;
    if known.len() > 1 {
        let called = called_by(m, goal)?;
        if known.iter().any(|id| called.contains(id)) {
            known.retain(|id| called.contains(id));
        }
    }
    let names = known.into_iter();
    let names = names.map(|id| name_and_arity(m, m.world.predicates.get(id).functor));
    let names: Vec<String> = names.try_gather()?;
    Ok(Some(format!(
        "{} may have more solutions",
        joined_by(&names, " or ")?
    )))
}

/// Returns whether the predicate runs `;` of bodies that are called.
fn is_control_predicate(m: &Machine, id: PredId) -> bool {
    let system = &m.world.foundation.system;
    [
        system.disjunction,
        system.if_then_else,
        system.soft_if_then_else,
    ]
    .contains(&id)
}

/// The maximum number of predicates that a query may call and that are examined.
const MOST_CALLED: usize = 256;

/// Returns the predicates that a query for `goal` may call, as far as its text and the clauses of the program show.
fn called_by(m: &Machine, goal: Cell) -> Result<Vec<PredId>, Stop> {
    let (mut called, mut terms, mut module) = (Vec::new(), vec![goal], atoms::USER);
    while let Some(term) = terms.pop()
        && called.len() + terms.len() < MOST_CALLED
    {
        let functor = match m.store.view(term) {
            View::Atom(name) => m.world.symbols.find_functor(name, 0),
            _ => match m.store.compound(term) {
                Some((functor, args)) => {
                    terms.put_all(m.store.args(functor, args))?;
                    Some(functor)
                }
                None => None,
            },
        };
        if let Some((functors::COLON, args)) = m.store.compound(term)
            && let View::Atom(of) = m.store.view(m.store.arg(args, 0))
        {
            module = of;
        }
        if let Some(functor) = functor {
            called.put_all(m.visible_definition(module, functor)?)?;
        }
    }
    let mut at = 0;
    while let Some(&id) = called.get(at)
        && called.len() < MOST_CALLED
    {
        at += 1;
        if m.is_system_module(m.world.predicates.get(id).module) {
            continue;
        }
        for (_, clause) in m.world.predicates.get(id).clauses.iter() {
            let calls = calls(clause)?.into_iter();
            for callee in calls.map(|call| definition(m, call.1)) {
                if !called.contains(&callee) {
                    called.put(callee)?;
                }
            }
        }
    }
    Ok(called)
}

/// Returns whether a clause of a predicate calls this one.
fn has_call(m: &Machine, caller: PredId, wanted: PredId) -> Result<bool, Stop> {
    for (_, clause) in m.world.predicates.get(caller).clauses.iter() {
        if calls(clause)?.iter().any(|call| call.1 == wanted) {
            return Ok(true);
        }
    }
    Ok(false)
}

/// Returns the exported predicates of a library that lead to this predicate; the program called one of them.
fn exported_callers(m: &Machine, id: PredId) -> Result<Vec<PredId>, Stop> {
    let Some(module) = m.world.modules.find(m.world.predicates.get(id).module) else {
        return Ok(vec![id]);
    };
    if !module.system || module.exports.contains(&m.world.predicates.get(id).functor) {
        return Ok(vec![id]);
    }
    let of_module = |id: &PredId| {
        let of = m.world.modules.find(m.world.predicates.get(*id).module);
        of.is_some_and(|of| std::ptr::eq(of, module))
    };
    let all = m.world.predicates.ids();
    let all: Vec<PredId> = all.filter(of_module).gather()?;
    let (mut known, mut reached, mut at) = (Vec::new(), vec![id], 0);
    while let Some(&wanted) = reached.get(at) {
        at += 1;
        for &caller in &all {
            if reached.contains(&caller) || !has_call(m, caller, wanted)? {
                continue;
            }
            let predicate = m.world.predicates.get(caller);
            reached.put(caller)?;
            if module.exports.contains(&predicate.functor) {
                known.put(caller)?;
            }
        }
        // Callers of exported predicates do not matter.
        while reached.get(at).is_some_and(|next| known.contains(next)) {
            at += 1;
        }
    }
    match known.len() {
        1..=MOST_CALLERS => Ok(known),
        _ => Ok(vec![id]),
    }
}
