//! Prolog flags (ISO 13211-1, 7.11 and 8.17): one table of the flags that the engine uses. Flags of programs and
//! hosts, and those of SWI-Prolog, are in [`super::known_flags`]. Long because the table has a row and its manual
//! for each flag.

use super::known_flags::{KNOWN, known_flag, make_flag, set_other_flag, type_of};
use crate::base::atom_table::{Atom, MAX_ARITY, atoms, functors};
use crate::base::flags::{FlagType, OccursCheck, QuoteMode, UnknownAction};
use crate::base::growth::{Gather, Grow, with_room};
use crate::base::number::{INLINE_MAX, INLINE_MIN};
use crate::base::stop::Stop;
use crate::base::warning::Warning;
use crate::builtins::args::next_row;
use crate::machine::builtin::{Step, builtins};
use crate::machine::control::throw::Throw;
use crate::machine::state::Machine;
use crate::store::cell::Cell;
use crate::store::heap::View;

/// Value of a flag.
#[derive(Copy, Clone)]
enum Value {
    /// Atom.
    Name(&'static str),
    /// Integer.
    Int(i64),
    /// Term `wamlet(Major, Minor, Patch, [])`.
    Version,
    /// Flag `unknown` of the module of the source.
    Unknown,
}

/// Function that sets a flag to the value of this name. It returns false for an unknown value.
type Setter = fn(&mut Machine, &str) -> Result<bool, Stop>;

/// Function that sets a flag to an integer. It returns false for a value out of range.
type IntSetter = fn(&mut Machine, i64) -> bool;

/// Way to set a flag.
enum Set {
    Never,
    ToName(Setter),
    ToInt(IntSetter),
}

/// Flag of the engine.
struct Flag {
    name: &'static str,
    get: fn(&Machine) -> Value,
    set: Set,
}

const fn flag(name: &'static str, get: fn(&Machine) -> Value, set: Set) -> Flag {
    Flag { name, get, set }
}

const fn fixed(name: &'static str, get: fn(&Machine) -> Value) -> Flag {
    flag(name, get, Set::Never)
}

/// Names of values. Programs read the first name of a value.
type Names<T> = [(&'static str, T)];

const TRUTH: &Names<bool> = &[
    ("true", true),
    ("false", false),
    ("on", true),
    ("off", false),
];
const ON_OFF: &Names<bool> = &[
    ("on", true),
    ("off", false),
    ("true", true),
    ("false", false),
];
const VERBOSE: &Names<bool> = &[("normal", true), ("silent", false)];
const DOUBLE_QUOTES: &Names<QuoteMode> = &quote_modes("atom");
const BACK_QUOTES: &Names<QuoteMode> = &quote_modes("symbol_char");

const fn quote_modes(atom: &'static str) -> [(&'static str, QuoteMode); 4] {
    [
        ("codes", QuoteMode::Codes),
        ("chars", QuoteMode::Chars),
        ("string", QuoteMode::String),
        (atom, QuoteMode::Atom),
    ]
}

fn named<T: Copy>(names: &Names<T>, name: &str) -> Option<T> {
    let found = names.iter().find(|(known, _)| *known == name);
    found.map(|&(_, value)| value)
}

fn name_of<T: PartialEq>(names: &Names<T>, value: T) -> Value {
    let found = names.iter().find(|(_, known)| *known == value);
    Value::Name(found.map_or("", |(name, _)| name))
}

/// Runs `work` on the value of this name. Returns false for an unknown name.
fn with_named<T: Copy>(names: &Names<T>, name: &str, work: impl FnOnce(T)) -> bool {
    named(names, name).map(work).is_some()
}

fn truth(holds: bool) -> Value {
    name_of(TRUTH, holds)
}

/// Makes a flag for a field of the machine. Programs read and set it by the names of its values.
macro_rules! field {
    ($name:literal, $names:ident, $($field:ident).+) => {
        flag(
            $name,
            |m| name_of($names, m.$($field).+),
            Set::ToName(|m, name| Ok(with_named($names, name, |value| m.$($field).+ = value))),
        )
    };
}

/// Sets the flag `unknown` of a module. Modules without their own value have that of `user`.
fn set_unknown(m: &mut Machine, module: Atom, name: &str) -> Result<bool, Stop> {
    let Some(action) = UnknownAction::from_name(name) else {
        return Ok(false);
    };
    match module {
        atoms::USER => m.world.flags.unknown = action,
        _ => m.world.modules.intern(module)?.unknown = Some(action),
    }
    Ok(true)
}

/// Flags of the engine, in the order of solutions.
const FLAGS_OF_ENGINE: &[Flag] = &[
    fixed("bounded", |_| truth(false)),
    fixed("max_integer", |_| Value::Int(i64::MAX)),
    fixed("min_integer", |_| Value::Int(i64::MIN)),
    fixed("integer_rounding_function", |_| Value::Name("toward_zero")),
    field!("char_conversion", ON_OFF, world.flags.char_conversion),
    flag(
        "debug",
        |m| name_of(ON_OFF, m.world.flags.debug),
        Set::ToName(|m, name| Ok(with_named(ON_OFF, name, |debug| m.set_debug(debug)))),
    ),
    fixed("max_arity", |_| Value::Int(MAX_ARITY as i64)),
    flag(
        "unknown",
        |_| Value::Unknown,
        Set::ToName(|m, name| set_unknown(m, m.world.source_module, name)),
    ),
    field!("double_quotes", DOUBLE_QUOTES, world.flags.double_quotes),
    field!("back_quotes", BACK_QUOTES, world.flags.back_quotes),
    flag(
        "occurs_check",
        |m| Value::Name(m.world.flags.occurs_check.name()),
        Set::ToName(|m, name| {
            let check = OccursCheck::from_name(name);
            Ok(check
                .map(|check| m.world.flags.occurs_check = check)
                .is_some())
        }),
    ),
    flag(
        "iso",
        |m| truth(m.world.flags.iso),
        Set::ToName(|m, name| {
            let iso = named(TRUTH, name);
            m.set_iso(iso.unwrap_or(m.world.flags.iso))?;
            Ok(iso.is_some())
        }),
    ),
    field!("character_escapes", TRUTH, world.flags.character_escapes),
    field!("var_prefix", TRUTH, world.flags.var_prefix),
    field!(
        "allow_variable_name_as_functor",
        TRUTH,
        world.flags.variable_functors
    ),
    field!("verbose", VERBOSE, world.flags.verbose),
    field!("toplevel_print_anon", TRUTH, world.flags.print_anon),
    field!("clpfd_monotonic", TRUTH, world.flags.clpfd_monotonic),
    field!("portray_text", TRUTH, world.flags.portray_text),
    field!("trace_gc", TRUTH, run.collector.log.trace),
    flag(
        "agc_margin",
        |m| Value::Int(i64::try_from(m.world.symbols.margin()).unwrap_or(i64::MAX)),
        Set::ToInt(|m, margin| {
            let margin = usize::try_from(margin);
            margin
                .map(|margin| m.world.symbols.set_margin(margin))
                .is_ok()
        }),
    ),
    fixed("max_tagged_integer", |_| Value::Int(INLINE_MAX)),
    fixed("min_tagged_integer", |_| Value::Int(INLINE_MIN)),
    fixed("dialect", |_| Value::Name("wamlet")),
    fixed("version", |_| {
        let [major, minor, patch] = version();
        Value::Int(major * 10_000 + minor * 100 + patch)
    }),
    fixed("version_data", |_| Value::Version),
    flag(
        "emulated_dialect",
        |m| Value::Name(present_dialect(m)),
        Set::ToName(|m, name| Ok(name == present_dialect(m))),
    ),
    fixed("unix", |_| truth(cfg!(unix))),
    fixed("windows", |_| truth(cfg!(windows))),
    fixed("threads", |_| truth(false)),
];

/// Returns the version of this program: major, minor, patch.
fn version() -> [i64; 3] {
    let mut parts = env!("CARGO_PKG_VERSION")
        .split('.')
        .map(|part| part.parse().unwrap_or(0));
    std::array::from_fn(|_| parts.next().unwrap_or(0))
}

/// Returns the dialect of the text being loaded; `iso` if only the standard is accepted.
fn present_dialect(m: &Machine) -> &'static str {
    match m.world.flags.dialect {
        "swi" if m.world.flags.iso => "iso",
        dialect => dialect,
    }
}

fn value_term(m: &mut Machine, value: Value) -> Result<Cell, Stop> {
    match value {
        Value::Name(name) => Ok(Cell::atom(m.world.symbols.intern_passing(name)?)),
        Value::Int(value) => Ok(m.store.new_int(value)),
        Value::Unknown => {
            let action = m.unknown_action(m.world.source_module)?;
            value_term(m, Value::Name(action.name()))
        }
        Value::Version => {
            let name = m.world.symbols.intern("wamlet")?;
            let functor = m.world.symbols.functor(name, 4)?;
            let [major, minor, patch] = version().map(Cell::int);
            Ok(m.store
                .new_struct(functor, &[major, minor, patch, Cell::atom(atoms::NIL)]))
        }
    }
}

fn engine_flag(m: &Machine, name: Atom) -> Option<&'static Flag> {
    let text = m.world.symbols.text(name);
    FLAGS_OF_ENGINE.iter().find(|flag| flag.name == text)
}

/// Returns the value of a flag.
fn flag_value(m: &mut Machine, name: Atom) -> Result<Option<Cell>, Throw> {
    if let Some(flag) = engine_flag(m, name) {
        let value = (flag.get)(m);
        return Ok(Some(value_term(m, value)?));
    }
    if let Some(flag) = m.world.user_flags.get(&name) {
        return Ok(Some(m.store.load_term(&flag.value)?));
    }
    match known_flag(m, name) {
        Some(flag) => flag.initial(m).map(Some),
        None => Ok(None),
    }
}

/// Returns the names of all flags.
pub(crate) fn flag_names(m: &mut Machine) -> Result<Vec<Atom>, Stop> {
    let texts = FLAGS_OF_ENGINE.iter().map(|flag| flag.name);
    let texts: Vec<&str> = texts.chain(KNOWN.iter().map(|flag| flag.name)).gather()?;
    let mut names = with_room(texts.len())?;
    for text in texts {
        names.put(m.world.symbols.intern(text)?)?;
    }
    let own: Vec<Atom> = m.world.user_flags.keys().copied().gather()?;
    let new = own
        .into_iter()
        .filter(|name| !names.contains(name))
        .gather()?;
    names.put_all(new)?;
    Ok(names)
}

/// Runs `work` with the flags of a module: `unknown`, `double_quotes` and `back_quotes` belong to modules.
fn with_flags_of<T>(
    m: &mut Machine,
    module: Atom,
    work: impl FnOnce(&mut Machine) -> T,
) -> Result<T, Stop> {
    if module == m.world.source_module {
        return Ok(work(m));
    }
    let quotes = |m: &Machine| (m.world.flags.double_quotes, m.world.flags.back_quotes);
    let (source, before) = (m.world.source_module, quotes(m));
    let converted = m.world.flags.char_conversion;
    let found = m.world.modules.find(module);
    let own = found.and_then(|module| module.quotes).unwrap_or(before);
    let converts = found.and_then(|module| module.char_conversion);
    let converts = converts.unwrap_or(converted && !m.is_tenant(module));
    m.world.flags.char_conversion = converts;
    (m.world.flags.double_quotes, m.world.flags.back_quotes) = own;
    m.world.source_module = module;
    let result = work(m);
    m.world.source_module = source;
    let after = quotes(m);
    (m.world.flags.double_quotes, m.world.flags.back_quotes) = before;
    if after != own {
        m.world.modules.intern(module)?.quotes = Some(after);
    }
    let after = m.world.flags.char_conversion;
    if m.is_tenant(module) {
        m.world.flags.char_conversion = converted;
        m.world.modules.intern(module)?.char_conversion = Some(after);
    } else if after == converts {
        m.world.flags.char_conversion = converted;
    }
    Ok(result)
}

/// Returns the name of a flag and its module, by default the module of the source.
fn flag_of_module(m: &Machine, flag: Cell) -> (Cell, Atom) {
    let source = m.world.source_module;
    let (flag, module) = m.strip_module(flag, source);
    // A library sets the flags of its caller.
    let of_library = m.is_system_module(module);
    (flag, if of_library { source } else { module })
}

/// Flags that belong to modules.
const OF_MODULES: [&str; 4] = ["unknown", "double_quotes", "back_quotes", "char_conversion"];

/// Checks that a text may set a flag of this module. A tenant sets only the flags of its own module. No text sets
/// flags of a module that the host has closed.
fn check_flag(m: &mut Machine, flag: Cell, module: Atom) -> Result<(), Throw> {
    let (tenant, outside) = (m.is_tenant(module), m.leaves_tenant(module));
    if !tenant && !outside && !m.is_protected_module(module) {
        return Ok(());
    }
    let name = m.atom_arg(flag)?;
    let of_module = OF_MODULES.contains(&m.world.symbols.text(name));
    match of_module == tenant && !outside {
        true => Ok(()),
        false => Err(m.permission_error(atoms::MODIFY, "flag", flag)),
    }
}

/// Runs `current_prolog_flag/2`.
fn current_flag(
    m: &mut Machine,
    flag: Cell,
    value: Cell,
    state: Option<i64>,
) -> Result<Step, Throw> {
    let (flag, module) = flag_of_module(m, flag);
    if !flag.is_var() {
        let name = m.atom_arg(flag)?;
        let Some(own) = with_flags_of(m, module, |m| flag_value(m, name))?? else {
            if m.world.flags.iso {
                return Err(m.domain_error(atoms::PROLOG_FLAG, flag));
            }
            return Ok(Step::Fail);
        };
        return Ok(Step::when(m.unify(value, own)?));
    }
    let names = flag_names(m)?;
    let mut rows = Vec::with_capacity(names.len());
    for name in names {
        let kept_back = known_flag(m, name).is_some_and(|flag| flag.is_hidden(m));
        if kept_back && !m.world.user_flags.contains_key(&name) {
            continue;
        }
        if let Some(value) = with_flags_of(m, module, |m| flag_value(m, name))?? {
            rows.put([Cell::atom(name), value])?;
        }
    }
    Ok(next_row(m, &[flag, value], &rows, state)?)
}

/// Sets a flag (8.17.1).
fn set_flag(m: &mut Machine, flag: Cell, value: Cell) -> Result<bool, Throw> {
    if flag.is_var() || value.is_var() {
        return Err(m.instantiation_error());
    }
    let name = m.atom_arg(flag)?;
    let Some(known) = engine_flag(m, name) else {
        return set_other_flag(m, flag, value);
    };
    let accepted = match (&known.set, m.store.view(value)) {
        (Set::Never, _) => return Err(m.permission_error(atoms::MODIFY, atoms::FLAG, flag)),
        (Set::ToName(set), View::Atom(atom)) => {
            let text = m.world.symbols.text(atom).to_owned();
            set(m, &text)?
        }
        (Set::ToInt(set), View::Int(number)) => set(m, number),
        _ => false,
    };
    if accepted {
        if m.world.flags.occurs_check != OccursCheck::False {
            m.world.upper.respect_occurs_check(m)?;
        }
        return Ok(true);
    }
    let culprit = m.store.new_struct(functors::PLUS2, &[flag, value]);
    Err(m.domain_error(atoms::FLAG_VALUE, culprit))
}

/// Returns the value of an option `Name(Value)` in a list of options.
fn option_value(m: &mut Machine, options: Cell, name: &str) -> Result<Option<Cell>, Throw> {
    for option in m.list_arg(options)? {
        if let View::Struct(functor, addr) = m.store.view(option)
            && functor.arity() == 1
            && m.world.symbols.name_text(functor) == name
        {
            return Ok(Some(m.store.arg(addr, 0)));
        }
    }
    Ok(None)
}

/// Returns the atom that is the value of an option, or `None` without the option.
fn option_name(m: &mut Machine, options: Cell, name: &str) -> Result<Option<String>, Throw> {
    let Some(value) = option_value(m, options, name)? else {
        return Ok(None);
    };
    let atom = m.atom_arg(value)?;
    Ok(Some(m.world.symbols.text(atom).to_owned()))
}

const FLAG_TYPES: &Names<FlagType> = &[
    ("boolean", FlagType::Bool),
    ("atom", FlagType::Atom),
    ("integer", FlagType::Integer),
    ("float", FlagType::Float),
    ("term", FlagType::Term),
];

/// Runs `create_prolog_flag/3`.
fn create_flag(m: &mut Machine, flag: Cell, value: Cell, options: Cell) -> Result<bool, Throw> {
    let name = m.atom_arg(flag)?;
    if value.is_var() {
        return Err(m.instantiation_error());
    }
    let writable = match option_name(m, options, "access")?.as_deref() {
        None | Some("read_write") => true,
        Some("read_only") => false,
        Some(_) => return Err(option_error(m, options, "access", "prolog_flag_access")?),
    };
    let kind = match option_name(m, options, "type")? {
        None => None,
        Some(name) => match named(FLAG_TYPES, &name) {
            None => return Err(option_error(m, options, "type", "prolog_flag_type")?),
            kind => kind,
        },
    };
    let keep = match option_name(m, options, "keep")?.as_deref() {
        None | Some("false") => false,
        Some("true") => true,
        Some(_) => {
            let keep = option_value(m, options, "keep")?.unwrap_or(options);
            return Err(m.type_error("bool", keep));
        }
    };
    let known = engine_flag(m, name).is_some() || known_flag(m, name).is_some();
    if known || m.world.user_flags.contains_key(&name) {
        return if keep {
            Ok(true)
        } else {
            set_flag(m, flag, value)
        };
    }
    let kind = kind.unwrap_or_else(|| type_of(m, value));
    make_flag(m, name, value, (kind, writable))
}

/// Returns the domain error for the value of an option.
fn option_error(m: &mut Machine, options: Cell, name: &str, domain: &str) -> Result<Throw, Stop> {
    let domain = m.world.symbols.intern(domain)?;
    match option_value(m, options, name) {
        Ok(value) => Ok(m.domain_error(domain, value.unwrap_or(options))),
        Err(throw) => Ok(throw),
    }
}

/// Styles of SWI-Prolog for which Wamlet has no warning.
const OTHER_STYLES: [&str; 4] = ["atom", "charset", "no_effect", "var_branches"];

/// Runs `style_check/1` for `+Style`, `-Style`, `?(Style)`, or a list of them. Returns false if a queried style is
/// off.
fn style_check(m: &mut Machine, style: Cell) -> Result<bool, Throw> {
    if let View::List(_) | View::Atom(atoms::NIL) = m.store.view(style) {
        for style in m.list_arg(style)? {
            if !style_check(m, style)? {
                return Ok(false);
            }
        }
        return Ok(true);
    }
    let query = m.world.symbols.intern("?")?;
    let query = m.world.symbols.functor(query, 1)?;
    let (on, style) = match m.store.view(style) {
        View::Struct(functors::PLUS1, addr) => (Some(true), m.store.arg(addr, 0)),
        View::Struct(functors::MINUS1, addr) => (Some(false), m.store.arg(addr, 0)),
        View::Struct(functor, addr) if functor == query => (None, m.store.arg(addr, 0)),
        _ => return Err(m.type_or_instantiation_error("style", style)),
    };
    let name = m.atom_arg(style)?;
    let text = m.world.symbols.text(name);
    match (Warning::from_name(text), on) {
        (Some(warning), Some(on)) => m.world.flags.warnings.set(warning, on),
        (Some(warning), None) => return Ok(m.world.flags.warnings.wants(warning)),
        (None, on) if OTHER_STYLES.contains(&text) => return Ok(on.is_some()),
        _ => return Err(m.domain_error("style_name", style)),
    }
    Ok(true)
}

/// Returns the variable of `?(Style)`.
fn unknown_style(m: &mut Machine, style: Cell) -> Option<Cell> {
    let (functor, args) = m.store.compound(style)?;
    if functor.arity() != 1 || m.world.symbols.name_text(functor) != "?" {
        return None;
    }
    Some(m.store.arg(args, 0)).filter(|style| style.is_var())
}

/// Runs `style_check(?(Style))`: returns the enabled styles one by one.
fn next_style(m: &mut Machine, style: Cell, state: Option<i64>) -> Result<Step, Stop> {
    let from = state.map_or(0, |state| usize::try_from(state).unwrap_or(usize::MAX));
    let wanted = m.world.flags.warnings;
    let numbered = Warning::ALL.iter().copied().enumerate().skip(from);
    let mut on = numbered.filter(|&(_, warning)| wanted.wants(warning));
    let Some((_, found)) = on.next() else {
        return Ok(Step::Fail);
    };
    let more = on.next();
    let name = m.world.symbols.intern(found.name())?;
    m.unify_atom(style, name)?;
    match more {
        Some((number, _)) => Ok(Step::More(number as i64)),
        None => Ok(Step::Last),
    }
}

/// Returns whether the call names a flag.
fn flag_is_bound(m: &Machine) -> bool {
    let [flag] = m.args();
    !flag_of_module(m, flag).0.is_var()
}

builtins! { FLAGS =
    /// Sets the flag `atom` to `term`. ISO 8.17.1. With `occurs_check` `true`, unification creates no cyclic
    /// terms; with `error`, it raises an error instead. This affects clauses compiled later, called goals,
    /// builtins, and the libraries of lists and other data. A flag that does not exist is created, as by
    /// `create_prolog_flag/3` without options. With the flag `iso`, or while the flag `user_flags` is
    /// `error`, a flag that does not exist is an error. Each module has its own `unknown`, `double_quotes`
    /// and `back_quotes`; `Module:Flag` names the module.
    ///
    /// ?- set_prolog_flag(double_quotes, atom).
    /// true.
    ///
    /// ?- X = "abc".
    /// X = abc.
    ///
    /// ?- set_prolog_flag(bounded, true).
    /// error: set_prolog_flag/2: No permission to modify flag `bounded' [permission_error(modify, flag, bounded)]
    ///
    /// ?- set_prolog_flag(double_quotes, nonsense).
    /// error: set_prolog_flag/2: Domain error: `flag_value' expected, found `double_quotes+nonsense' [domain_error(flag_value, double_quotes+nonsense)]
    iso "set_prolog_flag"(":atom", "+term") needs effect = |m, [flag, value]| {
        let (flag, module) = flag_of_module(m, flag);
        check_flag(m, flag, module)?;
        with_flags_of(m, module, |m| set_flag(m, flag, value))?
    };

    /// True if the flag `atom` has the value `term`. Enumerates all matching flags on backtracking. Fails if
    /// there is no such flag; with the flag `iso` that is a domain error. `Module:Flag` inspects the value in
    /// a module, as in `set_prolog_flag/2`. ISO 8.17.2.
    ///
    /// ?- current_prolog_flag(bounded, B).
    /// B = false.
    ///
    /// ?- current_prolog_flag(double_quotes, How).
    /// How = string.
    iso nondet "current_prolog_flag"("?atom", "?term") with once flag_is_bound = |m, [flag, value], state| {
        current_flag(m, flag, value, state)
    };

    /// Creates the flag `atom` with the value `term`, or sets an existing flag. `list` holds options.
    /// `access(read_only)` protects the flag. `keep(true)` keeps the value of an existing flag. `type(Type)`
    /// limits later values: `boolean`, `atom`, `integer`, `float` or `term`, by default the type of the first
    /// value.
    ///
    /// ?- create_prolog_flag(my_flag, 1, []), current_prolog_flag(my_flag, X).
    /// X = 1.
    library "create_prolog_flag"("+atom", "+term", "+list") needs effect = |m, [flag, value, options]| {
        let module = m.world.source_module;
        check_flag(m, flag, module)?;
        create_flag(m, flag, value, options)
    };

    /// Creates a flag for the host.
    library "$create_flag"("+atom", "+term") needs effect = |m, [flag, value]| {
        create_flag(m, flag, value, Cell::atom(atoms::NIL))
    };

    /// Turns a warning about loaded text on (`+Style`) or off (`-Style`), or tests whether it is on
    /// (`?(Style)`). `?(Style)` with an unbound `Style` enumerates the active styles on backtracking. `term`
    /// may also be a list of such terms. Styles: `singleton`, `branches`, `discontiguous`, `redefined`,
    /// `undefined`, `unreachable`, `recursion`, `arithmetic`, `encoding`, `module`, `directive`, `import`,
    /// `image`, `choicepoint`, `layout`, `string`, `dialect`; and `nonstandard`, which is off by default.
    /// `atom`, `charset`, `no_effect` and `var_branches` have no effect.
    library nondet "style_check"("+term") needs effect = |m, [style], state| {
        if let Some(style) = unknown_style(m, style) {
            return Ok(next_style(m, style, state)?);
        }
        Ok(Step::when(style_check(m, style)?))
    };
}
