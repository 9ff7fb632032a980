//! Errors: the place, the explanation, and reading on after them.

use super::Reader;
use crate::base::source::Span;

/// The error of the first clause: its name, the text at its place, the text at the place that
/// explains it, and the text that is left.
fn error_of(text: &str) -> (String, String, String, String) {
    let mut pos = 0;
    let error = Reader::new().read(text, &mut pos).unwrap_err();
    let at = |span: Span| text[span.start as usize..span.end as usize].to_owned();
    assert!(!error.message().is_empty());
    (
        error.name().to_owned(),
        at(error.span),
        error.related.map(at).unwrap_or_default(),
        text[pos..].to_owned(),
    )
}

#[test]
fn places_of_errors() {
    let table = [
        ("foo(a b). x.", "operator_expected", "b", "", " x."),
        ("foo(a, b. x.", "unclosed_bracket", ".", "foo(", " x."),
        ("'a b'([1,2). x.", "mismatched_bracket", ")", "[", " x."),
        ("p :- q(a], r. x.", "mismatched_bracket", "]", "q(", " x."),
        ("p :- a)). x.", "mismatched_bracket", ")", "", " x."),
        (
            "p(X) :- q(X)\nr(Y). x.",
            "end_of_clause_expected",
            "r",
            ")",
            " x.",
        ),
        ("p :- a,\nq :- b. x.", "operator_clash", ":-", "q", " x."),
        ("p :- a, foo (b). x.", "operator_expected", "(", "", " x."),
        ("X(a). x.", "variable_functor", "X(", "", " x."),
        ("x = 'a\\qb'. x.", "undefined_char_escape", "\\q", "", " x."),
        (
            "x = 'a\\u4'. x.",
            "unterminated_char_escape",
            "\\u4",
            "",
            " x.",
        ),
        (
            "x = \u{201c}b\u{201d}. x.",
            "typographic_quote",
            "\u{201c}",
            "",
            " x.",
        ),
        ("\\+ = x. x.", "operator_as_operand", "\\+", "", " x."),
        ("x = * y. x.", "operator_as_operand", "*", "", " x."),
        ("p :- , a. x.", "cannot_start_term", ",", "", " x."),
        ("p :- a, . x.", "end_of_clause", ".", "", " x."),
        ("f(a", "end_of_file", "", "f(", ""),
        ("p :- a", "end_of_file", "", "p :- a", ""),
        ("/* b. c.", "unterminated_comment", "/*", "", ""),
        (
            "p('it). \nq('a').",
            "unterminated_quoted",
            "'it). ",
            "",
            "q('a').",
        ),
        ("p(1.0e999). x.", "illegal_number", "1.0e999", "", " x."),
        ("p ~ q. x.", "operator_expected", "~", "", " x."),
        ("[a|b c]. x.", "operator_expected", "c", "", " x."),
        ("[a|b,c]. x.", "list_tail", ",", "[", " x."),
        ("a = b = c. x.", "operator_clash", "=", "", " x."),
    ];
    for (text, name, at, related, rest) in table {
        let expected = (name.into(), at.into(), related.into(), rest.into());
        assert_eq!(error_of(text), expected, "{text:?}");
    }
}

#[test]
fn hints() {
    let table = [
        ("x = \u{2019}a.", Some("write '")),
        ("x = \u{201d}a.", Some("write \"")),
        ("\\+ = x.", Some("write `(\\+)`")),
        (
            "// x.",
            Some("a comment begins with `%`; as a name write `(//)`"),
        ),
        (
            "p :- a, ; b.",
            Some("a goal is missing before `;`; as a name write `(;)`"),
        ),
        ("foo (a).", Some("write `foo(`")),
        (
            "p :- a,\nq :- b.",
            Some("perhaps the clause before this line lacks its final `.`"),
        ),
        ("'\u{b}'.", Some("write \\xb\\")),
        (
            "a \u{2212} b.",
            Some("`\u{2212}` is no operator; write `-`"),
        ),
        (
            "X.b.",
            Some(
                "the `.` that ends a clause is followed by a blank or a new line; \
                 dicts, as in X.key, are not supported",
            ),
        ),
        (
            "a.b.",
            Some(
                "the `.` that ends a clause is followed by a blank or a new line; \
                 the name of a file is quoted, as in 'a.pl'",
            ),
        ),
        ("a(X)?.", Some("a query ends with `.`")),
        ("a ~ b.", None),
        (
            "a b.",
            Some("two terms stand side by side: is `,` or an operator missing?"),
        ),
        ("a <= b.", Some("`<=` is no operator; write `=<`")),
        (
            "a != b.",
            Some("`!=` is no operator; write `\\=` or `=\\=`"),
        ),
        ("a && b.", Some("`&&` is no operator; write `,`")),
        ("a || b.", Some("for `or` write `;`")),
        ("not a.", Some("write `\\+ Goal`, or not(Goal)")),
        (
            "p :- if a then b.",
            Some("a condition is written ( If -> Then ; Else )"),
        ),
        (
            "p :- a,.",
            Some("a comma before the `.` asks for another goal"),
        ),
    ];
    for (text, hint) in table {
        let error = Reader::new().read(text, &mut 0).unwrap_err();
        assert_eq!(error.hint().as_deref(), hint, "{text:?}");
    }
}

#[test]
fn hints_for_what_is_not_supported() {
    let table = [
        (
            "f(x).b.",
            "the `.` that ends a clause is followed by a blank or a new line",
        ),
        (
            "X = _{a: 1}.",
            "dicts are not supported: take library(assoc), library(pairs) or a term of your own",
        ),
        (
            "X = 1r3.",
            "rational numbers are not supported: write a division",
        ),
        (
            "X = {|string(Y)||text|}.",
            "quasi quotations are not supported: write the text in quotes",
        ),
    ];
    for (text, hint) in table {
        let error = Reader::new().read(text, &mut 0).unwrap_err();
        assert_eq!(error.hint().as_deref(), Some(hint), "{text:?}");
    }
}
