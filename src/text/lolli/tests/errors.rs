//! What is wrong with a text, and where.

use super::super::reader::Rest;
use super::Fixture;

/// Name of the error, what stands at its place, and what stands at the place that explains it.
fn error(text: &str) -> (String, String, String) {
    let mut fixture = Fixture::new();
    let error = match fixture.query(text, &mut 0, Rest::OfLine) {
        Err(error) => error,
        Ok(_) => panic!("{text:?} is right"),
    };
    let at = |start: u32, end: u32| text[start as usize..end as usize].to_owned();
    assert!(!error.message().is_empty());
    (
        error.name().to_owned(),
        at(error.span.start, error.span.end),
        error
            .related
            .map_or_else(String::new, |span| at(span.start, span.end)),
    )
}

#[test]
fn errors_and_their_places() {
    let table = [
        ("f {a}.", "not_an_argument", "{", ""),
        ("f [a].", "not_an_argument", "[", ""),
        ("f forall x \\ p x.", "not_an_argument", "forall", ""),
        ("{a} b.", "operator_expected", "b", ""),
        ("{a} {b}.", "operator_expected", "{", ""),
        ("write (is).", "cannot_start_term", "is", ""),
        ("write (forall).", "bound_name_expected", ")", ""),
        ("() .", "cannot_start_term", ")", ""),
        ("a , , b.", "cannot_start_term", ",", ","),
        ("a , .", "end_of_clause", ".", ","),
        (".", "end_of_clause", ".", ""),
        (":- a.", "cannot_start_term", ":-", ""),
        ("f (a.", "unclosed_bracket", ".", "("),
        ("f (a}.", "mismatched_bracket", "}", "("),
        ("a).", "mismatched_bracket", ")", ""),
        ("{a , (b}.", "mismatched_bracket", "}", "("),
        ("a -> b.", "end_of_clause", ".", "->"),
        ("(a -> b).", "guard_without_else", ")", "->"),
        ("a | b.", "bar_without_guard", "|", ""),
        ("[a | b].", "bar_without_guard", "|", ""),
        ("(a -> b | c | d).", "bar_without_guard", "|", ""),
        ("forall x y \\ p.", "backslash_expected", "y", ""),
        ("forall 1 \\ p.", "bound_name_expected", "1", ""),
        ("forall x.", "end_of_clause", ".", "forall"),
        ("p \\ q.", "stray_backslash", "\\", ""),
        ("a LINEAR b.", "end_of_clause_expected", "LINEAR", ""),
        ("LINEAR b.", "end_of_clause_expected", "LINEAR", ""),
        ("p 'abc.", "unterminated_quoted", "'", ""),
        ("p [].", "not_an_argument", "[", ""),
        ("X = [].", "cannot_start_term", "]", ""),
        ("a ,", "end_of_file", "", ","),
        ("(a", "end_of_file", "", "("),
    ];
    for (text, name, at, related) in table {
        assert_eq!(
            error(text),
            (name.to_owned(), at.to_owned(), related.to_owned()),
            "{text}"
        );
    }
}

#[test]
fn messages_name_the_remedy() {
    let table = [
        (
            "f {a}.",
            "what begins with `{` cannot be an argument as it stands",
            "put the argument in parentheses, as in `f ({a})`",
        ),
        (
            "X = [].",
            "a term was expected, not `]`",
            "the empty list is `nil`, and a list is `a :: b :: nil`",
        ),
        (
            "write (is).",
            "a term was expected, not `is`",
            "for `is` as a name write 'is' in quotes",
        ),
        (
            "a , -5.",
            "the right operand of `,` was expected, not `-`",
            "a negative number is written with `~`, as in `~5`",
        ),
        (
            "forall x y \\ p.",
            "`\\` was expected after `forall x`, not `y`",
            "each quantifier binds one name: `forall x \\ forall y \\ term`",
        ),
    ];
    for (text, message, hint) in table {
        let error = Fixture::new()
            .query(text, &mut 0, Rest::OfLine)
            .unwrap_err();
        assert_eq!(error.message(), message);
        assert_eq!(error.hint().as_deref(), Some(hint));
    }
}

#[test]
fn errors_at_depth() {
    for open in [
        "s (",
        "(",
        "{",
        "a , ",
        "forall x \\ ",
        "a -> b | ",
        "a -> ",
    ] {
        let text = format!("{}) ]. b.\nc.", open.repeat(100_000));
        let mut fixture = Fixture::new();
        let mut pos = 0;
        assert!(fixture.query(&text, &mut pos, Rest::OfLine).is_err());
        assert_eq!(&text[pos..], "c.");
    }
}
