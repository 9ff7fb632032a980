//! Lolli terms too deep for recursion, read and written.

use super::{Fixture, QueryEnd, Rest};
use crate::base::atom_table::functors;
use crate::text::lolli::writer::Form;

#[test]
fn depth_of_texts_is_not_limited() {
    let depth = 1_000_000;
    let table = [
        ("s (", "z", ")"),
        ("(", "z", ")"),
        ("{", "z", "}"),
        ("a , ", "z", ""),
        ("a - ", "z", ""),
        ("forall x \\ ", "x", ""),
        ("a -> b | ", "z", ""),
        ("(", "f", " a)"),
        ("(", "f", " (g a))"),
        ("a -> ", "b", " | c"),
    ];
    for (open, middle, close) in table {
        // The arguments of heads in parentheses are copied at each level if they are compounds, so
        // the depth is small.
        let depth = if close == " (g a))" { 3_000 } else { depth };
        let text = format!("{}{middle}{}.", open.repeat(depth), close.repeat(depth));
        let mut fixture = Fixture::new();
        let end = fixture.query(&text, &mut 0, Rest::OfLine);
        assert_eq!(end, Ok(QueryEnd::Dot), "{open}");
    }
}

#[test]
fn depth_of_terms_is_not_limited() {
    let depth = 1_000_000;
    let mut fixture = Fixture::new();
    let zero = fixture.read("z");
    let s = fixture.functor("s", 1);
    let mut term = zero;
    fixture.store.reserve(5 * depth).unwrap();
    for _ in 0..depth {
        term = fixture.store.new_struct(s, &[term]);
    }
    assert_eq!(fixture.write(term, Form::Goal).len(), 1 + 4 * depth - 2);
    let mut term = zero;
    for _ in 0..depth {
        term = fixture.store.new_struct(functors::MINUS2, &[term, zero]);
    }
    assert_eq!(fixture.write(term, Form::Goal).len(), 1 + 4 * depth);
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
