//! Tests of texts: the rows of `tests/reader` and `tests/writer`, deep terms, random texts and random terms. The
//! behavior of the reader as programs see it is tested in `tests/cases`.

mod deep;
mod programs;
mod random_terms;
mod random_texts;
mod reader;
mod writer;

use super::ast::{Ast, Node};
use super::syntax_error::SyntaxError;
use crate::base::atom_table::Symbols;
use crate::base::flags::{Flags, QuoteMode};
use crate::base::op_table::{OpTable, OpType};
use crate::base::source::Span;
use crate::data_tests::{Settings, decode};
use crate::store::cell::Cell;
use crate::store::heap::{Store, View};

use reader::Reader;
pub(crate) use writer::Fixture;

/// Adds the operators of the setting `ops`, as in `ops: 700 xfx ===, 200 xfy ^`.
fn add_operators(settings: &Settings, symbols: &mut Symbols, ops: &mut OpTable) {
    for entry in settings.list("ops") {
        let words: Vec<&str> = entry.split(' ').collect();
        let [priority, op_type, name] = words[..] else {
            panic!("no operator: {entry}")
        };
        let name = symbols.intern(&decode(name).unwrap()).unwrap();
        let op_type = OpType::from_name(op_type).unwrap();
        ops.add(name, priority.parse().unwrap(), op_type).unwrap();
    }
}

/// Sets the flags of the setting `flags`, as in `flags: iso, double_quotes=atom`.
fn set_flags(settings: &Settings, flags: &mut Flags) {
    for entry in settings.list("flags") {
        let (name, value) = entry.split_once('=').unwrap_or((entry, "true"));
        let on = value == "true";
        let mode = || match value {
            "codes" => QuoteMode::Codes,
            "chars" => QuoteMode::Chars,
            "atom" => QuoteMode::Atom,
            "string" => QuoteMode::String,
            _ => panic!("no way to read quotes: {value}"),
        };
        match name {
            "iso" => flags.iso = on,
            "var_prefix" => flags.var_prefix = on,
            "variable_functors" => flags.variable_functors = on,
            "char_conversion" => flags.char_conversion = on,
            "character_escapes" => flags.character_escapes = on,
            "double_quotes" => flags.double_quotes = mode(),
            "back_quotes" => flags.back_quotes = mode(),
            _ => panic!("no flag: {name}"),
        }
    }
}

/// Returns the text with `«»` around a place, `‹›` around the place that explains it, and `▸` where reading
/// continues.
fn marked(text: &str, place: Span, related: Option<Span>, end: usize) -> String {
    let mut marks: Vec<(usize, u8, &str)> = Vec::new();
    let places = [(Some(place), "«", "»"), (related, "‹", "›")];
    for (place, open, close) in places {
        let Some(Span { start, end }) = place else {
            continue;
        };
        let (start, end) = (start as usize, end as usize);
        let order = if start == end { [1, 1] } else { [2, 0] };
        marks.extend([(start, order[0], open), (end, order[1], close)]);
    }
    marks.push((end, 1, "▸"));
    marks.sort_by_key(|&(at, order, _)| (at, order));
    let (mut out, mut done) = (String::new(), 0);
    for (at, _, mark) in marks {
        out.push_str(&text[done..at]);
        out.push_str(mark);
        done = at;
    }
    out + &text[done..]
}

/// Returns the place of a term or an error in a text; for an error, also its name.
pub(in crate::text) fn placed<T>(
    text: &str,
    read: Result<T, SyntaxError>,
    term: Span,
    end: usize,
) -> String {
    match read {
        Ok(_) => marked(text, term, None, end),
        Err(error) => {
            assert!(!error.message().is_empty());
            let text = marked(text, error.span, error.related, end);
            format!("{}: {text}", error.name())
        }
    }
}

/// Returns the variables of a tree, each with its number of occurrences and the offset of the first
/// one.
pub(in crate::text) fn variables(ast: &Ast) -> String {
    let variables = (0..).zip(&ast.vars).map(|(index, var)| {
        let name = ast.var_name(index);
        format!("{name}: {} from {}", var.count, var.first.start)
    });
    variables.collect::<Vec<_>>().join(", ")
}

/// Returns the variables and the root of a tree, on the heap. Children come before their parents in
/// the tree.
pub(in crate::text) fn build(
    ast: &Ast,
    store: &mut Store,
    symbols: &mut Symbols,
) -> (Vec<Cell>, Cell) {
    let vars: Vec<Cell> = ast.vars.iter().map(|_| store.new_var()).collect();
    let mut cells: Vec<Cell> = Vec::new();
    for node in &ast.nodes {
        cells.push(match node {
            Node::Var(var) => vars[*var as usize],
            Node::Atom(atom) => Cell::atom(*atom),
            Node::Int(value) => store.new_int(*value),
            Node::Big(value) => store.new_big(value).unwrap(),
            Node::Float(value) => store.new_float(*value),
            Node::String(text) => store.new_string(text).unwrap(),
            Node::Codes(text) => {
                let codes: Vec<Cell> = text.chars().map(|c| Cell::int(c as i64)).collect();
                store.list_of(&codes).unwrap()
            }
            Node::Chars(text) => {
                let chars = text.chars();
                let chars: Vec<Cell> = chars
                    .map(|c| Cell::atom(symbols.intern_char(c).unwrap()))
                    .collect();
                store.list_of(&chars).unwrap()
            }
            Node::Compound { functor, first } => {
                let args = ast.arguments(*functor, *first).iter();
                let args: Vec<Cell> = args.map(|id| cells[id.0 as usize]).collect();
                store.new_struct(*functor, &args)
            }
        });
    }
    (vars, cells[ast.root.0 as usize])
}

/// Returns whether two terms are the same except for variables.
pub(in crate::text) fn same(store: &Store, one: Cell, other: Cell) -> bool {
    let mut pending = vec![(one, other)];
    while let Some((a, b)) = pending.pop() {
        let (a, b) = (store.deref(a), store.deref(b));
        let (addr, other, arity) = match (store.view(a), store.view(b)) {
            (View::Var(_), View::Var(_)) => continue,
            (View::Float(a), View::Float(b)) if a.to_bits() == b.to_bits() => continue,
            (View::Big(a), View::Big(b)) if store.big(a) == store.big(b) => continue,
            (View::String(a), View::String(b)) if store.text(a) == store.text(b) => continue,
            (a @ (View::Atom(_) | View::Int(_)), b) if a == b => continue,
            (View::List(a), View::List(b)) => (a, b, 2),
            (View::Struct(f, a), View::Struct(g, b)) if f == g => (a, b, f.arity()),
            _ => return false,
        };
        pending.extend((0..arity).map(|index| (store.arg(addr, index), store.arg(other, index))));
    }
    true
}

/// A generator of numbers that are the same in every run.
pub(in crate::text) struct Random(pub(in crate::text) u64);

impl Random {
    pub(in crate::text) fn below(&mut self, limit: usize) -> usize {
        self.0 ^= self.0 << 13;
        self.0 ^= self.0 >> 7;
        self.0 ^= self.0 << 17;
        (self.0.wrapping_mul(0x2545_f491_4f6c_dd1d) >> 33) as usize % limit
    }

    pub(in crate::text) fn of<T: Copy>(&mut self, items: &[T]) -> T {
        items[self.below(items.len())]
    }
}
