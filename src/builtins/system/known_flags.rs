//! Flags that programs make, and flags of SWI-Prolog (manual, section 2.12). The latter describe the process, or
//! programs can set them without effect.

use super::calendar::civil_from_days;
use super::dates::local_zone;
use crate::base::atom_table::{Atom, atoms};
use crate::base::flags::FlagType;
use crate::base::growth::{Grow, GrowMap};
use crate::base::needs::{Environment, Needs, Permit};
use crate::io::environment::{self, process_number};
use crate::io::os_names::text_of_os;
use crate::machine::control::throw::Throw;
use crate::machine::state::Machine;
use crate::machine::world::UserFlag;
use crate::store::cell::Cell;
use crate::store::heap::View;
use crate::store::stored::Attrs;

/// Value of a flag before it is set.
enum Initial {
    Name(&'static str),
    Int(i64),
    Float(f64),
    Text(fn() -> String),
    Term(fn(&mut Machine) -> Result<Cell, Throw>),
    /// Property of the process that contains the engine; the flag needs `environment`.
    OfProcess(fn(&mut Machine, &Permit<Environment>) -> Result<Cell, Throw>),
}

/// Values that a known flag may have.
enum Allowed {
    Nothing,
    Type(FlagType),
    /// One of these atoms, which have no effect here. Values that would change programs are not allowed.
    OneOf(&'static [&'static str]),
}

use Allowed::{Nothing, OneOf, Type};
use FlagType::{Atom as AnAtom, Bool, Integer, Term as ATerm};
use Initial::{Float, Int, Name, OfProcess, Term, Text};

/// Predefined flag.
pub(in crate::builtins) struct Known {
    pub(in crate::builtins) name: &'static str,
    initial: Initial,
    allowed: Allowed,
}

const fn flag(name: &'static str, initial: Initial, allowed: Allowed) -> Known {
    Known {
        name,
        initial,
        allowed,
    }
}

const fn switch(name: &'static str, initial: &'static str) -> Known {
    flag(name, Name(initial), Type(Bool))
}

const fn only(name: &'static str, allowed: &'static [&'static str]) -> Known {
    flag(name, Name(allowed[0]), OneOf(allowed))
}

/// Known flags, in the order of solutions.
pub(in crate::builtins) const KNOWN: &[Known] = &[
    only("access_level", &["user", "system"]),
    flag("address_bits", Int(usize::BITS as i64), Nothing),
    switch("agc_close_streams", "false"),
    only("allow_dot_in_atom", &["false"]),
    flag("answer_format", Name("~p"), Type(AnAtom)),
    flag(
        "answer_write_options",
        Term(|m| options(m, true)),
        Type(ATerm),
    ),
    flag("arch", Text(architecture), Nothing),
    only(
        "autoload",
        &["true", "false", "explicit", "user", "user_or_explicit"],
    ),
    switch("character_escapes_unicode", "true"),
    flag("compiled_at", OfProcess(compiled_at), Nothing),
    flag("cpu_count", OfProcess(cpu_count), Type(Integer)),
    switch("debug_on_error", "false"),
    switch("debug_on_interrupt", "false"),
    switch("debugger_show_context", "false"),
    flag(
        "debugger_write_options",
        Term(|m| options(m, true)),
        Type(ATerm),
    ),
    flag("editor", Name("default"), Type(AnAtom)),
    only("encoding", &["utf8", "text"]),
    flag("executable", OfProcess(executable), Nothing),
    only("determinism_error", &["error", "warning", "silent"]),
    switch("file_name_variables", "false"),
    flag("file_search_cache_time", Int(10), Type(Integer)),
    switch("fileerrors", "true"),
    flag("float_max", Float(f64::MAX), Nothing),
    flag("float_min", Float(f64::MIN_POSITIVE), Nothing),
    only("float_overflow", &["error"]),
    only("float_rounding", &["to_nearest"]),
    only("float_undefined", &["error"]),
    only("float_zero_div", &["error"]),
    switch("gc", "true"),
    switch("gc_thread", "false"),
    switch("generate_debug_info", "true"),
    flag("home", OfProcess(home), Nothing),
    flag("large_files", Name("true"), Nothing),
    switch("last_call_optimisation", "true"),
    flag("message_context", Term(message_context), Type(ATerm)),
    flag("message_language", Name("default"), Type(AnAtom)),
    flag("max_char_code", Int(0x10_ffff), Nothing),
    only("on_error", &["print", "halt", "status"]),
    only("on_warning", &["print", "halt", "status"]),
    switch("optimise", "false"),
    flag("optimise_debug", Name("default"), Type(AnAtom)),
    switch("optimise_unify", "true"),
    flag("os_argv", OfProcess(arguments), Type(ATerm)),
    switch("packs", "false"),
    flag(
        "pid",
        OfProcess(|m, process| Ok(m.store.new_int(i64::from(process_number(process))))),
        Nothing,
    ),
    switch("pipe", "true"),
    flag("posix_shell", Name("/bin/sh"), Type(AnAtom)),
    only("prefer_rationals", &["false"]),
    flag(
        "print_write_options",
        Term(|m| options(m, false)),
        Type(ATerm),
    ),
    flag("prompt_alternatives_on", Name("determinism"), Type(AnAtom)),
    switch("protect_static_code", "false"),
    flag("qcompile", Name("false"), Type(AnAtom)),
    only("rational_syntax", &["compatibility", "iso"]),
    switch("report_error", "true"),
    switch("sandboxed_load", "false"),
    flag("shared_object_extension", Name(SHARED), Nothing),
    switch("shift_check", "false"),
    flag("signals", Name("true"), Nothing),
    flag("stack_limit", Term(stack_limit), Type(Integer)),
    only("stream_type_check", &["loose", "true", "false"]),
    switch("table_incremental", "false"),
    switch("table_shared", "false"),
    flag("table_space", Term(stack_limit), Type(Integer)),
    switch("table_subsumptive", "false"),
    flag("timezone", Term(timezone), Nothing),
    flag("tmp_dir", OfProcess(temporary_folder), Type(AnAtom)),
    switch("toplevel_extra_white_line", "false"),
    flag("toplevel_goal", Name("default"), Type(AnAtom)),
    only("toplevel_mode", &["backtracking"]),
    switch("toplevel_name_variables", "true"),
    switch("toplevel_print_factorized", "false"),
    flag("toplevel_prompt", Name("~m~d~l~!?- "), Type(AnAtom)),
    switch("toplevel_residue_vars", "false"),
    flag("toplevel_var_size", Int(1000), Type(Integer)),
    flag("traditional", Name("false"), Nothing),
    switch("tty_control", "true"),
    only("user_flags", &["silent", "warning", "error"]),
    switch("verbose_autoload", "false"),
    switch("verbose_file_search", "false"),
    flag("verbose_load", Name("silent"), Type(AnAtom)),
    switch("warn_override_implicit_import", "true"),
    only("write_attributes", &["ignore", "dots", "write", "portray"]),
    switch("xref", "false"),
];

/// Extension of files of shared code.
const SHARED: &str = if cfg!(windows) {
    "dll"
} else if cfg!(target_os = "macos") {
    "dylib"
} else {
    "so"
};

// ---- values -------------------------------------------------------------------------------------

fn architecture() -> String {
    format!("{}-{}", std::env::consts::ARCH, std::env::consts::OS)
}

/// Returns the atom of a text.
fn name(m: &mut Machine, text: &str) -> Result<Cell, Throw> {
    Ok(Cell::atom(m.world.symbols.intern_passing(text)?))
}

/// Returns the path of the program that contains the engine, or an empty text if the system does not know it.
fn executable(m: &mut Machine, process: &Permit<Environment>) -> Result<Cell, Throw> {
    let path = environment::executable(process).unwrap_or_default();
    name(m, &text_of_os(path.as_os_str()))
}

/// Returns the folder of that program, because the library is part of it.
fn home(m: &mut Machine, process: &Permit<Environment>) -> Result<Cell, Throw> {
    let path = environment::executable(process).unwrap_or_default();
    let folder = path.parent().map(|folder| text_of_os(folder.as_os_str()));
    name(m, &folder.unwrap_or_default())
}

/// Returns the time when the program file was written, in UTC, as in `Mar 31 2024, 08:09:42`.
fn compiled_at(m: &mut Machine, process: &Permit<Environment>) -> Result<Cell, Throw> {
    let since = environment::executable_time(process).unwrap_or_default();
    let seconds = i64::try_from(since.as_secs()).unwrap_or(0);
    let (year, month, day) = civil_from_days(seconds / 86_400);
    let months = [
        "Jan", "Feb", "Mar", "Apr", "May", "Jun", "Jul", "Aug", "Sep", "Oct", "Nov", "Dec",
    ];
    let month = usize::try_from(month - 1).map_or("", |month| months[month % 12]);
    let (hour, minute, second) = (seconds / 3600 % 24, seconds / 60 % 60, seconds % 60);
    let text = format!("{month} {day:2} {year}, {hour:02}:{minute:02}:{second:02}");
    name(m, &text)
}

fn temporary_folder(m: &mut Machine, process: &Permit<Environment>) -> Result<Cell, Throw> {
    name(m, &environment::temporary_folder(process))
}

fn cpu_count(m: &mut Machine, process: &Permit<Environment>) -> Result<Cell, Throw> {
    let count = environment::processors(process);
    Ok(m.store.new_int(i64::try_from(count).unwrap_or(i64::MAX)))
}

/// Returns the seconds that local time is behind UTC, in winter.
fn timezone(m: &mut Machine) -> Result<Cell, Throw> {
    let west = local_zone(m, 0).map_or(0, |zone| zone.west);
    Ok(m.store.new_int(west))
}

/// Returns the limit of memory for terms, in bytes.
fn stack_limit(m: &mut Machine) -> Result<Cell, Throw> {
    let bytes = m.run.memory;
    Ok(m.store.new_int(i64::try_from(bytes).unwrap_or(i64::MAX)))
}

fn arguments(m: &mut Machine, process: &Permit<Environment>) -> Result<Cell, Throw> {
    let texts = environment::arguments(process);
    let atoms = m.atoms_of(&texts?)?;
    Ok(m.store.list_of(&atoms)?)
}

fn message_context(m: &mut Machine) -> Result<Cell, Throw> {
    let thread = Cell::atom(m.world.symbols.intern("thread")?);
    Ok(m.store.list_of(&[thread])?)
}

/// Builds `[quoted(true), portray(true), …]`, for answers or for `print/1`.
fn options(m: &mut Machine, answers: bool) -> Result<Cell, Throw> {
    m.store.reserve(32)?;
    let last = match answers {
        true => ("spacing", "next_argument"),
        false => ("numbervars", "true"),
    };
    let mut options = Vec::new();
    for (name, value) in [("quoted", "true"), ("portray", "true"), last] {
        let value = Cell::atom(m.world.symbols.intern(value)?);
        options.put(m.new_term(name, &[value])?)?;
    }
    Ok(m.store.list_of(&options)?)
}

impl Known {
    /// Returns whether the policy hides the initial value from the goals of this engine.
    pub(in crate::builtins) fn is_hidden(&self, m: &Machine) -> bool {
        matches!(self.initial, OfProcess(_)) && !m.world.host.policy.shows_process()
    }

    /// Returns the value of the flag before it is set.
    pub(in crate::builtins) fn initial(&self, m: &mut Machine) -> Result<Cell, Throw> {
        Ok(match self.initial {
            Name(name) => Cell::atom(m.world.symbols.intern_passing(name)?),
            Int(value) => m.store.new_int(value),
            Float(value) => m.store.new_float(value),
            Text(text) => Cell::atom(m.world.symbols.intern_passing(&text())?),
            Term(term) => term(m)?,
            OfProcess(term) => {
                let process = m.permit()?;
                if !m.world.host.policy.shows_process() {
                    return Err(m.refused(Needs::ENVIRONMENT));
                }
                term(m, process)?
            }
        })
    }
}

// ---- setting ------------------------------------------------------------------------------------

/// Returns the known flag with this name.
pub(in crate::builtins) fn known_flag(m: &Machine, name: Atom) -> Option<&'static Known> {
    let text = m.world.symbols.text(name);
    KNOWN.iter().find(|flag| flag.name == text)
}

/// Sets a flag that the engine does not use, or makes it if no flag has this name.
///
/// # Errors
/// A type error for a value that does not fit the flag; a permission error for a read-only flag. For a new flag it
/// returns an error if the flag `iso` is set or the flag `user_flags` is `error`.
pub(in crate::builtins) fn set_other_flag(
    m: &mut Machine,
    flag: Cell,
    value: Cell,
) -> Result<bool, Throw> {
    let name = m.atom_arg(flag)?;
    let known = known_flag(m, name);
    if let Some(known) = known {
        let kind = match known.allowed {
            Nothing => return Err(m.permission_error(atoms::MODIFY, atoms::FLAG, flag)),
            Type(kind) => kind,
            OneOf(names) => {
                let atom = check(m, value, AnAtom)?;
                let text = m.world.symbols.text(atom.as_atom());
                if !names.contains(&text) {
                    return Err(m.domain_error(name, value));
                }
                AnAtom
            }
        };
        return make_flag(m, name, value, (kind, true));
    }
    let found = m
        .world
        .user_flags
        .get(&name)
        .map(|flag| (flag.kind, flag.writable));
    match found {
        Some((_, false)) => Err(m.permission_error(atoms::MODIFY, atoms::FLAG, flag)),
        Some((kind, true)) => make_flag(m, name, value, (kind, true)),
        None if m.world.flags.iso => Err(m.domain_error(atoms::PROLOG_FLAG, flag)),
        None if refuses_new(m)? => Err(m.existence_error(atoms::PROLOG_FLAG, flag)),
        None => {
            let kind = type_of(m, value);
            make_flag(m, name, value, (kind, true))
        }
    }
}

/// Returns whether the flag `user_flags` is `error`.
fn refuses_new(m: &mut Machine) -> Result<bool, Throw> {
    let value = atom_of_flag(m, "user_flags")?;
    Ok(value.as_deref() == Some("error"))
}

/// Returns the atom that a flag was set to, or `None` if it was not set.
pub(in crate::builtins) fn atom_of_flag(
    m: &mut Machine,
    name: &str,
) -> Result<Option<String>, Throw> {
    let name = m.world.symbols.intern(name)?;
    let Some(flag) = m.world.user_flags.get(&name) else {
        return Ok(None);
    };
    let value = m.store.load_term(&flag.value)?;
    let atom = value.is_atom().then(|| value.as_atom());
    Ok(atom.map(|atom| m.world.symbols.text(atom).to_owned()))
}

/// Returns the type of a new flag with this value.
pub(in crate::builtins) fn type_of(m: &Machine, value: Cell) -> FlagType {
    match m.store.view(value) {
        View::Atom(name) if truth_of(m, name).is_some() => Bool,
        View::Atom(_) => AnAtom,
        View::Int(_) | View::Big(_) => Integer,
        View::Float(_) => FlagType::Float,
        _ => ATerm,
    }
}

/// Returns the truth value of an atom.
fn truth_of(m: &Machine, name: Atom) -> Option<bool> {
    match m.world.symbols.text(name) {
        "true" | "on" => Some(true),
        "false" | "off" => Some(false),
        _ => None,
    }
}

/// Converts a value to a type of flags.
fn check(m: &mut Machine, value: Cell, kind: FlagType) -> Result<Cell, Throw> {
    let wrong = match (kind, m.store.view(value)) {
        (ATerm, _) if m.store.ground(value)? => return Ok(value),
        (ATerm, _) => return Err(m.instantiation_error()),
        (AnAtom, View::Atom(_)) => return Ok(value),
        (AnAtom, _) => atoms::ATOM,
        (Integer, View::Int(_) | View::Big(_)) => return Ok(value),
        (Integer, _) => atoms::INTEGER,
        (FlagType::Float, View::Float(_)) => return Ok(value),
        (FlagType::Float, View::Int(number)) => return Ok(m.store.new_float(number as f64)),
        (FlagType::Float, _) => atoms::FLOAT,
        (Bool, view) => {
            let truth = match view {
                View::Atom(name) => truth_of(m, name),
                View::Int(0) => Some(false),
                View::Int(1) => Some(true),
                _ => None,
            };
            match truth {
                Some(true) => return Ok(Cell::atom(atoms::TRUE)),
                Some(false) => return Ok(Cell::atom(atoms::FALSE)),
                None => m.world.symbols.intern("bool")?,
            }
        }
    };
    Err(m.type_error(wrong, value))
}

/// Sets a flag, its type, and whether programs may change it.
///
/// # Errors
/// A type error for a value that is not of the type.
pub(in crate::builtins) fn make_flag(
    m: &mut Machine,
    name: Atom,
    value: Cell,
    (kind, writable): (FlagType, bool),
) -> Result<bool, Throw> {
    let value = check(m, value, kind)?;
    let value = m.store.keep_term(value, Attrs::Drop)?;
    let flag = UserFlag {
        value: value.into(),
        writable,
        kind,
    };
    m.world.user_flags.own().put_entry(name, flag)?;
    Ok(true)
}
