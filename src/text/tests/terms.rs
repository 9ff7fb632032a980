//! Terms without user-defined operators: compound terms, lists, braces, variables, clauses.

use super::{Reader, check, check_plain};
use crate::base::flags::QuoteMode;
use crate::base::source::Span;

#[test]
fn compound_terms() {
    check_plain(&[
        ("foo.", "foo"),
        ("foo(a).", "foo(a)"),
        ("foo( a , b ).", "foo(a,b)"),
        ("foo(bar(X,Y),X).", "foo(bar(X,Y),X)"),
        ("'hello world'(x).", "'hello world'(x)"),
        ("-(1).", "-(1)"),
        ("- (1).", "-(1)"),
        ("-(1,2).", "-(1,2)"),
        ("- (1,2).", "-(','(1,2))"),
        ("+(a).", "+(a)"),
        ("'\\\\+'(a).", "\\+(a)"),
        ("f(;,'|',';;').", "f(;,'|',';;')"),
        ("f(:-, ;, [:-, :-|:-]).", "f(:-,;,'.'(:-,'.'(:-,:-)))"),
        ("f(+).", "f(+)"),
        ("f(!).", "f(!)"),
        ("!.", "!"),
        (";(a,b).", ";(a,b)"),
        ("f((a:-b)).", "f(:-(a,b))"),
        ("f((a,b),c).", "f(','(a,b),c)"),
        ("f(a:-b).", "f(:-(a,b))"),
        ("f(a:-b,c).", "f(:-(a,b),c)"),
        ("[a:-b].", "'.'(:-(a,b),[])"),
        ("f(,a).", "error cannot_start_term"),
        ("f(a,,b).", "error cannot_start_term"),
        ("f(a,).", "error cannot_start_term"),
        ("f().", "f()"),
        ("f (a).", "error operator_expected"),
        ("F(a).", "error variable_functor"),
        ("F ().", "error operator_expected"),
        ("a b.", "error operator_expected"),
        ("f(a)(b).", "error operator_expected"),
        ("\"a\"(b).", "error operator_expected"),
    ]);
}

#[test]
fn lists_and_braces() {
    check_plain(&[
        ("[].", "[]"),
        ("[ ].", "[]"),
        ("[/**/].", "[]"),
        ("'[]'.", "[]"),
        ("[a].", "'.'(a,[])"),
        ("[a,b|c].", "'.'(a,'.'(b,c))"),
        ("[a|[]].", "'.'(a,[])"),
        ("[a|[b]].", "'.'(a,'.'(b,[]))"),
        ("'.'(a,[]).", "'.'(a,[])"),
        ("[ ](X).", "[](X)"),
        ("'[]'(X).", "[](X)"),
        ("[] (1).", "error operator_expected"),
        ("[-].", "'.'(-,[])"),
        ("[-|-].", "'.'(-,-)"),
        ("[a,-,+|*].", "'.'(a,'.'(-,'.'(+,*)))"),
        ("[(a,b)].", "'.'(','(a,b),[])"),
        ("[(a|b)].", "'.'('|'(a,b),[])"),
        ("[a|b,c].", "error list_tail"),
        ("[a|b|c].", "error list_tail"),
        ("[a,b|,].", "error cannot_start_term"),
        ("[a,,|v].", "error cannot_start_term"),
        ("[|a].", "error cannot_start_term"),
        ("[a|].", "error cannot_start_term"),
        ("[a,].", "error cannot_start_term"),
        ("{}.", "{}"),
        ("{ }.", "{}"),
        ("{}(X).", "{}(X)"),
        ("{a}.", "{}(a)"),
        ("{a,b}.", "{}(','(a,b))"),
        ("{a:-b}.", "{}(:-(a,b))"),
        ("{-}.", "{}(-)"),
        ("{,}.", "error cannot_start_term"),
        ("-{a}.", "-({}(a))"),
        ("-[1].", "-('.'(1,[]))"),
        ("[a).", "error mismatched_bracket"),
        ("(a].", "error mismatched_bracket"),
        ("f({[}).", "error cannot_start_term"),
        ("{\\+ (}.", "error cannot_start_term"),
        ("a).", "error mismatched_bracket"),
        (").", "error cannot_start_term"),
        ("().", "error cannot_start_term"),
    ]);
}

#[test]
fn clauses() {
    check_plain(&[
        ("a:-b,c.", ":-(a,','(b,c))"),
        ("a :- b, c ; d.", ":-(a,;(','(b,c),d))"),
        ("a :- b -> c ; d.", ":-(a,;(->(b,c),d))"),
        ("a :- \\+ b, !.", ":-(a,','(\\+(b),!))"),
        (
            ":- dynamic foo/1, bar/2.",
            ":-(dynamic(','(/(foo,1),/(bar,2))))",
        ),
        (":- dynamic([a/1]).", ":-(dynamic('.'(/(a,1),[])))"),
        (":- initialization main.", ":-(initialization(main))"),
        (
            "a --> b, {c}, \"d\" | [e].",
            "-->(a,'|'(','(b,','({}(c),codes(\"d\"))),'.'(e,[])))",
        ),
        ("a. b.", "a / b"),
        ("a.%b\nc.", "a / c"),
        ("a./* b */ c.", "error operator_expected"),
        ("% only\n/* layout */\n", ""),
        ("", ""),
        ("a:b:c.", ":(a,:(b,c))"),
        ("X = Y.", "=(X,Y)"),
        ("\u{feff}a.", "a"),
        ("a.\r\nb.\r\n", "a / b"),
        ("a", "error end_of_file"),
        ("a. b", "a / error end_of_file"),
        ("f(a", "error end_of_file"),
        (".", "error end_of_clause"),
        ("a :- .", "error end_of_clause"),
        ("f(.\nb.", "error unclosed_bracket / b"),
        ("f(a, b.\nb.", "error unclosed_bracket / b"),
        ("a b. c.", "error operator_expected / c"),
        ("a :- 'b\n. c.", "error unterminated_quoted"),
        ("a :- x('b).\nc.", "error unterminated_quoted / c"),
        ("a :- x('b\n c'). d.", ":-(a,x('b\\xa\\ c')) / d"),
        ("/* a", "error unterminated_comment"),
    ]);
}

#[test]
fn quotes_follow_their_flags() {
    let with = |mode: QuoteMode| {
        move || {
            let mut reader = Reader::new();
            reader.flags.double_quotes = mode;
            reader.flags.back_quotes = mode;
            reader
        }
    };
    check(
        with(QuoteMode::Codes),
        &[("\"ab\".", "codes(\"ab\")"), ("\"\".", "[]")],
    );
    check(
        with(QuoteMode::Chars),
        &[("\"ab\".", "chars(\"ab\")"), ("``.", "[]")],
    );
    check(
        with(QuoteMode::Atom),
        &[("\"ab\".", "ab"), ("\"\".", "''"), ("`a`.", "a")],
    );
    check(
        with(QuoteMode::String),
        &[
            ("\"a\"\"b\".", "string(\"a\\\"b\")"),
            ("\"\".", "string(\"\")"),
        ],
    );
    check(
        with(QuoteMode::Atom),
        &[("\"+\" .", "+"), ("1 \"+\" 2.", "error operator_expected")],
    );
}

#[test]
fn variables() {
    let mut reader = Reader::new();
    assert_eq!(reader.first("f(X, _, _A, X, _, Y)."), "f(X,_1,_A,X,_3,Y)");
    let vars: Vec<(String, u32, u32)> = (0..reader.ast.vars.len() as u32)
        .map(|var| {
            let info = reader.ast.vars[var as usize];
            (
                reader.ast.var_name(var).to_owned(),
                info.count,
                info.first.start,
            )
        })
        .collect();
    let expected = [
        ("X", 2, 2),
        ("_", 1, 5),
        ("_A", 1, 8),
        ("_", 1, 15),
        ("Y", 1, 18),
    ];
    let expected = expected.map(|(name, count, at)| (name.to_owned(), count, at));
    assert_eq!(vars, expected);
}

#[test]
fn many_variables() {
    let names: Vec<String> = (0..2000).map(|n| format!("V{n}")).collect();
    let once = names.join(",");
    let mut reader = Reader::new();
    reader.first(&format!("f({once},{once},_,_)."));
    assert_eq!(reader.ast.vars.len(), 2002);
    assert!(reader.ast.vars[..2000].iter().all(|var| var.count == 2));
    assert_eq!(reader.ast.var_name(1999), "V1999");
    assert_eq!(reader.first("f(V7)."), "f(V7)");
    assert_eq!(reader.ast.vars.len(), 1);
}

#[test]
fn places() {
    let text = " foo(a, [b,c|D], (e + 1)) . rest";
    let mut reader = Reader::new();
    let mut pos = 0;
    assert_eq!(reader.read(text, &mut pos), Ok(true));
    assert_eq!(&text[pos..], " rest");
    assert_eq!(
        reader.ast.span,
        Span {
            start: 1,
            end: pos as u32
        }
    );
    let mut places: Vec<&str> = reader
        .ast
        .spans
        .iter()
        .map(|span| &text[span.start as usize..span.end as usize])
        .collect();
    places.sort_unstable();
    let expected = [
        "(e + 1)",
        "1",
        "D",
        "[b,c|D]",
        "a",
        "b",
        "c",
        "c|D]",
        "e",
        "foo(a, [b,c|D], (e + 1))",
    ];
    assert_eq!(places, expected);
}

#[test]
fn char_conversion() {
    let text = "bx('b', \"b\", B, 0'b) :- b, \u{e9}. b.";
    let converted = || {
        let mut reader = Reader::new();
        reader.conversions.extend([('b', 'a'), ('\u{e9}', 'e')]);
        reader.flags.char_conversion = true;
        reader
    };
    check(
        converted,
        &[(text, ":-(ax(b,codes(\"b\"),B,98),','(a,e)) / a")],
    );
    let mut reader = converted();
    let mut pos = 0;
    assert_eq!(reader.read(text, &mut pos), Ok(true));
    assert_eq!(&text[pos..], " b.");
    assert_eq!(
        reader.ast.span,
        Span {
            start: 0,
            end: pos as u32
        }
    );
    let mut reader = converted();
    let mut pos = 0;
    let error = reader.read("\u{e9}\u{e9} ) b. c.", &mut pos).unwrap_err();
    assert_eq!(error.span, Span { start: 5, end: 6 });
    assert_eq!(pos, 9);
}
