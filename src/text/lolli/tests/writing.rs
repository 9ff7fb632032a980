//! How terms are written.

use super::super::names::EIGEN;
use super::super::writer::Form;
use super::{Fixture, check};
use crate::base::symbol::functors;
use crate::store::cell::Cell;

#[test]
fn operators_and_parentheses() {
    check(
        Form::Goal,
        &[
            ("'foo bar' a^+b 'is' '='", "foo^ bar a^+b is ^="),
            ("'=' a b", "a = b"),
            ("'=' a", "^= a"),
            ("'=' a b c", "(a = b) c"),
            ("a = b", "a = b"),
            ("a - (b - c)", "a - (b - c)"),
            ("(a - b) - c", "a - b - c"),
            ("(a :: b) :: c :: nil", "(a :: b) :: c :: nil"),
            ("a :: b + c", "a :: b + c"),
            ("(a = b) = c", "a = b = c"),
            ("a = (b = c)", "a = (b = c)"),
            ("(a + b) * c", "a + b * c"),
            ("a + (b * c)", "a + (b * c)"),
            ("f (a + b) (c :: nil)", "f (a + b) (c :: nil)"),
            ("f (g x) y", "f (g x) y"),
            ("(f x) y", "f x y"),
            ("a ; b", "a; b"),
            ("a & b , c", "a & b , c"),
            ("(a & b) , c", "(a & b) , c"),
            ("a , (b , c)", "a , b , c"),
            ("(a , b) , c", "(a , b) , c"),
            ("m --o n --o p", "m --o n --o p"),
            ("(m --o n) --o p", "(m --o n) --o p"),
            ("a -o m --o p", "a -o m --o p"),
            ("{a}", "{a}"),
            ("{a , b} , c", "{a , b} , c"),
            ("f ({a})", "f {a}"),
            ("({a}) b", "{a} b"),
            ("a --> b", "a --> b"),
            ("[a]", "[a]"),
            ("a -> b | c", "a -> b | c"),
            ("(a -> b | c) , d", "a -> b | c , d"),
            ("a , (b -> c | d)", "a , b -> c | d"),
            ("forall x \\ p x", "forall x \\ p x"),
            ("(forall x \\ p x) , q", "(forall x \\ p x) , q"),
            ("forall x \\ forall y \\ p", "forall x \\ (forall y \\ p)"),
            ("forall x \\ x a", "forall x \\ x a"),
            ("'forall' a", "forall a"),
        ],
    );
}

#[test]
fn names_numbers_strings() {
    check(
        Form::Goal,
        &[
            ("X", "X_1"),
            ("f X Y X", "f X_1 Y_1 X_1"),
            ("42", "42"),
            ("~5", "~5"),
            ("true", "true"),
            ("erase", "erase"),
            ("'true'", "true"),
            ("\"str\"", "\"str\""),
            ("_", "__1"),
            ("a^'b", "a^'b"),
            ("'it^s'", "it^^s"),
            ("a^\nb", "a^\nb"),
            ("'Foo bar' a", "Foo^ bar_1 a"),
            ("X a b", "X_1 a b"),
        ],
    );
    check(
        Form::Sans,
        &[
            ("\"str\"", "str"),
            ("'foo bar'", "foo bar"),
            ("!", "!"),
            ("f \"str\"", "f \"str\""),
            ("f 'foo bar'", "f foo^ bar"),
            ("12", "12"),
        ],
    );
}

#[test]
fn implications_as_goals_and_as_clauses() {
    check(
        Form::Goal,
        &[
            ("(a -o b) -o c", "(b :- a) -o c"),
            ("a -o (b -o c)", "a -o b -o c"),
            ("c :- a , b", "(a , b) -o c"),
            ("c <= a", "a => c"),
            ("(a -o b) , c", "a -o b , c"),
            ("f (a -o b)", "f (a -o b)"),
            ("p :- q", "q -o p"),
            ("(a :- {b -o c}) -o d", "(a :- {b -o c}) -o d"),
        ],
    );
    check(
        Form::Clause,
        &[
            ("(a -o b) -o c", "c :- (a -o b)"),
            ("a -o (b -o c)", "c :- b :- a"),
            ("c :- a , b", "c :- (a , b)"),
            ("c <= a", "c <= a"),
            ("forall x \\ p x :- q x", "forall x \\ p x :- q x"),
            ("a :- b & c", "a :- (b & c)"),
        ],
    );
}

#[test]
fn constants_of_quantifiers() {
    let mut fixture = Fixture::new();
    let name = fixture.symbols.intern(EIGEN).unwrap();
    let eigen = fixture.symbols.functor(name, 2).unwrap();
    let x = fixture.symbols.intern("x").unwrap();
    let constant = fixture
        .store
        .new_struct(eigen, &[Cell::atom(x), Cell::int(12)]);
    assert_eq!(fixture.write(constant, Form::Goal), "!x12");
    assert_eq!(fixture.write(constant, Form::Raw), "!x12");
    let term = fixture.read("p (X a)");
    let Some((_, addr)) = fixture.store.compound(term) else {
        panic!("a compound")
    };
    let var = fixture.variables[0].0;
    fixture.store.bind_plain(var, constant);
    assert_eq!(fixture.write(term, Form::Goal), "p (!x12 a)");
    assert_eq!(
        fixture.write(fixture.store.arg(addr, 0), Form::Raw),
        "(!x12 a)"
    );
}

/// A variable that is applied is written as what it was bound to.
#[test]
fn bound_heads() {
    let table = [
        ("f", "f a b", "((f a) b)"),
        ("f c", "f c a b", "(((f c) a) b)"),
        ("'='", "a = b", "((^= a) b)"),
        ("'=' c", "(c = a) b", "(((^= c) a) b)"),
        ("{c}", "{c} a b", "(((bang c) a) b)"),
        ("Y", "Y_1 a b", "((Y_1 a) b)"),
        ("Y c", "Y_1 c a b", "(((Y_1 c) a) b)"),
        ("1", "1 a b", "((1 a) b)"),
    ];
    for (head, goal, raw) in table {
        let mut fixture = Fixture::new();
        let term = fixture.read("X a b");
        let var = fixture.variables[0].0;
        let head = fixture.read(head);
        fixture.store.bind_plain(var, head);
        assert_eq!(fixture.write(term, Form::Goal), goal);
        assert_eq!(fixture.write(term, Form::Raw), raw);
    }
}

#[test]
fn terms_of_prolog() {
    let mut fixture = Fixture::new();
    let a = fixture.read("a");
    let float = fixture.store.new_float(-1.5);
    let list = fixture.store.list_of(&[a, float]).unwrap();
    assert_eq!(fixture.write(list, Form::Goal), "[a, ~1.5]");
    // Not of Lolli's making, and without an end.
    let hole = fixture.store.new_var();
    let cyclic = fixture.store.new_struct(functors::PLUS2, &[a, hole]);
    fixture.store.bind_plain(hole, cyclic);
    assert_eq!(fixture.write(cyclic, Form::Goal), "a + ...");
}

#[test]
fn depth_is_not_limited() {
    let depth = 1_000_000;
    let mut fixture = Fixture::new();
    let zero = fixture.read("z");
    let name = fixture.symbols.intern("s").unwrap();
    let s = fixture.symbols.functor(name, 1).unwrap();
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
