//! Where queries begin and end.

use super::super::reader::{QueryEnd, Rest};
use super::super::writer::Form;
use super::Fixture;
use crate::base::source::Span;

/// What is read of the text, one query after the other; of an error its name.
fn all(text: &str, rest: Rest) -> Vec<String> {
    let mut fixture = Fixture::new();
    let mut pos = 0;
    let mut found = Vec::new();
    loop {
        let before = pos;
        match fixture.query(text, &mut pos, rest) {
            Ok(QueryEnd::Absent) => return found,
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

#[test]
fn a_line_holds_one_query() {
    let wrong = "error end_of_query";
    assert_eq!(all("a. b.\nc.\n", Rest::OfLine), [wrong, "c."]);
    assert_eq!(all("a. \t% b.\nc.\n", Rest::OfLine), ["a.", "c."]);
    assert_eq!(all("a.b", Rest::OfLine), [wrong]);
    assert_eq!(all("a\n, b\n. c", Rest::OfLine), [wrong]);
}

#[test]
fn a_text_of_a_host_holds_one_query() {
    let wrong = "error end_of_query";
    assert_eq!(all("a. b.", Rest::OfText), [wrong]);
    assert_eq!(all("a.\nb.", Rest::OfText), [wrong]);
    assert_eq!(all("a.\n % b\n % c", Rest::OfText), ["a."]);
}

#[test]
fn the_end_of_the_text_ends_a_query() {
    assert_eq!(all("a , b", Rest::OfLine), ["a , b"]);
    assert_eq!(all("a.\n\n% done", Rest::OfLine), ["a."]);
    assert_eq!(all("", Rest::OfLine), Vec::<String>::new());
    assert_eq!(all(" % x", Rest::OfText), Vec::<String>::new());
}

#[test]
fn dots_that_end_nothing() {
    assert_eq!(
        all("p \"a. b\" 'c. d' e^. f.", Rest::OfLine),
        ["p \"a. b\" c^.^ d e^. f."]
    );
    assert_eq!(all("p % a.\n q.", Rest::OfLine), ["p q."]);
}

#[test]
fn reading_goes_on_after_an_error() {
    assert_eq!(
        all("f {a}. b.\nc.", Rest::OfLine),
        ["error not_an_argument", "c."]
    );
    assert_eq!(
        all("f {a}. b.\nc.", Rest::OfText),
        ["error not_an_argument"]
    );
}

#[test]
fn unfinished_queries_are_known() {
    let table = [
        ("a", true),
        ("a ,", true),
        ("f (a", true),
        ("a -> b", true),
        ("forall x", true),
        ("p \"abc", true),
        ("a ) ", false),
        ("f {", false),
        ("() ", false),
    ];
    for (text, expected) in table {
        let got = match Fixture::new().query(text, &mut 0, Rest::OfLine) {
            Ok(end) => end == QueryEnd::Text,
            Err(error) => error.is_unfinished(),
        };
        assert_eq!(got, expected, "{text}");
    }
}

#[test]
fn characters_without_meaning_are_left_out() {
    let mut fixture = Fixture::new();
    let term = fixture.read("a @ b # . ");
    assert_eq!(fixture.write(term, Form::Goal), "a b");
    assert_eq!(fixture.ignored, [Span::new(2, 3), Span::new(6, 7)]);
}
