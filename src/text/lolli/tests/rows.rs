//! The rows of `tests/reader/lolli` and `tests/writer/lolli`, and terms that no text of Lolli denotes.

use super::Fixture;
use crate::base::atom_table::functors;
use crate::base::source::line_column;
use crate::base::watch::Watch;
use crate::data_tests::check;
use crate::store::cell::Cell;
use crate::text::ast::{Node, NodeId};
use crate::text::lolli::names::EIGEN;
use crate::text::lolli::reader::{ModuleReader, Name, QueryEnd, Rest};
use crate::text::lolli::writer::Form;
use crate::text::tests::{placed, variables};

/// Returns the queries that are read from the text, one after the other; for an error, its name.
fn queries(text: &str, rest: Rest) -> String {
    let mut fixture = Fixture::new();
    let mut pos = 0;
    let mut found = Vec::new();
    loop {
        let before = pos;
        match fixture.query(text, &mut pos, rest) {
            Ok(QueryEnd::Absent) => return found.join(" / "),
            Ok(end) => {
                let term = fixture.build();
                let sign = if end == QueryEnd::Dot { "." } else { "" };
                found.push(fixture.write(term, Form::Goal) + sign);
            }
            Err(error) => found.push(format!("error {}", error.name())),
        }
        assert!(pos > before, "no progress in {text:?}");
    }
}

/// Returns the place of the query or of its error.
fn place(text: &str) -> String {
    let mut fixture = Fixture::new();
    let mut pos = 0;
    let read = fixture.query(text, &mut pos, Rest::OfLine);
    placed(text, read, fixture.ast.span, pos)
}

/// Returns the message and the hint of an error.
fn message(text: &str) -> String {
    let read = Fixture::new().query(text, &mut 0, Rest::OfLine);
    let error = read.unwrap_err();
    let hint = error.hint().unwrap_or_default();
    format!("{}\n{hint}", error.message())
}

/// Returns whether more text may finish the query.
fn is_unfinished(text: &str) -> String {
    let unfinished = match Fixture::new().query(text, &mut 0, Rest::OfLine) {
        Ok(end) => end == QueryEnd::Text,
        Err(error) => error.is_unfinished(),
    };
    let answer = if unfinished { "yes" } else { "no" };
    answer.to_owned()
}

impl Fixture {
    /// Returns a term in functional notation, which distinguishes bound names and applications from
    /// other terms.
    fn functional(&self, id: NodeId) -> String {
        match self.ast.node(id) {
            Node::Var(var) => self.ast.var_name(*var).to_owned(),
            Node::Atom(atom) => self.symbols.text(*atom).to_owned(),
            Node::Int(value) => value.to_string(),
            Node::String(text) => format!("{text:?}"),
            Node::Compound { functor, first } => {
                let args = self.ast.arguments(*functor, *first).iter();
                let args: Vec<String> = args.map(|&arg| self.functional(arg)).collect();
                let name = self.symbols.text(self.symbols.name(*functor));
                format!("{name}({})", args.join(","))
            }
            other => panic!("{other:?}"),
        }
    }

    /// Returns the subterms of a query, each with its place, one per line.
    fn parts(&mut self, text: &str) -> String {
        self.read(text);
        let ids = (0..self.ast.nodes.len()).map(|index| NodeId(index as u32));
        let parts = ids.map(|id| {
            let span = self.ast.span(id);
            let place = &text[span.start as usize..span.end as usize];
            format!("{}   {place}", self.functional(id))
        });
        parts.collect::<Vec<_>>().join("\n")
    }
}

/// Returns the parts of a module, one per line: its head, its clauses as they are written, its errors with their
/// lines, and the number of ignored characters. With `of_variables`, returns the variables of each clause instead of
/// the clause.
fn module(text: &str, of_variables: bool) -> String {
    let mut fixture = Fixture::new();
    let mut reader = ModuleReader::new(text, &mut fixture.symbols, &mut fixture.ast).unwrap();
    let mut clauses = Vec::new();
    while let Some(clause) = reader
        .next_clause(&mut fixture.symbols, &mut fixture.ast, &Watch::default())
        .unwrap()
    {
        if of_variables {
            clauses.push(variables(&fixture.ast));
            continue;
        }
        let term = fixture.build();
        let word = if clause.linear { "LINEAR " } else { "" };
        clauses.push(format!("{word}{}", fixture.write(term, Form::Clause)));
    }
    let texts = |names: &[Name]| {
        let texts: Vec<&str> = names.iter().map(|name| &*name.text).collect();
        texts.join(" ")
    };
    let mut found = vec![format!(
        "{} ({}) ({})",
        reader.name.as_ref().map_or("?", |name| &*name.text),
        texts(&reader.params),
        texts(&reader.locals)
    )];
    found.extend(clauses);
    for error in &reader.errors {
        let (line, _) = line_column(text, error.span.start as usize);
        found.push(format!("line {line}: {}", error.name()));
    }
    if !reader.ignored.is_empty() {
        found.push(format!("ignored: {}", reader.ignored.len()));
    }
    found.join("\n")
}

#[test]
fn reader_rows() {
    check("tests/reader/lolli", &["shows"], |settings, text| {
        let mut fixture = Fixture::new();
        match settings.get("shows") {
            "" => {
                let term = fixture.read(text);
                fixture.write(term, Form::Raw)
            }
            "functional" => {
                fixture.read(text);
                fixture.functional(fixture.ast.root)
            }
            "parts" => fixture.parts(text),
            "variables" => {
                fixture.read(text);
                variables(&fixture.ast)
            }
            "ignored" => {
                fixture.read(text);
                let ignored = fixture.ignored.iter();
                let ignored: Vec<String> = ignored.map(|span| span.start.to_string()).collect();
                ignored.join(", ")
            }
            "place" => place(text),
            "message" => message(text),
            "unfinished" => is_unfinished(text),
            "queries of lines" => queries(text, Rest::OfLine),
            "query of a text" => queries(text, Rest::OfText),
            "module" => module(text, false),
            "variables of a module" => module(text, true),
            other => panic!("nothing shows {other}"),
        }
    });
}

#[test]
fn writer_rows() {
    let known = &["form", "in"];
    check("tests/writer/lolli", known, |settings, text| {
        let form = match settings.get("form") {
            "goal" => Form::Goal,
            "clause" => Form::Clause,
            "sans" => Form::Sans,
            "raw" => Form::Raw,
            other => panic!("no form: {other}"),
        };
        let mut fixture = Fixture::new();
        if settings.get("in").is_empty() {
            let term = fixture.read(text);
            return fixture.write(term, form);
        }
        let term = fixture.read(settings.get("in"));
        let var = fixture.variables[0].0;
        let value = fixture.read(text);
        fixture.store.bind_plain(var, value);
        fixture.write(term, form)
    });
}

#[test]
fn constants_of_quantifiers() {
    let mut fixture = Fixture::new();
    let eigen = fixture.functor(EIGEN, 2);
    let x = fixture.symbols.intern("x").unwrap();
    let constant = fixture
        .store
        .new_struct(eigen, &[Cell::atom(x), Cell::int(12)]);
    assert_eq!(fixture.write(constant, Form::Goal), "!x12");
    assert_eq!(fixture.write(constant, Form::Raw), "!x12");
    let term = fixture.read("p (X a)");
    let (_, addr) = fixture.store.compound(term).unwrap();
    let var = fixture.variables[0].0;
    fixture.store.bind_plain(var, constant);
    assert_eq!(fixture.write(term, Form::Goal), "p (!x12 a)");
    let argument = fixture.store.arg(addr, 0);
    assert_eq!(fixture.write(argument, Form::Raw), "(!x12 a)");
}

#[test]
fn terms_of_prolog() {
    let mut fixture = Fixture::new();
    let a = fixture.read("a");
    let float = fixture.store.new_float(-1.5);
    let list = fixture.store.list_of(&[a, float]).unwrap();
    assert_eq!(fixture.write(list, Form::Goal), "[a, ~1.5]");
    // This term cannot be made in Lolli, and it is infinite.
    let hole = fixture.store.new_var();
    let cyclic = fixture.store.new_struct(functors::PLUS2, &[a, hole]);
    fixture.store.bind_plain(hole, cyclic);
    assert_eq!(fixture.write(cyclic, Form::Goal), "a + ...");
}
