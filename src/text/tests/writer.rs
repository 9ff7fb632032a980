//! The writer, and the rows of `tests/writer`: how terms are written, and the output of `format/2`. Also cyclic,
//! shared and deep terms, which no text denotes.

use super::{add_operators, build, set_flags};
use crate::base::atom_table::{Functor, Symbols, functors};
use crate::base::flags::{Flags, QuoteMode};
use crate::base::number::Number;
use crate::base::op_table::{OpTable, OpType};
use crate::base::watch::Watch;
use crate::data_tests::{Settings, check};
use crate::store::cell::Cell;
use crate::store::heap::{Store, View};
use crate::store::raw;
use crate::text::ast::Ast;
use crate::text::format_directives::{FormatError, FormatRun, FormatStep, text_of};
use crate::text::parser::{ReadContext, read_term};
use crate::text::write_atom::push_atom;
use crate::text::write_cycles::cycle_labels;
use crate::text::write_options::{AttributeMode, Spacing, WriteEnv, WriteOptions};
use crate::text::writer::try_term_text;

/// A store, tables and flags for tests of terms.
pub(crate) struct Fixture {
    pub(crate) store: Store,
    pub(crate) symbols: Symbols,
    ops: OpTable,
    pub(crate) flags: Flags,
    /// The variables of the last term read.
    variables: Vec<(Cell, String)>,
}

impl Fixture {
    pub(crate) fn new() -> Fixture {
        Fixture::with(&Settings::default())
    }

    /// Creates a fixture with the settings `ops` and `flags`. Double quotes denote strings.
    pub(super) fn with(settings: &Settings) -> Fixture {
        let mut symbols = Symbols::new().unwrap();
        let mut ops = OpTable::new(&mut symbols).unwrap();
        add_operators(settings, &mut symbols, &mut ops);
        let mut flags = Flags {
            double_quotes: QuoteMode::String,
            ..Flags::default()
        };
        set_flags(settings, &mut flags);
        Fixture {
            store: Store::new(1 << 30).unwrap(),
            symbols,
            ops,
            flags,
            variables: Vec::new(),
        }
    }

    pub(super) fn op(&mut self, priority: u16, op_type: OpType, name: &str) {
        let atom = self.symbols.intern(name).unwrap();
        self.ops.add(atom, priority, op_type).unwrap();
    }

    pub(super) fn functor(&mut self, name: &str, arity: usize) -> Functor {
        let name = self.symbols.intern(name).unwrap();
        self.symbols.functor(name, arity).unwrap()
    }

    fn is_cyclic(&self, term: Cell) -> bool {
        cycle_labels(&self.store, term).unwrap().is_some()
    }

    pub(in crate::text) fn env(&self) -> WriteEnv<'_> {
        WriteEnv {
            store: &self.store,
            symbols: &self.symbols,
            ops: &self.ops,
            flags: &self.flags,
        }
    }

    /// Returns the term of this text, without the final dot.
    fn read(&mut self, text: &str) -> Cell {
        self.try_read(text)
            .unwrap_or_else(|| panic!("not read: {text}"))
    }

    pub(super) fn try_read(&mut self, text: &str) -> Option<Cell> {
        let ast = self.tree(text)?;
        let (vars, root) = build(&ast, &mut self.store, &mut self.symbols);
        let names = (0..).map(|index| ast.var_name(index).to_owned());
        self.variables = vars.into_iter().zip(names).collect();
        Some(root)
    }

    /// Returns the tree of this text, without the final dot.
    pub(crate) fn tree(&mut self, text: &str) -> Option<Ast> {
        let mut ast = Ast::new();
        let mut ctx = ReadContext {
            symbols: &mut self.symbols,
            ops: &self.ops,
            flags: &self.flags,
            char_conversions: None,
            room: usize::MAX,
            passing: false,
            watch: &Watch::default(),
        };
        let text = format!("{text} .");
        (read_term(&text, &mut 0, &mut ctx, &mut ast) == Ok(true)).then_some(ast)
    }

    pub(super) fn write(&self, term: Cell, options: &WriteOptions) -> String {
        try_term_text(&self.env(), term, options).expect("there is room")
    }

    fn writeq(&self, term: Cell) -> String {
        self.write(term, &WriteOptions::writeq())
    }

    /// Returns the options of a group: `as` names the predicate, `options` the options that differ from it,
    /// and `names` the names of variables.
    fn options(&self, settings: &Settings) -> WriteOptions {
        let mut options = match settings.get("as") {
            "" | "writeq" => WriteOptions::writeq(),
            "write" => WriteOptions::write(),
            "write_canonical" => WriteOptions::write_canonical(),
            "write_term" => WriteOptions::default(),
            other => panic!("nothing writes as {other}"),
        };
        for option in settings.list("options") {
            let (name, value) = option.split_once('=').unwrap_or((option, "true"));
            let on = value == "true";
            match name {
                "spacing" => options.spacing = Spacing::NextArgument,
                "priority" => options.priority = value.parse().unwrap(),
                "max_depth" => options.max_depth = value.parse().unwrap(),
                "fullstop" => options.fullstop = on,
                "nl" => options.nl = on,
                "character_escapes" => options.character_escapes = Some(on),
                "dotlists" => options.dotlists = Some(on),
                _ => panic!("no option: {name}"),
            }
        }
        for pair in settings.list("names") {
            let (variable, name) = pair.split_once('=').unwrap();
            let known = self.variables.iter().find(|(_, name)| name == variable);
            options.variable_names.push((known.unwrap().0, name.into()));
        }
        options
    }

    fn items(&self, mut list: Cell) -> Vec<Cell> {
        let mut items = Vec::new();
        while let View::List(addr) = self.store.view(list) {
            items.push(self.store.arg(addr, 0));
            list = self.store.arg(addr, 1);
        }
        items
    }

    /// Returns the output of `format/2` for a format and a list, from this column on. Expressions have
    /// the value 42.
    fn formatted(&mut self, arguments: &str, column: usize) -> String {
        let term = self.read(&format!("t({arguments})"));
        let (_, addr) = self.store.compound(term).unwrap();
        let format = text_of(&self.env(), self.store.arg(addr, 0));
        let items = self.items(self.store.arg(addr, 1));
        let mut run = FormatRun::new(format.unwrap().unwrap(), column, false, String::new());
        loop {
            let shown = match run.run(&self.env(), &items) {
                Ok(FormatStep::Done) => return run.take_text().unwrap(),
                Ok(FormatStep::Goal(_)) => "<goal>".to_owned(),
                Ok(FormatStep::Print(_)) => "<print>".to_owned(),
                Ok(FormatStep::WriteTerm(..)) => "<write_term>".to_owned(),
                Ok(FormatStep::Own(directive, ..)) => format!("<{directive}>"),
                Ok(FormatStep::Evaluate(_)) => {
                    run.supply(Number::Int(42));
                    continue;
                }
                Err(FormatError::BadArgument { directive, culprit }) => {
                    return format!("error: {} for ~{directive}", self.writeq(culprit));
                }
                Err(error) => return format!("error: {error:?}"),
            };
            run.insert(&shown).unwrap();
        }
    }
}

#[test]
fn rows() {
    let known = &["as", "options", "ops", "flags", "names", "column"];
    check("tests/writer", known, |settings, text| {
        let mut fixture = Fixture::with(settings);
        if settings.get("as") == "format" {
            return fixture.formatted(text, settings.get("column").parse().unwrap_or(0));
        }
        if settings.get("as") == "atom" {
            let mut out = String::new();
            push_atom(&mut out, text, true, true).unwrap();
            return out;
        }
        let term = fixture.read(text);
        fixture.write(term, &fixture.options(settings))
    });
}

#[test]
fn format_asks_for_what_portray_writes() {
    let mut fixture = Fixture::new();
    let name = fixture.read("'B'");
    let mut asking = FormatRun::new("[~p]".to_owned(), 3, true, String::new());
    let asked = asking.run(&fixture.env(), &[name]);
    assert_eq!(asked, Ok(FormatStep::Print(name)));
    assert_eq!(asking.column(), 4);
    asking.insert("x").unwrap();
    let done = asking.run(&fixture.env(), &[name]);
    assert_eq!(done, Ok(FormatStep::Done));
    assert_eq!(asking.take_text().unwrap(), "[x]");
}

#[test]
fn cyclic_text_is_no_text() {
    let mut fixture = Fixture::new();
    let tail = fixture.store.new_var();
    let mut list = tail;
    for _ in 0..5 {
        list = fixture.store.new_list(Cell::int(97), list);
    }
    fixture.store.bind_plain(tail, list);
    assert_eq!(text_of(&fixture.env(), list).unwrap(), None);
}

#[test]
fn attributed_variables() {
    let mut fixture = Fixture::new();
    let hole = fixture.store.new_var();
    let value = fixture.store.new_struct(functors::MINUS1, &[hole]);
    let addr = fixture.store.allocate(2);
    raw::set_cell(addr, Cell::attributed(addr));
    raw::set_cell(addr + 8, value);
    let var = Cell::attributed(addr);
    // The attributes contain their own variable.
    fixture.store.bind_plain(hole, var);
    let plain = fixture.writeq(var);
    assert!(plain.starts_with('_') && !plain.contains('{'));
    let options = WriteOptions {
        attributes: AttributeMode::Write,
        ..WriteOptions::writeq()
    };
    let text = fixture.write(var, &options);
    assert_eq!(text, format!("{plain}{{-{plain}}}"));
}

#[test]
fn cyclic_terms() {
    let mut fixture = Fixture::new();
    let functor = fixture.functor("s", 1);
    let var = fixture.store.new_var();
    let term = fixture.store.new_struct(functor, &[var]);
    fixture.store.bind_plain(var, term);
    assert_eq!(fixture.writeq(term), "@(S_1,[S_1=s(S_1)])");
    let brief = WriteOptions {
        cycles: false,
        ..WriteOptions::writeq()
    };
    assert_eq!(fixture.write(term, &brief), "s(...)");
    let limited = WriteOptions {
        max_depth: 3,
        ..WriteOptions::writeq()
    };
    assert_eq!(fixture.write(term, &limited), "s(s(s(...)))");

    let tail = fixture.store.new_var();
    let a = fixture.read("a");
    let list = fixture.store.new_list(a, tail);
    fixture.store.bind_plain(tail, list);
    assert_eq!(fixture.writeq(list), "@(S_1,[S_1=[a|S_1]])");
    let pair = fixture.store.new_struct(functors::MINUS2, &[list, term]);
    let text = fixture.writeq(pair);
    assert_eq!(text, "@(S_1-S_2,[S_1=[a|S_1],S_2=s(S_2)])");
}

#[test]
fn shared_terms_are_not_cyclic() {
    let mut fixture = Fixture::new();
    let functor = fixture.functor("s", 2);
    let mut term = fixture.read("a");
    for _ in 0..17 {
        term = fixture.store.new_struct(functor, &[term, term]);
    }
    assert!(fixture.writeq(term).starts_with("s(s(s("));
    assert!(!fixture.is_cyclic(term));
    for _ in 0..60 {
        term = fixture.store.new_struct(functor, &[term, term]);
    }
    assert!(!fixture.is_cyclic(term));
}

#[test]
fn deep_terms() {
    let mut fixture = Fixture::new();
    let functor = fixture.functor("s", 1);
    let mut nested = fixture.read("a");
    let (mut sum, mut negated) = (nested, nested);
    let count = 1_000_000;
    fixture.store.reserve(7 * count).unwrap();
    for _ in 0..count {
        nested = fixture.store.new_struct(functor, &[nested]);
        sum = fixture
            .store
            .new_struct(functors::PLUS2, &[sum, Cell::int(1)]);
        negated = fixture.store.new_struct(functors::MINUS1, &[negated]);
    }
    assert_eq!(fixture.writeq(nested).len(), 3 * count + 1);
    assert_eq!(fixture.writeq(sum).len(), 2 * count + 1);
    assert_eq!(fixture.writeq(negated).len(), 2 * count);
    let items = vec![Cell::int(7); count];
    let list = fixture.store.list_of(&items).unwrap();
    assert_eq!(fixture.writeq(list).len(), 2 * count + 1);
}
