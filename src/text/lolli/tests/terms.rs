//! What texts mean: each is written in the raw form, which shows how it is grouped.

use super::super::writer::Form;
use super::{Fixture, check};
use crate::base::source::Span;
use crate::text::ast::{Node, NodeId};

#[test]
fn operators_group_by_their_levels() {
    check(
        Form::Raw,
        &[
            ("a -o b -o c", "((^-o a) ((^-o b) c))"),
            ("a , b -o c , d", "((^, a) ((^, ((^-o b) c)) d))"),
            ("a & b -o c", "((^& a) ((^-o b) c))"),
            ("a ; b & c , d", "((^; a) ((^& b) ((^, c) d)))"),
            ("a -o b => c -o d", "((^-o a) ((^=^> b) ((^-o c) d)))"),
            ("m --o n --o p -o q", "((^-o ((^-^-o m) ((^-^-o n) p))) q)"),
            ("x = y :: z", "((^= x) ((^:^: y) z))"),
            (
                "X is 1 + 2 * 3 - 4",
                "((is X_1) ((^- ((^* ((^+ 1) 2)) 3)) 4))",
            ),
            ("1 + 2 = 3", "((^= ((^+ 1) 2)) 3)"),
            ("a = b = c", "((^= ((^= a) b)) c)"),
            ("1 - 2 - 3", "((^- ((^- 1) 2)) 3)"),
            ("1 :: 2 + 3 :: nil", "((^+ ((^:^: 1) 2)) ((^:^: 3) nil))"),
            (
                "f a b :: g c :: nil",
                "((^:^: ((f a) b)) ((^:^: (g c)) nil))",
            ),
            ("f (g a) -o b", "((^-o (f (g a))) b)"),
            ("a =:= b", "((^=^:^= a) b)"),
            ("a =\\= b", "((^=^\\^= a) b)"),
            ("a =< b", "((^=^< a) b)"),
            ("a >= b", "((^>^= a) b)"),
            ("a < b / c", "((^< a) ((^/ b) c))"),
            ("(a , b) , c", "((^, ((^, a) b)) c)"),
        ],
    );
}

#[test]
fn clauses_change_their_operands() {
    check(
        Form::Raw,
        &[
            ("a :- b :- c", "((^-o c) ((^-o b) a))"),
            ("a <= b :- c", "((^-o c) ((^=^> b) a))"),
            ("a :- b , c ; d", "((^-o ((^; ((^, b) c)) d)) a)"),
            ("a --> b , c", "((^-^-^> ((^, b) c)) a)"),
            ("a --> b --> c", "((^-^-^> c) ((^-^-^> b) a))"),
            (
                "p X :- q X -o r X",
                "((^-o ((^-o (q X_1)) (r X_1))) (p X_1))",
            ),
        ],
    );
}

#[test]
fn guards_hold_anything_between_their_signs() {
    check(
        Form::Raw,
        &[
            ("a -> b | c", "(((guard a) b) c)"),
            (
                "a , b -> c , d | e , f",
                "((^, a) ((^, (((guard b) ((^, c) d)) e)) f))",
            ),
            ("a -> b | c -> d | e", "(((guard (((guard a) b) c)) d) e)"),
            ("a -> b -> c | d | e", "(((guard a) (((guard b) c) d)) e)"),
            (
                "g :- a -> b | c , d",
                "((^-o ((^, (((guard a) b) c)) d)) g)",
            ),
            ("a -o b -> c | d", "((^-o a) (((guard b) c) d))"),
            ("m --o b -> c | d", "((^-^-o m) (((guard b) c) d))"),
            ("a = b -> c | d = e", "(((guard ((^= a) b)) c) ((^= d) e))"),
            ("a -> b :- c | d", "(((guard a) ((^-o c) b)) d)"),
            (
                "a -> forall x \\ p x | c",
                "(((guard a) (forall (x \\ (p x)))) c)",
            ),
            (
                "a -> {b ; c} | (d -> e | f)",
                "(((guard a) (bang ((^; b) c))) (((guard d) e) f))",
            ),
        ],
    );
}

#[test]
fn quantifiers_extend_as_far_as_they_can() {
    check(
        Form::Raw,
        &[
            (
                "forall x \\ p x , q x",
                "(forall (x \\ ((^, (p x)) (q x))))",
            ),
            (
                "forall x \\ p x :- q x",
                "(forall (x \\ ((^-o (q x)) (p x))))",
            ),
            (
                "a , forall x \\ p x , q x",
                "((^, a) (forall (x \\ ((^, (p x)) (q x)))))",
            ),
            (
                "forall x \\ forall y \\ p x y -o q",
                "(forall (x \\ (forall (y \\ ((^-o ((p x) y)) q)))))",
            ),
            ("exists X \\ p X Y", "(exists (X \\ ((p X) Y_1)))"),
            ("(forall x \\ p x) , q", "((^, (forall (x \\ (p x)))) q)"),
            (
                "{forall x \\ p x} , q",
                "((^, (bang (forall (x \\ (p x))))) q)",
            ),
        ],
    );
}

#[test]
fn brackets() {
    check(
        Form::Raw,
        &[
            ("{a , b} , c", "((^, (bang ((^, a) b))) c)"),
            ("[a] , b", "((^, (dcgcodebracket a)) b)"),
            ("bang a", "(bang a)"),
            ("'dcgcodebracket' a", "(dcgcodebracket a)"),
            ("f(a,b)", "(f ((^, a) b))"),
            ("f ({a})", "(f (bang a))"),
        ],
    );
}

#[test]
fn tokens() {
    check(
        Form::Raw,
        &[
            ("!", "!"),
            ("! a", "(! a)"),
            ("cut", "!"),
            ("'Foo' bar", "(Foo_1 bar)"),
            ("'foo bar' baz", "(foo^ bar baz)"),
            ("a^+b 'is'", "(a^+b is)"),
            ("1a B_c _x", "((1a B_c_1) _x_1)"),
            ("a -or b", "((^-o a) (r b))"),
            ("1-2", "((^- 1) 2)"),
            ("2-other", "((^-o 2) ther)"),
            ("a-->b", "((^-^-^> b) a)"),
            ("x--o y", "((^-^-o x) y)"),
            ("X=a", "((^= X_1) a)"),
            ("a=>b", "((^=^> a) b)"),
            ("a->b|c", "(((guard a) b) c)"),
            ("a:-b", "((^-o b) a)"),
            ("isx truex erasey forallz", "(((isx truex) erasey) forallz)"),
            ("'is'", "is"),
            ("''", ""),
            ("a ''", "(a )"),
            ("^Foo bar", "(^Foo bar)"),
            ("'true'", "true"),
            (
                "\"a string \\n with \\ backslash\"",
                "\"a string \\n with \\ backslash\"",
            ),
            ("\"multi\nline\"", "\"multi\nline\""),
            ("a % comment\n b", "(a b)"),
            ("a\r\n\tb", "(a b)"),
            ("p ~5 ~0", "((p ~5) 0)"),
            ("1 - ~2", "((^- 1) ~2)"),
            (
                "p 123456789012345678901234567890",
                "(p 123456789012345678901234567890)",
            ),
            (
                "p ~123456789012345678901234567890",
                "(p ~123456789012345678901234567890)",
            ),
            ("naïve Ärger", "(naïve Ärger_1)"),
        ],
    );
}

#[test]
fn variables_and_bound_names() {
    check(
        Form::Raw,
        &[
            ("X Y", "(X_1 Y_1)"),
            ("X a = f a", "((^= (X_1 a)) (f a))"),
            ("_ = _", "((^= __1) __1)"),
            ("forall X \\ X , Y", "(forall (X \\ ((^, X) Y_1)))"),
            ("forall f \\ f a", "(forall (f \\ (f a)))"),
        ],
    );
}

/// The term in functional notation, which tells bound names and applications from others.
fn functional(text: &str) -> String {
    let mut fixture = Fixture::new();
    fixture.read(text);
    let mut out = String::new();
    functional_node(&fixture, fixture.ast.root, &mut out);
    out
}

fn functional_node(fixture: &Fixture, id: NodeId, out: &mut String) {
    match fixture.ast.node(id) {
        Node::Var(var) => out.push_str(fixture.ast.var_name(*var)),
        Node::Atom(atom) => out.push_str(fixture.symbols.text(*atom)),
        Node::Int(value) => out.push_str(&value.to_string()),
        Node::String(text) => out.push_str(&format!("{text:?}")),
        Node::Compound { functor, first } => {
            out.push_str(fixture.symbols.text(fixture.symbols.name(*functor)));
            let mut before = '(';
            for &arg in fixture.ast.arguments(*functor, *first) {
                out.push(before);
                functional_node(fixture, arg, out);
                before = ',';
            }
            out.push(')');
        }
        other => panic!("{other:?}"),
    }
}

#[test]
fn applications_are_flat() {
    let table = [
        ("f a b", "f(a,b)"),
        ("(f a) b", "f(a,b)"),
        ("((f) a) (b c)", "f(a,b(c))"),
        ("((f (g a)) b) (c d)", "f(g(a),b,c(d))"),
        ("X a b", "$app(X,a,b)"),
        ("(X a) b", "$app(X,a,b)"),
        ("1 a", "$app(1,a)"),
        ("\"s\" a", "$app(\"s\",a)"),
        ("(a , b) c", ",(a,b,c)"),
        ("'-o' a b", "-o(a,b)"),
        ("bang a", "{}(a)"),
        ("({a}) b", "bang(a,b)"),
        ("bang a b", "bang(a,b)"),
        ("forall x \\ p x", "forall(\\(x,p($bound(x))))"),
        ("forall x \\ x a", "forall(\\(x,$app($bound(x),a)))"),
        ("forall x \\ (x a) b", "forall(\\(x,$app($bound(x),a,b)))"),
        ("forall x \\ x", "forall(\\(x,$bound(x)))"),
        (
            "(forall x \\ p x) , p x",
            ",(forall(\\(x,p($bound(x)))),p(x))",
        ),
        (
            "forall x \\ (exists x \\ q x) , p x",
            "forall(\\(x,,(exists(\\(x,q($bound(x)))),p($bound(x)))))",
        ),
        ("! a", "cut(a)"),
        ("true", "true"),
        ("a --> b", "-->(b,a)"),
    ];
    for (text, expected) in table {
        assert_eq!(functional(text), expected, "{text}");
    }
}

#[test]
fn places_of_terms() {
    let mut fixture = Fixture::new();
    let text = "aa :- (p X) , q {1}.".replace("q {1}", "q (r s)");
    fixture.read(&text);
    let ast = &fixture.ast;
    let at = |id: NodeId| {
        let Span { start, end } = ast.span(id);
        &text[start as usize..end as usize]
    };
    assert_eq!(at(ast.root), "aa :- (p X) , q (r s)");
    let Node::Compound { functor, first } = *ast.node(ast.root) else {
        panic!("a compound")
    };
    let args = ast.arguments(functor, first);
    assert_eq!(at(args[0]), "(p X) , q (r s)");
    assert_eq!(at(args[1]), "aa");
    assert_eq!(ast.vars[0].first, Span::new(9, 10));
    assert_eq!(ast.span, Span::new(0, text.len()));
}

#[test]
fn depth_is_not_limited() {
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
        // Heads in parentheses whose arguments are compounds are gathered anew each time.
        let depth = if close == " (g a))" { 3_000 } else { depth };
        let text = format!("{}{middle}{}.", open.repeat(depth), close.repeat(depth));
        let mut fixture = Fixture::new();
        let end = fixture.query(&text, &mut 0, super::Rest::OfLine);
        assert_eq!(end, Ok(super::QueryEnd::Dot), "{open}");
    }
}
