//! Tests of Lolli text: the rows of `tests/reader/lolli` and `tests/writer/lolli`, terms that no text denotes, deep
//! terms, and reading of written terms.

mod deep;
mod round_trip;
mod rows;

use super::reader::{QueryEnd, Rest, read_query};
use super::writer::{Env, Form, push_name, term_text};
use crate::base::atom_table::{Functor, Symbols};
use crate::base::source::Span;
use crate::store::cell::Cell;
use crate::store::heap::Store;
use crate::text::ast::Ast;
use crate::text::syntax_error::SyntaxError;
use crate::text::tests::build;

/// A reader and a writer with their tables.
struct Fixture {
    store: Store,
    symbols: Symbols,
    ast: Ast,
    ignored: Vec<Span>,
    /// The variables of the last term that was built.
    variables: Vec<(Cell, String)>,
}

impl Fixture {
    fn new() -> Fixture {
        Fixture {
            store: Store::new(1 << 30).unwrap(),
            symbols: Symbols::new().unwrap(),
            ast: Ast::new(),
            ignored: Vec::new(),
            variables: Vec::new(),
        }
    }

    fn functor(&mut self, name: &str, arity: usize) -> Functor {
        let name = self.symbols.intern(name).unwrap();
        self.symbols.functor(name, arity).unwrap()
    }

    /// Reads a query into the tree.
    fn query(&mut self, text: &str, pos: &mut usize, rest: Rest) -> Result<QueryEnd, SyntaxError> {
        let (symbols, ast) = (&mut self.symbols, &mut self.ast);
        read_query(text, pos, rest, symbols, ast, &mut self.ignored, None)
    }

    /// Returns the term of this text on the heap.
    fn read(&mut self, text: &str) -> Cell {
        match self.query(text, &mut 0, Rest::OfText) {
            Ok(QueryEnd::Absent) => panic!("nothing in {text:?}"),
            Ok(_) => self.build(),
            Err(error) => panic!("{text:?}: {}", error.message()),
        }
    }

    /// Returns the term of the tree on the heap.
    fn build(&mut self) -> Cell {
        let (vars, root) = build(&self.ast, &mut self.store, &mut self.symbols);
        let names = (0..).map(|index| {
            let mut name = String::new();
            push_name(&mut name, self.ast.var_name(index)).unwrap();
            name
        });
        self.variables = vars.into_iter().zip(names).collect();
        root
    }

    fn write(&self, term: Cell, form: Form) -> String {
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
