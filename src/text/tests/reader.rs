//! The reader, and the rows of `tests/reader`: texts and the terms that they denote, in canonical
//! form.

use super::{add_operators, placed, programs, set_flags, variables};
use crate::base::atom_table::{Atom, FastMap, Symbols};
use crate::base::flags::Flags;
use crate::base::op_table::OpTable;
use crate::base::source::Span;
use crate::base::watch::Watch;
use crate::data_tests::{Settings, check};
use crate::text::ast::{Ast, Node, NodeId};
use crate::text::char_class::is_unquoted_atom;
use crate::text::clause_extent::ClauseExtent;
use crate::text::numeral::parse_number;
use crate::text::parser::{ReadContext, read_term};
use crate::text::syntax_error::SyntaxError;

/// A reader with its tables.
pub(super) struct Reader {
    pub(super) symbols: Symbols,
    pub(super) ops: OpTable,
    pub(super) flags: Flags,
    conversions: FastMap<char, char>,
    pub(super) ast: Ast,
}

impl Reader {
    pub(super) fn new() -> Reader {
        Reader::with(&Settings::default())
    }

    /// Creates a reader with the settings `ops`, `flags` and `conversions` (pairs of characters).
    fn with(settings: &Settings) -> Reader {
        let mut symbols = Symbols::new().unwrap();
        let mut ops = OpTable::new(&mut symbols).unwrap();
        add_operators(settings, &mut symbols, &mut ops);
        let mut flags = Flags::default();
        set_flags(settings, &mut flags);
        let pairs = settings.list("conversions").map(|pair| {
            let mut pair = pair.chars().filter(|c| *c != ' ');
            (pair.next().unwrap(), pair.next().unwrap())
        });
        let reader = Reader {
            symbols,
            ops,
            flags,
            conversions: pairs.collect(),
            ast: Ast::new(),
        };
        match reader.flags.iso {
            true => reader.strict(),
            false => reader,
        }
    }

    /// Returns another reader with the same tables.
    pub(super) fn copy(&mut self) -> Reader {
        self.symbols.freeze().unwrap();
        Reader {
            symbols: self.symbols.fork(),
            ops: self.ops.copy().unwrap(),
            flags: self.flags.clone(),
            conversions: self.conversions.clone(),
            ast: Ast::new(),
        }
    }

    /// Returns the reader with the flag `iso`.
    pub(super) fn strict(mut self) -> Reader {
        self.flags.iso = true;
        self.ops.apply_iso(true).unwrap();
        self
    }

    pub(super) fn read(&mut self, text: &str, pos: &mut usize) -> Result<bool, SyntaxError> {
        let mut ctx = ReadContext {
            symbols: &mut self.symbols,
            ops: &self.ops,
            flags: &self.flags,
            char_conversions: Some(&self.conversions),
            room: usize::MAX,
            passing: false,
            watch: &Watch::default(),
        };
        read_term(text, pos, &mut ctx, &mut self.ast)
    }

    /// Returns the terms that the text denotes, one after the other; for an error, its name.
    fn all(&mut self, text: &str) -> String {
        let mut pos = 0;
        let mut found = Vec::new();
        loop {
            let before = pos;
            match self.read(text, &mut pos) {
                Ok(true) => found.push(self.written()),
                Ok(false) => return found.join(" / "),
                Err(error) => found.push(format!("error {}", error.name())),
            }
            assert!(pos > before, "no progress in {text:?}");
        }
    }

    /// Returns the place of the first term or the first error.
    fn place(&mut self, text: &str) -> String {
        let mut pos = 0;
        let read = self.read(text, &mut pos);
        placed(text, read, self.ast.span, pos)
    }

    /// Returns the texts of the subterms of the first term, sorted.
    fn parts(&mut self, text: &str) -> String {
        assert_eq!(self.read(text, &mut 0), Ok(true));
        let at = |span: &Span| &text[span.start as usize..span.end as usize];
        let mut places: Vec<&str> = self.ast.spans.iter().map(at).collect();
        places.sort_unstable();
        places.join("   ")
    }

    /// Returns the variables of the first term, each with its number of occurrences and the offset
    /// of the first one.
    fn variables(&mut self, text: &str) -> String {
        assert_eq!(self.read(text, &mut 0), Ok(true));
        variables(&self.ast)
    }

    pub(super) fn written(&self) -> String {
        let mut out = String::new();
        self.write(self.ast.root, &mut out);
        out
    }

    fn write(&self, id: NodeId, out: &mut String) {
        match self.ast.node(id) {
            Node::Var(var) => {
                out.push_str(self.ast.var_name(*var));
                if self.ast.var_name(*var) == "_" {
                    out.push_str(&var.to_string());
                }
            }
            Node::Atom(atom) => out.push_str(&self.quoted(*atom)),
            Node::Int(n) => out.push_str(&n.to_string()),
            Node::Big(big) => out.push_str(&big.to_string()),
            Node::Float(f) => out.push_str(&format!("{f:?}")),
            Node::String(text) => out.push_str(&format!("string({text:?})")),
            Node::Codes(text) => out.push_str(&format!("codes({text:?})")),
            Node::Chars(text) => out.push_str(&format!("chars({text:?})")),
            Node::Compound { functor, first } => {
                out.push_str(&self.quoted(self.symbols.name(*functor)));
                out.push('(');
                for (nth, &arg) in self.ast.arguments(*functor, *first).iter().enumerate() {
                    if nth > 0 {
                        out.push(',');
                    }
                    self.write(arg, out);
                }
                out.push(')');
            }
        }
    }

    fn quoted(&self, atom: Atom) -> String {
        let text = self.symbols.text(atom);
        if is_unquoted_atom(text) {
            return text.to_owned();
        }
        let escaped: String = text
            .chars()
            .map(|c| match c {
                '\'' | '\\' => format!("\\{c}"),
                c if c.is_control() => format!("\\x{:x}\\", u32::from(c)),
                c => c.to_string(),
            })
            .collect();
        format!("'{escaped}'")
    }
}

/// Returns the number that the whole text denotes; `ops` lists further operators.
fn number(settings: &Settings, reader: &Reader, text: &str) -> String {
    let names = || {
        settings
            .list("ops")
            .flat_map(|entry| entry.rsplit(' ').next())
    };
    let is_operator = |name: &str| Ok(names().any(|known| known == name));
    match parse_number(text, &reader.flags, is_operator, &Watch::default()) {
        Ok(number) => format!("{number:?}"),
        Err(error) => format!("error {}", error.name()),
    }
}

/// Returns the clause at the beginning of the text.
fn clause(text: &str, extent: ClauseExtent) -> String {
    text[..extent.end_in(text, 0)].to_owned()
}

/// Returns whether a clause has begun in the text.
fn has_begun(text: &str) -> String {
    let mut extent = ClauseExtent::new(Flags::default().lexis());
    let mut chars = text.chars().peekable();
    while let Some(c) = chars.next() {
        extent.push(c, chars.peek().copied());
    }
    let answer = if extent.has_begun() { "yes" } else { "no" };
    answer.to_owned()
}

#[test]
fn rows() {
    let known = &["shows", "flags", "ops", "conversions"];
    check("tests/reader", known, |settings, text| {
        let mut reader = Reader::with(settings);
        match settings.get("shows") {
            "" => reader.all(text),
            "beyond iso" => {
                let strict = Reader::with(settings).strict().all(text);
                match strict.starts_with("error ") {
                    true => reader.all(text),
                    false => format!("{strict} with iso"),
                }
            }
            "place" => reader.place(text),
            "parts" => reader.parts(text),
            "variables" => reader.variables(text),
            "hint" => {
                let error = reader.read(text, &mut 0).unwrap_err();
                error.hint().unwrap_or("none".to_owned())
            }
            "number" => number(settings, &reader, text),
            "clause" => clause(text, ClauseExtent::new(reader.flags.lexis())),
            "typed clause" => clause(text, ClauseExtent::typed(reader.flags.lexis())),
            "begun" => has_begun(text),
            other => programs::syntax_result(other, text)
                .unwrap_or_else(|| panic!("nothing shows {other}")),
        }
    });
}
