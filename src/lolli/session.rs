//! Sessions of Lolli: the next query, its answers, what is wanted after an answer. The loop is Prolog
//! text, `prelude/linear/lolli_session.pl`. Long because reading, answering and stopping share the present query.

use super::origin::query_place;
use super::query::{bindings_list, check_query, read_lolli};
use crate::base::atom_table::{Functor, atoms, functors};
use crate::base::growth::{Gather, Grow, GrowText, text_of};
use crate::base::needs::{Clock, Permit, Stdin};
use crate::base::panics::Entrusted;
use crate::base::source::{Span, line_column};
use crate::base::stop::Stop;
use crate::base::warning::Warning;
use crate::builtins::linear::lolli_text::{answer_text, named_variables};
use crate::builtins::streams::errors_io::Target;
use crate::builtins::system::engine::run_in_shell;
use crate::builtins::term_io::clause_reader::ReadError;
use crate::builtins::term_io::term_text::write_stopped;
use crate::diagnose::origin::origin;
use crate::diagnose::similar::meant;
use crate::io::clock::time_since;
use crate::io::line_editor::{Line, LineEditor, Wish};
use crate::io::stream_table::{USER_ERROR, USER_INPUT, USER_OUTPUT};
use crate::machine::budget::limits::{Amount, Budget};
use crate::machine::builtin::{Step, builtins};
use crate::machine::control::throw::Throw;
use crate::machine::events::trace::Trace;
use crate::machine::state::Machine;
use crate::source::diagnostic::{Diagnostic, Location, Severity};
use crate::source::report::text_shown;
use crate::source::term_texts::name_and_arity;
use crate::source::terminal::{output_room, read_key};
use crate::store::cell::Cell;
use crate::store::heap::View;
use crate::text::lolli::names::SQUARE;
use crate::text::lolli::reader::{QueryEnd, Rest};
use crate::text::syntax_error::SyntaxError;
use crate::tools::tracing::{goals_text, public_text};
use std::time::Instant;

/// The prompts for a query, and for its further lines.
const PROMPT: &str = "?- ";
const CONTINUATION: &str = "|    ";

/// The name of the input in messages.
const USER_INPUT_NAME: &str = "user_input";

/// What helps who writes `[…]` as a goal.
const LISTS: &str = "a list is `a :: b :: nil`; the module `name` is entered by `load name.`";

/// What is kept of the prompt.
#[derive(Default)]
pub(crate) struct Session {
    /// Number of the last variable of a query: each has one of its own.
    stamps: u64,
    /// The line editor of the host, if it has one.
    pub(crate) editor: Option<Entrusted<Box<dyn LineEditor>>>,
    /// The line where the present query of a session begins, and its text.
    pub(crate) asked: Option<(usize, String)>,
    /// How many queries wait for the present session, which its prompt shows.
    pub(crate) waiting: usize,
    /// What the host allows each query of the session.
    pub(crate) allowed: Budget,
    /// The beginning of the clock of sessions that tell what each query takes.
    pub(crate) times: Option<Instant>,
}

/// What the input holds next.
enum Next {
    End,
    /// Nothing but the interrupt key was typed.
    Interrupt,
    /// A query with its variables and its text, `Line-Text`.
    Query(Cell, Cell, Cell),
    /// Something that is none; it was told of.
    Wrong,
}

/// Reads a line of a stream with this prompt; false at its end.
fn line(m: &mut Machine, target: Target, prompt: &str, text: &mut String) -> Result<bool, Throw> {
    let old = m.world.host.streams.prompt().map(str::to_owned);
    m.world.host.streams.set_prompt(Some(prompt.to_owned()));
    let result = m.gather_from(target, |input, room| input.read_line_into(text, room));
    m.world.host.streams.set_prompt(old);
    result
}

/// What came of asking for a line.
enum Taken {
    /// It was appended.
    Line,
    /// The person gives up what was typed.
    GivenUp,
    /// The input has ended.
    End,
}

/// Appends the next line of a stream.
fn stream_line(
    m: &mut Machine,
    target: Target,
    prompt: &str,
    text: &mut String,
) -> Result<Taken, Throw> {
    Ok(match line(m, target, prompt, text)? {
        true => Taken::Line,
        false => Taken::End,
    })
}

/// Is a person at the terminal, with the line editor of the host?
fn is_edited(m: &mut Machine) -> bool {
    is_terminal(m) && m.world.layers.of::<Session>().editor.is_some()
}

fn is_terminal(m: &Machine) -> bool {
    m.world
        .host
        .streams
        .get(USER_INPUT)
        .is_some_and(|stream| stream.is_tty())
}

/// Appends the next line of a query.
fn query_line(
    m: &mut Machine,
    target: Target,
    prompt: &str,
    text: &mut String,
) -> Result<Taken, Throw> {
    // What cannot be written now is told of when more is written.
    let _ = m.world.host.streams.flush_all();
    match &mut m.world.layers.of::<Session>().editor {
        Some(editor) => match editor.get().line(prompt) {
            Line::Text(typed) => {
                text.put_str(&typed)?;
                text.put('\n')?;
                Ok(Taken::Line)
            }
            Line::GivenUp => {
                let watch = &m.store.events.watch;
                if !watch.halt_wanted() {
                    watch.take_interrupt();
                }
                Ok(Taken::GivenUp)
            }
            Line::End => Ok(Taken::End),
        },
        None => stream_line(m, target, prompt, text),
    }
}

/// The line of a stream that comes next, from 1.
fn line_number(m: &Machine, target: Target) -> usize {
    let position = m
        .world
        .host
        .streams
        .get(target.id)
        .map(|stream| stream.position().line);
    position.map_or(1, |line| usize::try_from(line).unwrap_or(1))
}

/// The name of a stream in messages: that of its file, or its alias.
fn stream_name(m: &Machine, target: Target) -> String {
    let stream = m.world.host.streams.get(target.id);
    let file = stream.and_then(|stream| stream.file_name.as_deref());
    let alias = stream.and_then(|stream| stream.aliases().first());
    match (file, alias) {
        (Some(file), _) => file.to_owned(),
        (None, Some(&alias)) => m.world.symbols.text(alias).to_owned(),
        (None, None) => "input".to_owned(),
    }
}

/// What reading a term came to.
enum Read {
    /// The end of the stream.
    End,
    /// Nothing was typed, and that is given up.
    GivenUp,
    /// A term and its named variables, its text, and the line where that begins.
    Term(Cell, Vec<(String, Cell)>, String, usize),
    /// The text is wrong: the whole, and the line where it begins.
    Wrong(Box<(SyntaxError, String, usize)>),
}

/// Reads the next term of a stream, and leaves out the rest of its last line.
fn read_term(
    m: &mut Machine,
    target: Target,
    prompts: [&str; 2],
    edited: bool,
) -> Result<Read, Throw> {
    let mut text = String::new();
    let name = stream_name(m, target);
    let mut begin = line_number(m, target);
    let next = if edited { query_line } else { stream_line };
    loop {
        let prompt = prompts[usize::from(!text.is_empty())];
        let more = match next(m, target, prompt, &mut text)? {
            Taken::Line => true,
            Taken::End => false,
            Taken::GivenUp if text.is_empty() => return Ok(Read::GivenUp),
            Taken::GivenUp => {
                text.clear();
                continue;
            }
        };
        if more && target.id == USER_INPUT && text.trim_end() == ";" {
            // A wish for more answers than there are.
            text.clear();
            begin = line_number(m, target);
            continue;
        }
        match read_lolli(m, &text, &mut 0, Rest::OfLine, (&name, begin)) {
            Ok(None) if more => {
                text.clear();
                begin = line_number(m, target);
            }
            Ok(None) => return Ok(Read::End),
            Ok(Some((_, QueryEnd::Text))) if more => {}
            Ok(Some((query, _))) => {
                if edited {
                    remember(m, &text);
                }
                return Ok(Read::Term(query.goal, query.variables, text, begin));
            }
            Err(ReadError::Throw(throw)) => return Err(throw),
            Err(ReadError::Syntax(error)) if more && error.is_unfinished() => {}
            Err(ReadError::Syntax(error)) => {
                if edited {
                    remember(m, &text);
                }
                return Ok(Read::Wrong(Box::new((error, text, begin))));
            }
        }
    }
}

/// Keeps a query in the history of the line editor.
fn remember(m: &mut Machine, query: &str) {
    if let Some(editor) = &mut m.world.layers.of::<Session>().editor {
        editor.get().remember(query.trim());
    }
}

/// Reads the next query of the input.
fn next_query(m: &mut Machine) -> Result<Next, Throw> {
    let input = user_input();
    let edited = is_edited(m);
    let prompt = match m.world.layers.of::<Session>().waiting {
        0 => PROMPT.to_owned(),
        level => format!("[{level}] {PROMPT}"),
    };
    let prompts = [prompt.as_str(), CONTINUATION];
    let read = m.while_waiting(|m| read_term(m, input, prompts, edited))??;
    let (goal, variables, text, begin) = match read {
        Read::End => return Ok(Next::End),
        Read::GivenUp => return Ok(Next::Interrupt),
        Read::Term(goal, ..) if goal == Cell::atom(atoms::END_OF_FILE) => return Ok(Next::End),
        Read::Term(goal, variables, text, begin) => (goal, variables, text, begin),
        Read::Wrong(wrong) => {
            let (error, text, begin) = *wrong;
            let line = begin + line_column(&text, error.span.start as usize).0 - 1;
            let message = format!("syntax error: {}", error.message());
            let name = USER_INPUT_NAME;
            let place = (error.span, line);
            let told = Diagnostic::new(Severity::Error, name, &text, place, message, error.hint());
            let text = text_shown(m, &told.of_syntax(error.name()));
            tell(m, &text);
            return Ok(Next::Wrong);
        }
    };
    let names = stamped(m, variables)?;
    m.world.layers.of::<Session>().asked = Some((begin, text.clone()));
    let text = m.store.new_string(&text)?;
    m.store.reserve(8)?;
    let begin = Cell::int(i64::try_from(begin).unwrap_or(1));
    let asked = m.store.new_struct(functors::MINUS2, &[begin, text]);
    Ok(Next::Query(goal, names, asked))
}

/// The list of `Name = Variable`, each name with a number of its own.
fn stamped(m: &mut Machine, variables: Vec<(String, Cell)>) -> Result<Cell, Throw> {
    let stamps = &mut m.world.layers.of::<Session>().stamps;
    let first = *stamps + 1;
    *stamps += variables.len() as u64;
    let last = *stamps;
    let named: Vec<(String, Cell)> = variables
        .into_iter()
        .zip((first..=last).rev())
        .map(|((name, variable), stamp)| (format!("{name}_{stamp}"), variable))
        .gather()?;
    bindings_list(m, &named)
}

fn user_input() -> Target {
    Target {
        id: USER_INPUT,
        named: Some(Cell::atom(atoms::USER_INPUT)),
    }
}

/// Writes a message to the standard error output, behind all that was written before.
pub(super) fn tell(m: &mut Machine, text: &str) {
    let column = m
        .world
        .host
        .streams
        .get(USER_OUTPUT)
        .map_or(0, |out| out.line_position());
    // Nobody can be told that the standard error output fails.
    if let Ok(output) = m.world.host.streams.output(USER_OUTPUT) {
        if column > 0 {
            let _ = output.put_str("\n");
        }
        let _ = output.flush();
    }
    if let Ok(stream) = m.world.host.streams.output(USER_ERROR) {
        let _ = stream.put_str(text);
        let _ = stream.flush();
    }
}

/// Writes to the standard output at once.
fn say(m: &mut Machine, text: &str) -> Result<bool, Throw> {
    let target = Target {
        id: USER_OUTPUT,
        named: Some(Cell::atom(atoms::USER_OUTPUT)),
    };
    m.write_to(target, |output| {
        output.put_str(text)?;
        output.flush()
    })?;
    Ok(true)
}

/// How many further answers are wanted? The next line says that one is if it begins with `;`; where there is
/// a line editor, a key says how many. Any other line says none. Who reads from a file need not say it: there only an empty line, or
/// one of a single word, is an answer, any other the beginning of the next query.
fn wish(m: &mut Machine, stdin: &Permit<Stdin>, names: Cell) -> Result<u64, Throw> {
    let input = user_input();
    if is_edited(m) {
        return wish_by_key(m, stdin, names);
    }
    let tty = is_terminal(m);
    if !tty {
        let next = m.gather_from(input, |input, allowance| {
            loop {
                let text = input.buffered_text()?;
                if let Some(end) = text.find('\n') {
                    return Ok(text_of(&text[..end])?);
                }
                if !input.fill_more(allowance)? {
                    return Ok(text_of(input.buffered_text()?)?);
                }
            }
        })?;
        let word = next.trim().chars().all(char::is_alphanumeric);
        if !word && !next.starts_with(';') {
            say(m, "\n")?;
            return Ok(0);
        }
    }
    let mut text = String::new();
    line(m, input, "", &mut text)?;
    let more = text.starts_with(';');
    if !tty {
        // What a terminal shows as it is typed.
        say(m, if more { ";\n" } else { "\n" })?;
    }
    Ok(u64::from(more))
}

/// How many further answers does the person at the terminal want? `names` are those of the variables of the answer.
fn wish_by_key(m: &mut Machine, stdin: &Permit<Stdin>, names: Cell) -> Result<u64, Throw> {
    say(m, " ")?;
    let room = output_room(m);
    let editor = &mut m.world.layers.of::<Session>().editor;
    let hint = editor.as_mut().and_then(|editor| editor.get().hint(room));
    if let Some([shown, _]) = &hint {
        say(m, shown)?;
    }
    let mut key = read_key(m, stdin);
    if let Some([_, gone]) = &hint {
        say(m, gone)?;
    }
    loop {
        let editor = &mut m.world.layers.of::<Session>().editor;
        match (editor, key) {
            (Some(editor), Some(typed)) => match editor.get().wish(typed) {
                Wish::More(wanted) => {
                    end_answer(m, ";\n")?;
                    return Ok(wanted);
                }
                Wish::Again => {
                    say(m, "\n")?;
                    say_answer(m, names)?;
                    say(m, " ")?;
                }
                Wish::Told(text) => {
                    say(m, &text)?;
                }
                Wish::Stop => break,
            },
            _ => break,
        }
        key = read_key(m, stdin);
    }
    end_answer(m, "\n")?;
    Ok(0)
}

/// Writes what ends an answer, unless a line that was typed has ended it.
fn end_answer(m: &mut Machine, text: &str) -> Result<bool, Throw> {
    let stream = m.world.host.streams.get(USER_OUTPUT);
    match stream.is_some_and(|output| output.line_position() > 0) {
        true => say(m, text),
        false => Ok(true),
    }
}

/// Writes the answer for the variables in a list of `Name = Variable`.
fn say_answer(m: &mut Machine, names: Cell) -> Result<bool, Throw> {
    let names = named_variables(m, names);
    let text = answer_text(m, &names?).map_err(write_stopped)?;
    say(m, &text)
}

/// A goal in the text of a query that begins in this line, or all of it.
pub(super) fn place_in_query(
    m: &mut Machine,
    line: usize,
    text: &str,
    culprit: Option<Functor>,
) -> Result<Location, Stop> {
    let goal = query_place(m, (USER_INPUT_NAME, line, text), culprit)?;
    Ok(goal.unwrap_or_else(|| {
        let query = text.trim_end();
        let end = query.strip_suffix('.').unwrap_or(query).trim_end().len();
        let start = text.len() - text.trim_start().len();
        let begin = line + text[..start].matches('\n').count();
        let span = Span {
            start: start as u32,
            end: end as u32,
        };
        Location::new(USER_INPUT_NAME, text, span, begin)
    }))
}

/// The global variable that has the goal of Lolli that is called without a session.
const GOAL: &str = "$lolli_goal";

/// Tells that a goal fails because nothing defines its predicate: the hook of the machine.
pub(crate) fn tell_undefined(m: &mut Machine, functor: Functor, trace: &Trace) -> Result<(), Stop> {
    if !m.world.flags.warnings.wants(Warning::Undefined) {
        return Ok(());
    }
    let asked = m.world.layers.of::<Session>().asked.clone();
    let goal = match &asked {
        Some((line, text)) => {
            let place = (USER_INPUT_NAME, *line);
            let read = read_lolli(m, text, &mut 0, Rest::OfLine, place);
            read.ok().flatten().map(|(query, _)| query.goal)
        }
        None => {
            let name = m.world.symbols.intern(GOAL)?;
            m.local_global(name)
        }
    };
    let goal = goal.filter(|_| m.store.reserve(4).is_ok());
    let goal = goal.map_or(Cell::atom(atoms::TRUE), |goal| {
        let parts = [Cell::atom(atoms::LOLLI), goal];
        m.store.new_struct(functors::COLON, &parts)
    });
    let place = match (origin(m, trace, goal)?, asked) {
        (None, Some((line, text))) => Some(place_in_query(m, line, &text, trace.culprit)?),
        (place, _) => place,
    };
    let name = name_and_arity(m, functor)?;
    let message = format!(
        "{name} fails: no clause, assumption or Prolog predicate has this name and number of arguments"
    );
    let arity = i64::try_from(functor.arity()).ok();
    let hint = match m.world.symbols.text(m.world.symbols.name(functor)) {
        SQUARE => Some(LISTS.to_owned()),
        _ => meant(m, atoms::LOLLI, m.world.symbols.name(functor), arity)?,
    };
    let told = match place {
        Some(place) => Diagnostic::at(Severity::Warning, place, message, hint),
        None => Diagnostic {
            hint,
            ..Diagnostic::of_text(Severity::Warning, message)
        },
    };
    let text = text_shown(m, &told.of_warning(Warning::Undefined));
    tell(m, &text);
    Ok(())
}

/// What the clock of a session shows that tells what queries take: nanoseconds in which nobody was waited for,
/// and inferences.
fn clock_now(m: &mut Machine, clock: &Permit<Clock>) -> Option<(i64, i64)> {
    let begin = m.world.layers.of::<Session>().times?;
    let time = time_since(clock, begin).saturating_sub(m.time_waited());
    let time = i64::try_from(time.as_nanos()).ok()?;
    Some((time, i64::try_from(m.inferences()).ok()?))
}

/// The predicate that the query was about to call when it was interrupted.
fn stopped_at(m: &Machine) -> Result<String, Stop> {
    match m.run.pausing.held {
        Some(functor) => public_text(m, functor),
        None => Ok(String::new()),
    }
}

/// Shows where the query is that was interrupted; gives what the person wants done with it.
fn ask_stopped(m: &mut Machine, stdin: &Permit<Stdin>) -> Result<&'static str, Stop> {
    let stand = m.present_stand();
    let text = format!(
        "% Stopped in {}\n{}",
        stopped_at(m)?,
        goals_text(m, None, stand)?
    );
    tell(m, &text);
    loop {
        tell(m, STOPPED_KEYS);
        let key = m.while_waiting(|m| read_key(m, stdin))?;
        match stopped_wish(key) {
            Some(wish) => {
                tell(m, &format!("{wish}\n"));
                return Ok(wish);
            }
            None => tell(m, "\n"),
        }
    }
}

/// What is asked about a query that was stopped.
const STOPPED_KEYS: &str = "a abort  c continue  t trace  e exit  RETURN leave it stopped ? ";

/// What a key means there, if it means anything.
fn stopped_wish(key: Option<char>) -> Option<&'static str> {
    Some(match key {
        Some('a') => "abort",
        Some('c') => "continue",
        Some('t') => "trace",
        Some('e') => "exit",
        Some('\n' | '\r' | ' ' | '\u{3}' | '\u{4}') | None => "stopped",
        Some(_) => return None,
    })
}

builtins! { LOLLI_SESSION =
    /// `Item` is what the standard input holds next: `query(Goal, Names, Line-Text)`, `wrong`, `interrupt` or
    /// `end`. It is never compiled in place, as `'$lolli_text'/3`.
    iso nondet "$lolli_next_query"("-item") needs effect = |m, [item], _state| {
        m.free_retired_code()?;
        let (name, args) = match next_query(m)? {
            Next::End => ("end", Vec::new()),
            Next::Interrupt => ("interrupt", Vec::new()),
            Next::Wrong => ("wrong", Vec::new()),
            Next::Query(goal, names, asked) => ("query", vec![goal, names, asked]),
        };
        let name = m.world.symbols.intern(name)?;
        let found = match args.as_slice() {
            [] => Cell::atom(name),
            args => {
                let functor = m.world.symbols.functor(name, args.len())?;
                m.store.new_struct(functor, args)
            }
        };
        let unified = m.unify(item, found);
        Ok(if unified? { Step::Last } else { Step::Fail })
    };

    /// Looks at a query as a whole before it runs.
    iso "$lolli_check_query"("+goal") = |m, [goal]| check_query(m, goal).map(|()| true);

    /// What `erase` has allowed so far is not allowed to the query that begins.
    iso "$forget_erasing"() = |m, []| {
        m.forget_erasing();
        Ok(true)
    };

    /// Writes the answer for the variables in a list of `Name = Variable`.
    iso "$lolli_answer"("+list") needs output = |m, [names]| {
        say_answer(m, names)
    };

    /// `Wanted` is how many further answers are wanted after that for the variables in a list. The query's time
    /// stands still meanwhile.
    iso "$lolli_wish"("+list", "-integer") needs stdin, effect = |m, [names, wanted]| {
        let paused = m.pause_budgets(true)?;
        let found = m.while_waiting(|m| wish(m, stdin, names))?;
        m.resume_budgets(&paused)?;
        Ok(m.unify_int(wanted, i64::try_from(found?).unwrap_or(i64::MAX >> 8))?)
    };

    /// What the clock of the session shows, `Nanoseconds-Inferences`, if it tells what queries take.
    iso "$lolli_clock"("-term") needs clock, history = |m, [now]| {
        let Some((time, inferences)) = clock_now(m, clock) else { return Ok(false) };
        m.store.reserve(4)?;
        let shown = m.store.new_struct(functors::MINUS2, &[Cell::int(time), Cell::int(inferences)]);
        Ok(m.unify(now, shown)?)
    };

    /// Tells what a query has taken since the clock of the session showed this.
    iso "$lolli_tell_taken"("+term") needs clock, effect = |m, [before]| {
        let (Some((time, inferences)), Some((_, args))) = (clock_now(m, clock), m.store.compound(before))
        else {
            return Ok(true);
        };
        let start = [m.store.arg(args, 0), m.store.arg(args, 1)].map(|cell| m.store.view(cell));
        if let [View::Int(since), View::Int(before)] = start {
            let seconds = (time - since) as f64 / 1e9;
            let text = format!("{} inferences, {seconds:.3} seconds", inferences - before);
            let text = text_shown(m, &Diagnostic::of_text(Severity::Note, text));
            tell(m, &text);
        }
        Ok(true)
    };

    /// Opens and starts the budgets of a query, as far as the host bounds it: `Budgets` is a list of
    /// `Number-Message`, the outer one first.
    iso "$lolli_budgets"("-list") = |m, [budgets]| {
        let amounts = m.world.layers.of::<Session>().allowed.amounts(Budget::default());
        let mut items = Vec::new();
        m.store.reserve(2 * 8)?;
        for amount in amounts {
            let message = match amount {
                Amount::Inferences(_) => "Inference limit exceeded",
                Amount::Time(_) => "Time limit exceeded",
            };
            let number = m.open_budget(amount, true)?;
            m.start_budget(number)?;
            let message = Cell::atom(m.world.symbols.intern_passing(message)?);
            items.put(m.store.new_struct(functors::MINUS2, &[Cell::int(number), message]))?;
        }
        m.unify_items(budgets, &items)
    };

    /// Lets the budgets of the queries around a prompt stand still: `Numbers` are those that did not.
    iso "$lolli_pause"("-list") = |m, [numbers]| {
        let paused: Vec<Cell> = m.pause_budgets(true)?.into_iter().map(Cell::int).gather()?;
        m.unify_items(numbers, &paused)
    };

    /// Lets these go on.
    iso "$lolli_resume"("+list") = |m, [numbers]| {
        let mut found = Vec::new();
        for number in m.list_arg(numbers)? {
            if let View::Int(number) = m.store.view(number) {
                found.put(number)?;
            }
        }
        m.resume_budgets(&found)?;
        Ok(true)
    };

    /// The next term of the current input, and its variables, each `Name = Variable`; the rest of its
    /// line is left out. It is never compiled in place, as `'$lolli_text'/3`.
    iso nondet "$lolli_read"("-term", "-list") needs effect = |m, [term, names], _state| {
        m.free_retired_code()?;
        let target = m.input_target(None)?;
        let prompt = m.world.host.streams.prompt().unwrap_or("").to_owned();
        match read_term(m, target, [&prompt, &prompt], false)? {
            Read::End | Read::GivenUp => {
                let nothing = Cell::atom(atoms::NIL);
                let end = Cell::atom(atoms::END_OF_FILE);
                let unified = m.unify(term, end)? && m.unify(names, nothing)?;
                Ok(if unified { Step::Last } else { Step::Fail })
            }
            Read::Term(found, variables, ..) => {
                let list = stamped(m, variables)?;
                let unified = m.unify(term, found)? && m.unify(names, list)?;
                Ok(if unified { Step::Last } else { Step::Fail })
            }
            Read::Wrong(wrong) => {
                let (error, text, begin) = *wrong;
                let (line, column) = line_column(&text, error.span.start as usize);
                let (name, line) = (stream_name(m, target), begin + line - 1);
                let message = format!("{name}:{line}:{column}: {}", error.message());
                Err(m.syntax_error(error.name(), &message))
            }
        }
    };

    /// Tells that the query of the session was interrupted.
    iso "$lolli_tell_stopped"() needs effect = |m, []| {
        let at = stopped_at(m)?;
        let text = format!("% Stopped in {at} (Ctrl-C again: where; a new query drops it)\n");
        tell(m, &text);
        Ok(true)
    };

    /// Shows where the query is that was interrupted, and asks what to do with it: `Wish` is `abort`, `continue`,
    /// `trace`, `exit` or `stopped`.
    iso "$lolli_ask_stopped"("-wish") needs stdin, effect = |m, [wish]| {
        let found = ask_stopped(m, stdin)?;
        let found = Cell::atom(m.world.symbols.intern_passing(found)?);
        Ok(m.unify(wish, found)?)
    };

    /// Runs a command of the operating system.
    iso "$lolli_system"("+text", "-integer") needs processes, effect = |m, [command, status]| {
        let command = m.text_arg(command)?;
        // What fails here fails again when more is written.
        let _ = m.world.host.streams.flush_all();
        let found = run_in_shell(m, processes, &command)?;
        Ok(m.unify_int(status, i64::from(found))?)
    };
}
