//! Module files.

use super::super::reader::ModuleReader;
use super::super::writer::Form;
use super::Fixture;
use crate::base::source::line_column;
use crate::base::watch::Watch;

/// The head of the module and its clauses as they are written, then its errors with their lines.
fn module(text: &str) -> Vec<String> {
    let mut fixture = Fixture::new();
    let mut reader = ModuleReader::new(text, &mut fixture.symbols, &mut fixture.ast).unwrap();
    let mut clauses = Vec::new();
    while let Some(clause) = reader
        .next_clause(&mut fixture.symbols, &mut fixture.ast, &Watch::default())
        .unwrap()
    {
        let term = fixture.build();
        let word = if clause.linear { "LINEAR " } else { "" };
        clauses.push(format!("{word}{}", fixture.write(term, Form::Clause)));
    }
    let texts = |names: &[super::super::reader::Name]| {
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
    found
}

#[test]
fn heads_and_clauses() {
    assert_eq!(
        module(
            "MODULE shop Owner till.\nLOCAL key.\nLOCAL Box lid.\n\n\
             open X :- key X , till.\nLINEAR key 7.\n% the end\nOwner Box."
        ),
        [
            "shop (Owner till) (key Box lid)",
            "open X_1 :- (key_1 X_1 , till_1)",
            "LINEAR key_1 7",
            "Owner_1 Box_1",
        ]
    );
    assert_eq!(
        module("MODULE m. a. LINEAR b. c"),
        ["m () ()", "a", "LINEAR b", "line 1: end_of_file"]
    );
}

#[test]
fn declared_names_are_variables_unless_bound() {
    let mut fixture = Fixture::new();
    let text = "MODULE m x.\nLOCAL f.\np x f (f a) (forall x \\ q x f).";
    let mut reader = ModuleReader::new(text, &mut fixture.symbols, &mut fixture.ast).unwrap();
    assert!(
        reader
            .next_clause(&mut fixture.symbols, &mut fixture.ast, &Watch::default())
            .unwrap()
            .is_some()
    );
    let ast = &fixture.ast;
    let names: Vec<&str> = (0..ast.vars.len() as u32)
        .map(|var| ast.var_name(var))
        .collect();
    assert_eq!(names, ["x", "f"]);
    assert_eq!((ast.vars[0].count, ast.vars[1].count), (1, 3));
}

#[test]
fn all_errors_are_told() {
    assert_eq!(
        module(
            "MODULE m.\np 1. p 2.\nq X :- (p X) , .\nq2\nr :- ) a.\ns [].\nLINEAR t.\n\
             u :- v\nLINEAR w.\nLOCAL z.\ny."
        ),
        [
            "m () ()",
            "p 1",
            "p 2",
            "LINEAR t",
            "LINEAR w",
            "y",
            "line 3: end_of_clause",
            "line 5: cannot_start_term",
            "line 6: not_an_argument",
            "line 9: end_of_clause_expected",
            "line 10: late_local",
        ]
    );
}

#[test]
fn heads_that_are_wrong() {
    assert_eq!(
        module("a. b."),
        ["? () ()", "a", "b", "line 1: module_expected"]
    );
    assert_eq!(module(""), ["? () ()", "line 1: end_of_file"]);
    assert_eq!(module("MODULE m.\n"), ["m () ()", "line 2: no_clauses"]);
    assert_eq!(
        module("MODULE .\na."),
        ["? () ()", "a", "line 1: name_expected"]
    );
    assert_eq!(
        module("MODULE m\na :- b.\nc."),
        ["m (a) ()", "c", "line 2: name_expected"]
    );
    assert_eq!(
        module("MODULE m.\nLOCAL 1.\nc."),
        ["m () ()", "c", "line 2: name_expected"]
    );
    assert_eq!(
        module("MODULE m. 'abc"),
        ["m () ()", "line 1: unterminated_quoted"]
    );
}

#[test]
fn ignored_characters_are_told_once() {
    let text = "# MODULE m # . # a # b. # c # .";
    let mut fixture = Fixture::new();
    let mut reader = ModuleReader::new(text, &mut fixture.symbols, &mut fixture.ast).unwrap();
    let mut clauses = 0;
    while reader
        .next_clause(&mut fixture.symbols, &mut fixture.ast, &Watch::default())
        .unwrap()
        .is_some()
    {
        clauses += 1;
    }
    assert_eq!((clauses, reader.errors.len()), (2, 0));
    assert_eq!(reader.ignored.len(), text.matches('#').count());
}

#[test]
fn a_quote_that_nothing_closes_ends_the_module() {
    for text in [
        "MODULE m.\nLINEAR 'hello world.\n",
        "MODULE m.\nLOCAL 'hello world.\n",
        "MODULE m \n'hello world.\n",
        "MODULE m.\nLINEAR \"hello world.\n",
    ] {
        let found = module(text);
        assert_eq!(found.len(), 2, "{found:?}");
        assert_eq!(found[1], "line 2: unterminated_quoted", "{text}");
    }
}

#[test]
fn a_word_that_begins_a_clause_is_read_once() {
    let found = module("MODULE m.\nLINEAR LINEAR p.\nq :- LINEAR s.\n");
    assert_eq!(found[1..3], ["LINEAR p", "LINEAR s"]);
    assert_eq!(found.len(), 5);
}
