//! Tests of Lolli text: what terms mean, how they are written, what is wrong with a text and where,
//! and that what is written is read back.

mod errors;
mod modules;
mod queries;
mod round_trip;
mod terms;
mod writing;

use super::reader::{QueryEnd, Rest, read_query};
use super::writer::{Env, Form, push_name, term_text};
use crate::base::source::Span;
use crate::base::symbol::Symbols;
use crate::store::cell::Cell;
use crate::store::heap::Store;
use crate::text::ast::{Ast, Node};
use crate::text::syntax_error::SyntaxError;

/// A reader and a writer with what they need.
pub(super) struct Fixture {
    pub(super) store: Store,
    pub(super) symbols: Symbols,
    pub(super) ast: Ast,
    pub(super) ignored: Vec<Span>,
    /// The variables of the last term made.
    pub(super) variables: Vec<(Cell, String)>,
}

impl Fixture {
    pub(super) fn new() -> Fixture {
        Fixture {
            store: Store::new(1 << 30).unwrap(),
            symbols: Symbols::new().unwrap(),
            ast: Ast::new(),
            ignored: Vec::new(),
            variables: Vec::new(),
        }
    }

    /// Reads a query into the tree.
    pub(super) fn query(
        &mut self,
        text: &str,
        pos: &mut usize,
        rest: Rest,
    ) -> Result<QueryEnd, SyntaxError> {
        read_query(
            text,
            pos,
            rest,
            &mut self.symbols,
            &mut self.ast,
            &mut self.ignored,
            None,
        )
    }

    /// The term of this text on the heap.
    pub(super) fn read(&mut self, text: &str) -> Cell {
        match self.query(text, &mut 0, Rest::OfText) {
            Ok(QueryEnd::Absent) => panic!("nothing in {text:?}"),
            Ok(_) => self.build(),
            Err(error) => panic!("{text:?}: {}", error.message()),
        }
    }

    /// The term of the tree on the heap. Children come before their parents there.
    pub(super) fn build(&mut self) -> Cell {
        let Fixture {
            store,
            symbols: _,
            ast,
            ..
        } = self;
        let vars: Vec<Cell> = ast.vars.iter().map(|_| store.new_var()).collect();
        let mut cells: Vec<Cell> = Vec::new();
        for node in &ast.nodes {
            cells.push(match node {
                Node::Var(var) => vars[*var as usize],
                Node::Atom(atom) => Cell::atom(*atom),
                Node::Int(value) => store.new_int(*value),
                Node::Big(value) => store.new_big(value).unwrap(),
                Node::String(text) => store.new_string(text).unwrap(),
                Node::Compound { functor, first } => {
                    let args: Vec<Cell> = ast
                        .arguments(*functor, *first)
                        .iter()
                        .map(|id| cells[id.0 as usize])
                        .collect();
                    store.new_struct(*functor, &args)
                }
                other => panic!("no Lolli text makes {other:?}"),
            });
        }
        self.variables = (0..)
            .zip(vars)
            .map(|(index, cell)| {
                let mut name = String::new();
                push_name(&mut name, ast.var_name(index)).unwrap();
                (cell, name)
            })
            .collect();
        cells[self.ast.root.0 as usize]
    }

    pub(super) fn write(&self, term: Cell, form: Form) -> String {
        let variable = |cell: Cell| {
            let known = self.variables.iter().find(|(var, _)| *var == cell);
            known.map_or_else(|| "_0".to_owned(), |(_, name)| format!("{name}_1"))
        };
        let env = Env {
            store: &self.store,
            symbols: &self.symbols,
            variable: &variable,
        };
        term_text(&env, term, form).unwrap()
    }
}

/// Checks a table of texts, each with how its term is written in this form.
pub(super) fn check(form: Form, table: &[(&str, &str)]) {
    let mut wrong = Vec::new();
    for &(text, expected) in table {
        let mut fixture = Fixture::new();
        let term = fixture.read(text);
        let got = fixture.write(term, form);
        if got != expected {
            wrong.push(format!(
                "{text:?}\n    gives    {got}\n    expected {expected}"
            ));
        }
    }
    assert!(wrong.is_empty(), "\n{}", wrong.join("\n"));
}
