//! Tests of the Prolog reader: texts and what they denote, written out canonically. Lolli texts are tested in
//! `text/lolli/tests`, the writer in `text::write_tests`.

mod deep;
mod errors;
mod extent;
mod faces;
mod operators;
mod terms;
mod tokens;

use super::ast::{Ast, Node, NodeId};
use super::parser::{ReadContext, read_term};
use super::syntax_error::SyntaxError;
use crate::base::flags::Flags;
use crate::base::op_table::{OpTable, OpType};
use crate::base::symbol::{FastMap, Symbols};

/// A reader with its tables.
struct Reader {
    symbols: Symbols,
    ops: OpTable,
    flags: Flags,
    conversions: FastMap<char, char>,
    ast: Ast,
}

impl Reader {
    fn new() -> Reader {
        let mut symbols = Symbols::new().unwrap();
        let ops = OpTable::new(&mut symbols).unwrap();
        let conversions = FastMap::default();
        Reader {
            symbols,
            ops,
            flags: Flags::default(),
            conversions,
            ast: Ast::new(),
        }
    }

    /// Another one with the same tables.
    fn copy(&self) -> Reader {
        Reader {
            symbols: self.symbols.clone(),
            ops: self.ops.copy().unwrap(),
            flags: self.flags.clone(),
            conversions: self.conversions.clone(),
            ast: Ast::new(),
        }
    }

    /// The same with the flag `iso`.
    fn strict(mut self) -> Reader {
        self.flags.iso = true;
        self.ops.take_face(true).unwrap();
        self
    }

    /// With operators `"priority type name"`, separated by `;`.
    fn with_ops(ops: &str) -> Reader {
        let mut reader = Reader::new();
        for entry in ops
            .split(';')
            .map(str::trim)
            .filter(|entry| !entry.is_empty())
        {
            let mut words = entry.splitn(3, ' ');
            let priority = words.next().unwrap().parse().unwrap();
            let op_type = OpType::from_name(words.next().unwrap()).unwrap();
            let name = reader.symbols.intern(words.next().unwrap_or("")).unwrap();
            reader.ops.add(name, priority, op_type).unwrap();
        }
        reader
    }

    fn read(&mut self, text: &str, pos: &mut usize) -> Result<bool, SyntaxError> {
        let mut ctx = ReadContext {
            symbols: &mut self.symbols,
            ops: &self.ops,
            flags: &self.flags,
            char_conversions: Some(&self.conversions),
            room: usize::MAX,
            passing: false,
            watch: &crate::base::watch::Watch::default(),
        };
        read_term(text, pos, &mut ctx, &mut self.ast)
    }

    /// What the terms of the text denote, one after the other; of an error its name.
    fn all(&mut self, text: &str) -> Vec<String> {
        let mut pos = 0;
        let mut found = Vec::new();
        loop {
            let before = pos;
            match self.read(text, &mut pos) {
                Ok(true) => found.push(self.written()),
                Ok(false) => return found,
                Err(error) => found.push(format!("error {}", error.name())),
            }
            assert!(pos > before, "no progress in {text:?}");
        }
    }

    /// What the only term of the text denotes.
    fn one(&mut self, text: &str) -> String {
        self.all(text).join(" / ")
    }

    /// What the first term of the text denotes; it stays in the tree.
    fn first(&mut self, text: &str) -> String {
        assert_eq!(self.read(text, &mut 0), Ok(true));
        self.written()
    }

    fn written(&self) -> String {
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

    fn quoted(&self, atom: crate::base::symbol::Atom) -> String {
        let text = self.symbols.text(atom);
        if super::char_class::is_unquoted_atom(text) {
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

/// Checks a table of texts, each with what it denotes.
fn check(reader: impl Fn() -> Reader, table: &[(&str, &str)]) {
    let mut wrong = Vec::new();
    for &(text, expected) in table {
        let got = reader().one(text);
        if got != expected {
            wrong.push(format!(
                "{text:?}\n    gives    {got}\n    expected {expected}"
            ));
        }
    }
    assert!(wrong.is_empty(), "\n{}", wrong.join("\n"));
}

/// Checks a table with the default operators.
fn check_plain(table: &[(&str, &str)]) {
    check(Reader::new, table);
}
