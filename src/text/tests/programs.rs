//! The rows of `tests/reader` about programs whose terms are not read: queries, tests, lexemes.

use crate::base::flags::Flags;
use crate::base::source::Span;
use crate::text::lexemes::lexemes;
use crate::text::query_tests::{
    Part, Parts, QueryText, Syntax, split_outside, tests_of_program, without_tests,
};

/// Returns the queries, each with its label, and below it its answer.
fn queries(text: &str, queries: impl IntoIterator<Item = QueryText>) -> String {
    let slice = |span: Span| &text[span.start as usize..span.end as usize];
    let shown = queries.into_iter().map(|query| {
        let label = query
            .label
            .map_or(String::new(), |label| format!("{} ", slice(label)));
        let answer = query.answer.map_or("no answer", slice);
        format!("{label}?- {}\n{answer}", slice(query.goal).trim())
    });
    shown.collect::<Vec<_>>().join("\n")
}

/// Returns the words that remain without the tests. Checks that they keep their places.
fn left(text: &str, syntax: Syntax) -> String {
    let Some(left) = without_tests(text, syntax).unwrap() else {
        return "no tests".to_owned();
    };
    assert_eq!(left.len(), text.len());
    for (here, there) in left.bytes().zip(text.bytes()) {
        assert!(here == there || here == b' ' && there != b'\n');
    }
    left.split_whitespace().collect::<Vec<_>>().join(" ")
}

/// Returns the result for a text, if `what` names one of these.
pub(super) fn syntax_result(what: &str, text: &str) -> Option<String> {
    let (what, syntax) = match what.strip_suffix(" of Lolli") {
        Some(what) => (what, Syntax::Lolli),
        None => (what, Syntax::Prolog),
    };
    let slice = |span: Span| &text[span.start as usize..span.end as usize];
    Some(match what {
        "queries" => {
            let parts = Parts::new(text, syntax);
            let found = parts.filter_map(|part| match part {
                Part::Query(query) => Some(query),
                Part::Clause(_) => None,
            });
            queries(text, found)
        }
        "tests" => queries(text, tests_of_program(text, syntax).unwrap()),
        "left" => left(text, syntax),
        "pieces" => {
            let pieces = split_outside(text, ';', syntax).unwrap().into_iter();
            let pieces: Vec<&str> = pieces.map(|span| slice(span).trim()).collect();
            pieces.join(" / ")
        }
        "lexemes" => {
            let lexis = Flags::default().lexis().with_module_goals(true);
            let found = lexemes(text, lexis).unwrap().into_iter();
            let found = found.map(|(span, lexeme)| format!("{lexeme:?} {}", slice(span)));
            found.collect::<Vec<_>>().join("\n")
        }
        _ => return None,
    })
}
