//! Tests of the writer: how terms are written, deep and cyclic ones too, and that quoted terms are read back.

use super::ast::{Ast, Node};
use super::parser::{ReadContext, read_term};
use super::write_cycles::cycle_labels;
use super::write_options::{AttributeMode, Spacing, WriteEnv, WriteOptions};
use super::writer::try_term_text;
use crate::base::flags::{Flags, QuoteMode};
use crate::base::op_table::{OpTable, OpType};
use crate::base::symbol::{Symbols, functors};
use crate::store::cell::Cell;
use crate::store::heap::{Store, View};
use crate::store::raw;

fn term_text(env: &WriteEnv<'_>, term: Cell, options: &WriteOptions) -> String {
    try_term_text(env, term, options).expect("there is room")
}

/// What a term needs around it.
pub(super) struct Fixture {
    pub(super) store: Store,
    pub(super) symbols: Symbols,
    pub(super) ops: OpTable,
    pub(super) flags: Flags,
    /// The variables of the last term read.
    pub(super) variables: Vec<(Cell, String)>,
    /// Has a compound without arguments been made, which the strict reader refuses?
    zero_arity: bool,
}

impl Fixture {
    pub(super) fn new() -> Fixture {
        let mut symbols = Symbols::new().unwrap();
        let ops = OpTable::new(&mut symbols).unwrap();
        let flags = Flags {
            double_quotes: QuoteMode::String,
            ..Flags::default()
        };
        Fixture {
            store: Store::new(1 << 30).unwrap(),
            symbols,
            ops,
            flags,
            variables: Vec::new(),
            zero_arity: false,
        }
    }

    fn op(&mut self, priority: u16, op_type: OpType, name: &str) {
        let atom = self.symbols.intern(name).unwrap();
        self.ops.add(atom, priority, op_type).unwrap();
    }

    fn is_cyclic(&self, term: Cell) -> bool {
        cycle_labels(&self.store, term).unwrap().is_some()
    }

    pub(super) fn env(&self) -> WriteEnv<'_> {
        WriteEnv {
            store: &self.store,
            symbols: &self.symbols,
            ops: &self.ops,
            flags: &self.flags,
        }
    }

    /// The term of this text, without the final dot.
    pub(super) fn read(&mut self, text: &str) -> Cell {
        self.try_read(text)
            .unwrap_or_else(|| panic!("not read: {text}"))
    }

    fn try_read(&mut self, text: &str) -> Option<Cell> {
        let mut ast = Ast::new();
        let mut ctx = ReadContext {
            symbols: &mut self.symbols,
            ops: &self.ops,
            flags: &self.flags,
            char_conversions: None,
            room: usize::MAX,
            passing: false,
            watch: &crate::base::watch::Watch::default(),
        };
        let text = format!("{text} .");
        match read_term(&text, &mut 0, &mut ctx, &mut ast) {
            Ok(true) => Some(self.build(&ast)),
            _ => None,
        }
    }

    /// Children come before their parents in the tree.
    fn build(&mut self, ast: &Ast) -> Cell {
        let vars: Vec<Cell> = ast.vars.iter().map(|_| self.store.new_var()).collect();
        self.variables = vars
            .iter()
            .enumerate()
            .map(|(i, &v)| (v, ast.var_name(i as u32).to_string()))
            .collect();
        let mut cells: Vec<Cell> = Vec::new();
        for node in &ast.nodes {
            cells.push(match node {
                Node::Var(var) => vars[*var as usize],
                Node::Atom(atom) => Cell::atom(*atom),
                Node::Int(value) => self.store.new_int(*value),
                Node::Big(value) => self.store.new_big(value).unwrap(),
                Node::Float(value) => self.store.new_float(*value),
                Node::String(text) => self.store.new_string(text).unwrap(),
                Node::Codes(text) => {
                    let codes: Vec<Cell> = text.chars().map(|c| Cell::int(c as i64)).collect();
                    self.store.list_of(&codes).unwrap()
                }
                Node::Chars(text) => {
                    let chars: Vec<Cell> = text
                        .chars()
                        .map(|c| Cell::atom(self.symbols.intern_char(c).unwrap()))
                        .collect();
                    self.store.list_of(&chars).unwrap()
                }
                Node::Compound { functor, first } => {
                    let args: Vec<Cell> = ast
                        .arguments(*functor, *first)
                        .iter()
                        .map(|id| cells[id.0 as usize])
                        .collect();
                    self.store.new_struct(*functor, &args)
                }
            });
        }
        cells[ast.root.0 as usize]
    }

    fn writeq(&self, term: Cell) -> String {
        term_text(&self.env(), term, &WriteOptions::writeq())
    }

    /// Whether two terms are the same, variables apart.
    fn same(&self, one: Cell, other: Cell) -> bool {
        let mut pending = vec![(one, other)];
        while let Some((a, b)) = pending.pop() {
            match (self.store.view(a), self.store.view(b)) {
                (View::Var(_), View::Var(_)) => {}
                (View::Float(a), View::Float(b)) if a.to_bits() == b.to_bits() => {}
                (View::Big(a), View::Big(b)) if self.store.big(a) == self.store.big(b) => {}
                (View::String(a), View::String(b)) if self.store.text(a) == self.store.text(b) => {}
                (View::List(a), View::List(b)) => {
                    pending.push((self.store.arg(a, 0), self.store.arg(b, 0)));
                    pending.push((self.store.arg(a, 1), self.store.arg(b, 1)));
                }
                (View::Struct(f, a), View::Struct(g, b)) if f == g => {
                    pending.extend(
                        (0..f.arity()).map(|i| (self.store.arg(a, i), self.store.arg(b, i))),
                    );
                }
                (a @ (View::Atom(_) | View::Int(_)), b) if a == b => {}
                _ => return false,
            }
        }
        true
    }
}

#[track_caller]
fn check(fixture: &mut Fixture, rows: &[(&str, &str)]) {
    for &(text, expected) in rows {
        let term = fixture.read(text);
        assert_eq!(fixture.writeq(term), expected, "{text}");
    }
}

#[test]
fn operators() {
    check(
        &mut Fixture::new(),
        &[
            ("-(1)", "- (1)"),
            ("-(1.5)", "- (1.5)"),
            ("-(-1)", "- -1"),
            ("-(-(1))", "- - (1)"),
            ("-(1^2)", "- (1^2)"),
            ("-(a^2)", "- (a^2)"),
            ("-((a,b))", "- (a,b)"),
            ("-(1*2)", "- (1*2)"),
            ("-a", "-a"),
            ("-(-)", "- (-)"),
            ("-[-]", "-[-]"),
            ("-p(c)", "-p(c)"),
            ("-{}", "-{}"),
            ("-{a}", "-{a}"),
            ("-(-(-a))", "- - -a"),
            ("+(1^2)", "+1^2"),
            ("+(1)", "+1"),
            ("\\ (a*b)", "\\ (a*b)"),
            ("\\ (-)", "\\ (-)"),
            ("\\ -1", "\\ -1"),
            ("-'$VAR'(0)", "-A"),
            ("1 - -1", "1- -1"),
            ("1-(-(1))", "1- - (1)"),
            ("1-(-a)", "1- -a"),
            ("(-(1))^2", "(- (1))^2"),
            ("(-1)^2", "-1^2"),
            ("(-a)^2", "(-a)^2"),
            ("(-(1))+2", "- (1)+2"),
            ("a=(\\+b)", "a=(\\+b)"),
            ("\\+a", "\\+a"),
            ("\\+ (a,b)", "\\+ (a,b)"),
            ("\\+ ((a,b)=c)", "\\+ (a,b)=c"),
            ("\\+[a]", "\\+[a]"),
            ("(a:- \\+b,c)", "a:- \\+b,c"),
            ("(a:-b,c->d;e)", "a:-b,c->d;e"),
            ("((a:-b):-c)", "(a:-b):-c"),
            (":-((:-a))", ":- (:-a)"),
            ("(:- dynamic a,b)", ":-dynamic a,b"),
            ("f(:-)", "f(:-)"),
            ("[:-,-]", "[:-,-]"),
            ("[:-|:-]", "[:-|:-]"),
            ("{:-}", "{:-}"),
            ("f((a:-b),(a,b))", "f((a:-b),(a,b))"),
            ("[(a:-b),c|d]", "[(a:-b),c|d]"),
            ("[(a,b)]", "[(a,b)]"),
            ("[(a|b)]", "[(a|b)]"),
            ("(a|b)", "a|b"),
            ("(*)=(*)", "(*)=(*)"),
            ("(:-):-(:-)", "(:-):-(:-)"),
            ("((-),a)", "(-),a"),
            ("(a,(-))", "a,(-)"),
            ("f(;,'|',';;')", "f(;,'|',';;')"),
            ("a*(b+c)", "a*(b+c)"),
            ("1-(2-3)", "1-(2-3)"),
            ("(1-2)-3", "1-2-3"),
            ("2**(-(1))", "2**(- (1))"),
            ("2** -1", "2** -1"),
            ("(2^3)^4", "(2^3)^4"),
            ("2^3^4", "2^3^4"),
            ("1 = \\\\", "1= \\\\"),
            ("&& = &&", "&& = &&"),
            ("b + &&", "b+ &&"),
            ("a:b:c", "a:b:c"),
            ("(a,b,c)", "a,b,c"),
            ("(a,!;b->c)", "a,!;b->c"),
            ("(;)=(;)", "(;)=(;)"),
            ("!= !", "!=!"),
            ("p:(a:-b)", "p:(a:-b)"),
            ("(?-a)", "?-a"),
            ("-(a,b,c)", "-(a,b,c)"),
            ("- -(a,b,c)", "- -(a,b,c)"),
            ("','(a)", "','(a)"),
            ("(',')=(',')", "(',')=(',')"),
        ],
    );
}

#[test]
fn alphabetic_operators() {
    check(
        &mut Fixture::new(),
        &[
            ("X is 1+2", "_0 is 1+2"),
            ("a mod b", "a mod b"),
            ("1 is 'B'", "1 is 'B'"),
            ("'A' mod 'B'", "'A'mod'B'"),
            ("(is)=(is)", "(is)=(is)"),
            ("[is,mod]", "[is,mod]"),
            ("f(x)is f(y)", "f(x)is f(y)"),
            ("a is (b:-c)", "a is (b:-c)"),
            ("(a,b)is c", "(a,b)is c"),
            ("(dynamic)", "dynamic"),
            ("(dynamic)=1", "(dynamic)=1"),
            ("dynamic (-)", "dynamic (-)"),
            ("dynamic [a]", "dynamic[a]"),
            ("dynamic (a:-b)", "dynamic (a:-b)"),
            ("1 rdiv 2", "1 rdiv 2"),
        ],
    );
}

#[test]
fn plain_terms() {
    check(
        &mut Fixture::new(),
        &[
            ("[a,b|c]", "[a,b|c]"),
            ("[a|b:c]", "[a|b:c]"),
            ("[a|(b:-c)]", "[a|(b:-c)]"),
            ("[]", "[]"),
            ("{a,b}", "{a,b}"),
            ("{}", "{}"),
            ("{}(a,b)", "{}(a,b)"),
            ("'{}'(a)", "{a}"),
            ("'[]'(a)", "[](a)"),
            ("'hello world'", "'hello world'"),
            ("'\\n'(1)", "'\\n'(1)"),
            ("'$VAR'(27)", "B1"),
            ("'$VAR'(-1)", "'$VAR'(-1)"),
            ("'$VAR'(x)", "'$VAR'(x)"),
            ("'$VAR'('A')", "'$VAR'('A')"),
            ("\"a\\\"b\\n'`\"", "\"a\\\"b\\n'`\""),
            ("f(\"\", '')", "f(\"\",'')"),
            (
                "123456789012345678901234567890",
                "123456789012345678901234567890",
            ),
            (
                "-(123456789012345678901234567890)",
                "- (123456789012345678901234567890)",
            ),
            (
                "-123456789012345678901234567890",
                "-123456789012345678901234567890",
            ),
            ("[1.0,-0.0,1.5e300]", "[1.0,-0.0,1.5e+300]"),
            ("'.'(a)", "'.'(a)"),
            ("'/*'", "'/*'"),
            ("//*", "//*"),
        ],
    );
}

#[test]
fn operators_of_programs() {
    let mut fixture = Fixture::new();
    fixture.op(9, OpType::Fy, "fy");
    fixture.op(9, OpType::Yf, "yf");
    fixture.op(9, OpType::Yfx, "yfx");
    fixture.op(9, OpType::Xfy, "xfy");
    fixture.op(400, OpType::Fx, "f");
    fixture.op(100, OpType::Xf, "");
    fixture.op(100, OpType::Xf, "f ");
    fixture.op(100, OpType::Fx, " op");
    fixture.op(9, OpType::Xf, "e");
    check(
        &mut fixture,
        &[
            ("fy(yf(1))", "fy 1 yf"),
            ("yf(fy(1))", "(fy 1)yf"),
            ("fy(yfx(1,2))", "fy 1 yfx 2"),
            ("yfx(fy(1),2)", "(fy 1)yfx 2"),
            ("xfy(1,yf(2))", "1 xfy 2 yf"),
            ("yf(xfy(1,2))", "(1 xfy 2)yf"),
            ("f((1,2))", "f (1,2)"),
            ("''(0)", "0 ''"),
            ("'f '(0)", "0 'f '"),
            ("' op'('1')", "' op' '1'"),
            ("' op'([])", "' op'[]"),
            ("e(1)", "1 e"),
            ("e(1.0)", "1.0 e"),
        ],
    );
    fixture.op(0, OpType::Fy, "-");
    check(&mut fixture, &[("-(1)", "-(1)")]);
}

#[test]
fn canonical_and_unquoted() {
    let mut fixture = Fixture::new();
    let canonical = [
        ("[a,'B']", "'.'(a,'.'('B',[]))"),
        ("{1}", "{}(1)"),
        ("a- - -b", "-(a,-(-(b)))"),
        ("(a:-b,c)", ":-(a,','(b,c))"),
        ("'$VAR'(0)", "'$VAR'(0)"),
        ("-(1)", "-(1)"),
        ("-1", "-1"),
    ];
    for (text, expected) in canonical {
        let term = fixture.read(text);
        assert_eq!(
            term_text(&fixture.env(), term, &WriteOptions::write_canonical()),
            expected
        );
    }
    let plain = [
        ("'a b'-'C'", "a b-C"),
        ("\"a b\"", "a b"),
        ("'\\n'", "\n"),
        ("-(1)", "- (1)"),
        ("- 'a'", "-a"),
        ("['A'|'B']", "[A|B]"),
        ("','-','", "(,)-(,)"),
    ];
    for (text, expected) in plain {
        let term = fixture.read(text);
        assert_eq!(
            term_text(&fixture.env(), term, &WriteOptions::write()),
            expected
        );
    }
    let term = fixture.read("'$VAR'(3)");
    assert_eq!(
        term_text(&fixture.env(), term, &WriteOptions::default()),
        "$VAR(3)"
    );
}

#[test]
fn options() {
    let mut fixture = Fixture::new();
    let base = WriteOptions::writeq();
    let spaced = WriteOptions {
        spacing: Spacing::NextArgument,
        ..base.clone()
    };
    let low = WriteOptions {
        priority: 999,
        ..base.clone()
    };
    let none = WriteOptions {
        priority: 0,
        ..base.clone()
    };
    let stop = WriteOptions {
        fullstop: true,
        ..base.clone()
    };
    let stop_nl = WriteOptions {
        fullstop: true,
        nl: true,
        ..base.clone()
    };
    let raw = WriteOptions {
        character_escapes: Some(false),
        ..base.clone()
    };
    let dots = WriteOptions {
        dotlists: Some(true),
        ..base.clone()
    };
    let lists = WriteOptions {
        dotlists: Some(false),
        ..WriteOptions::write_canonical()
    };
    let rows: &[(&str, &WriteOptions, &str)] = &[
        ("f(a,[b,c|d],(x,y))", &spaced, "f(a, [b, c|d], (x, y))"),
        ("(a:-b)", &low, "(a:-b)"),
        ("-", &low, "-"),
        ("-", &none, "-"),
        ("-a", &none, "(-a)"),
        ("'a b'", &stop, "'a b'. "),
        ("+", &stop, "+ . "),
        ("a", &stop_nl, "a.\n"),
        ("'a\\nb\\'c'", &raw, "'a\nb''c'"),
        ("[a]", &dots, "'.'(a,[])"),
        ("[a+b]", &lists, "[+(a,b)]"),
    ];
    for &(text, options, expected) in rows {
        let term = fixture.read(text);
        assert_eq!(term_text(&fixture.env(), term, options), expected, "{text}");
    }
}

#[test]
fn depth_limit() {
    let mut fixture = Fixture::new();
    let rows = [
        ("f(a,[b,c,d,e,f,g])", 5, "f(a,[b,c,d|...])"),
        (
            "f(a+b+c+d+e+f,g(h(i(j(k(l(m)))))))",
            5,
            "f(... + ... + d+e+f,g(h(i(j(...)))))",
        ),
        ("[1,2,3,4,5]", 1, "[...|...]"),
        ("[1,2,3,4,5]", 2, "[1|...]"),
        ("[1,2,3,4,5]", 3, "[1,2|...]"),
        ("[1,2,3,4,5]", 10, "[1,2,3,4,5]"),
        ("s(s(s(s(0))))", 2, "s(s(...))"),
    ];
    for (text, max_depth, expected) in rows {
        let term = fixture.read(text);
        let options = WriteOptions {
            max_depth,
            ..WriteOptions::writeq()
        };
        assert_eq!(
            term_text(&fixture.env(), term, &options),
            expected,
            "{text}"
        );
    }
}

#[test]
fn names_of_variables() {
    let mut fixture = Fixture::new();
    let term = fixture.read("f(X,Y,X,- X^2)");
    let (x, y) = (fixture.variables[0].0, fixture.variables[1].0);
    let number = fixture.writeq(y);
    let named = |names: Vec<(Cell, String)>| {
        let options = WriteOptions {
            variable_names: names,
            ..WriteOptions::writeq()
        };
        term_text(&fixture.env(), term, &options)
    };
    assert_eq!(
        named(vec![(x, "X".into()), (x, "Z".into())]),
        format!("f(X,{number},X,- (X^2))")
    );
    // A made up name is never one of the given ones.
    assert_eq!(
        named(vec![(x, number.clone())]),
        format!("f({number},_{number},{number},- ({number}^2))")
    );
    let term = fixture.read("1 is T");
    let var = fixture.variables[0].0;
    let options = WriteOptions {
        variable_names: vec![(var, "+".into())],
        ..WriteOptions::writeq()
    };
    assert_eq!(term_text(&fixture.env(), term, &options), "1 is +");
}

#[test]
fn attributed_variables() {
    let mut fixture = Fixture::new();
    let hole = fixture.store.new_var();
    let value = fixture.store.new_struct(functors::MINUS1, &[hole]);
    let addr = fixture.store.allocate(2);
    raw::set_cell(addr, Cell::attributed(addr));
    raw::set_cell(addr + 8, value);
    let var = Cell::attributed(addr);
    // The attributes mention their own variable.
    fixture.store.bind_plain(hole, var);
    let plain = fixture.writeq(var);
    assert!(plain.starts_with('_') && !plain.contains('{'));
    let options = WriteOptions {
        attributes: AttributeMode::Write,
        ..WriteOptions::writeq()
    };
    let text = term_text(&fixture.env(), var, &options);
    assert_eq!(text, format!("{plain}{{-{plain}}}"));
}

#[test]
fn cyclic_terms() {
    let mut fixture = Fixture::new();
    let s = fixture.symbols.intern("s").unwrap();
    let functor = fixture.symbols.functor(s, 1).unwrap();
    let var = fixture.store.new_var();
    let term = fixture.store.new_struct(functor, &[var]);
    fixture.store.bind_plain(var, term);
    assert_eq!(fixture.writeq(term), "@(S_1,[S_1=s(S_1)])");
    let brief = WriteOptions {
        cycles: false,
        ..WriteOptions::writeq()
    };
    assert_eq!(term_text(&fixture.env(), term, &brief), "s(...)");
    let limited = WriteOptions {
        max_depth: 3,
        ..WriteOptions::writeq()
    };
    assert_eq!(term_text(&fixture.env(), term, &limited), "s(s(s(...)))");

    let tail = fixture.store.new_var();
    let a = fixture.read("a");
    let list = fixture.store.new_list(a, tail);
    fixture.store.bind_plain(tail, list);
    assert_eq!(fixture.writeq(list), "@(S_1,[S_1=[a|S_1]])");
    let pair = fixture.store.new_struct(functors::MINUS2, &[list, term]);
    let text = fixture.writeq(pair);
    assert_eq!(text, "@(S_1-S_2,[S_1=[a|S_1],S_2=s(S_2)])");
}

#[test]
fn shared_terms_are_not_cyclic() {
    let mut fixture = Fixture::new();
    let s = fixture.symbols.intern("s").unwrap();
    let functor = fixture.symbols.functor(s, 2).unwrap();
    let mut term = fixture.read("a");
    for _ in 0..17 {
        term = fixture.store.new_struct(functor, &[term, term]);
    }
    assert!(fixture.writeq(term).starts_with("s(s(s("));
    assert!(!fixture.is_cyclic(term));
    for _ in 0..60 {
        term = fixture.store.new_struct(functor, &[term, term]);
    }
    assert!(!fixture.is_cyclic(term));
}

#[test]
fn deep_terms() {
    let mut fixture = Fixture::new();
    let s = fixture.symbols.intern("s").unwrap();
    let functor = fixture.symbols.functor(s, 1).unwrap();
    let mut nested = fixture.read("a");
    let (mut sum, mut negated) = (nested, nested);
    let count = 1_000_000;
    fixture.store.reserve(7 * count).unwrap();
    for _ in 0..count {
        nested = fixture.store.new_struct(functor, &[nested]);
        sum = fixture
            .store
            .new_struct(functors::PLUS2, &[sum, Cell::int(1)]);
        negated = fixture.store.new_struct(functors::MINUS1, &[negated]);
    }
    assert_eq!(fixture.writeq(nested).len(), 3 * count + 1);
    assert_eq!(fixture.writeq(sum).len(), 2 * count + 1);
    assert_eq!(fixture.writeq(negated).len(), 2 * count);
    let items = vec![Cell::int(7); count];
    let list = fixture.store.list_of(&items).unwrap();
    assert_eq!(fixture.writeq(list).len(), 2 * count + 1);
}

/// A generator of numbers that is the same in every run.
struct Lcg(u64);

impl Lcg {
    fn below(&mut self, limit: usize) -> usize {
        let (factor, addend) = (6364136223846793005, 1442695040888963407);
        self.0 = self.0.wrapping_mul(factor).wrapping_add(addend);
        ((self.0 >> 33) as usize) % limit
    }
}

const ATOMS: &[&str] = &[
    "a", "bc", "[]", "{}", "!", ";", ",", "|", "-", "+", "\\", "\\+", ":-", "?-", "-->", "is",
    "mod", "dynamic", "*", "^", "**", ":", "=", "$", ".", "A", "_b", "", "a b", "it's", "/*",
    "=..", "\n", "é", "É", "\u{0}", "日本", "%", "\"", "`", "0", "->", "fy", "yf", "xf", "xfy",
    "yfx", "fx", "both", "->>", "e", "x", "b", "o", "&", "\u{2200}", "xq r", "=>", ":=",
    "volatile", "FF", "000", "\t",
];

const OPERATORS: &[&str] = &[
    "-", "+", "\\", "\\+", "^", "**", "=", "fy", "fx", "yf", "xf", "xfy", "yfx", "both", "-", "|",
    ",", ":-", "dynamic", "is", "rdiv", "=>", ":=", "volatile", "{}", "[]",
];

impl Fixture {
    fn random_leaf(&mut self, lcg: &mut Lcg) -> Cell {
        match lcg.below(13) {
            12 => {
                self.zero_arity = true;
                let name = self.symbols.intern(ATOMS[lcg.below(ATOMS.len())]).unwrap();
                let functor = self.symbols.functor(name, 0).unwrap();
                self.store.new_struct(functor, &[])
            }
            0 => Cell::int(lcg.below(20) as i64),
            1 => Cell::int(-(lcg.below(20) as i64)),
            2 => {
                let value =
                    [0.5, -0.5, 1e100, -1e-7, 0.0, -0.0, 1.0 / 0.0, -1.0 / 0.0][lcg.below(8)];
                self.store.new_float(value)
            }
            3 => {
                let value = dashu_int::IBig::from(-7).pow(20 + lcg.below(60));
                self.store.new_big(&value).unwrap()
            }
            4 => self.store.new_var(),
            5 => {
                let text = ATOMS[lcg.below(ATOMS.len())];
                self.store.new_string(text).unwrap()
            }
            _ => {
                let atom = self.symbols.intern(ATOMS[lcg.below(ATOMS.len())]).unwrap();
                Cell::atom(atom)
            }
        }
    }

    fn random_term(&mut self, lcg: &mut Lcg) -> Cell {
        self.random_term_of(lcg, [ATOMS, OPERATORS])
    }

    fn random_operator_term(&mut self, lcg: &mut Lcg) -> Cell {
        self.random_term_of(lcg, [INFIX, POSTFIX])
    }

    fn random_term_of(&mut self, lcg: &mut Lcg, functors: [&[&str]; 2]) -> Cell {
        self.zero_arity = false;
        let mut pool: Vec<Cell> = (0..1 + lcg.below(6))
            .map(|_| self.random_leaf(lcg))
            .collect();
        while pool.len() > 1 || lcg.below(4) > 0 {
            let arity = [1, 1, 2, 2, 2, 3][lcg.below(6)];
            let mut args = Vec::new();
            while args.len() < arity {
                let index = lcg.below(pool.len().max(1));
                let arg = if pool.is_empty() {
                    self.random_leaf(lcg)
                } else {
                    pool.swap_remove(index)
                };
                args.push(arg);
            }
            let term = if arity == 2 && lcg.below(5) == 0 {
                self.store.new_list(args[0], args[1])
            } else {
                let names = functors[lcg.below(2)];
                let name = self.symbols.intern(names[lcg.below(names.len())]).unwrap();
                let functor = self.symbols.functor(name, arity).unwrap();
                self.store.new_struct(functor, &args)
            };
            pool.push(term);
        }
        pool[0]
    }
}

/// Names that a table of operators may have as infix operators, and those as postfix operators:
/// none is both (6.3.4.3).
const INFIX: &[&str] = &[
    "-", "+", "*", "=", "is", "mod", "a", "yfx", ":-", "-->", "->", "\\", "dynamic", "A", "a b",
    "^", "**", ":", "?-", ";", "b", "!", "\\+", "=..", "0", "//", "x", "日本", "$", "[]a",
];
const POSTFIX: &[&str] = &[
    "bc", "&", "e", "yf", "xf", "é", "É", "o", "->>", "it's", "_b", "both",
];

impl Fixture {
    /// Adds operators at random, also in place of those of the standard.
    fn random_operators(&mut self, lcg: &mut Lcg) {
        use OpType::{Fx, Fy, Xf, Xfx, Xfy, Yf, Yfx};
        for _ in 0..1 + lcg.below(40) {
            let priority = [
                1, 100, 200, 200, 400, 500, 700, 900, 999, 1000, 1001, 1100, 1200,
            ][lcg.below(13)];
            let (names, types): (_, &[OpType]) = if lcg.below(3) > 0 {
                (INFIX, &[Xfx, Xfy, Yfx, Fy, Fx])
            } else {
                (POSTFIX, &[Xf, Yf, Fy, Fx])
            };
            let name = names[lcg.below(names.len())];
            self.op(priority, types[lcg.below(types.len())], name);
        }
    }

    /// Notes how a term is written quoted or canonically, if that is read as another term, by default or
    /// with the flag `iso`.
    fn not_read_back(&mut self, term: Cell, failures: &mut Vec<String>) {
        let canonical = WriteOptions::write_canonical();
        let quoted = WriteOptions {
            quoted: true,
            ..WriteOptions::default()
        };
        for options in [&quoted, &canonical] {
            let text = term_text(&self.env(), term, options);
            let same = [false, true].into_iter().all(|iso| {
                self.flags.iso = iso;
                iso && self.zero_arity
                    || self
                        .try_read(&text)
                        .is_some_and(|read| self.same(term, read))
            });
            self.flags.iso = false;
            if !same && failures.len() < 40 {
                let plain = term_text(&self.env(), term, &canonical);
                failures.push(format!("{plain}   written   {text}"));
            }
        }
    }
}

#[test]
fn quoted_terms_are_read_back_whatever_the_operators() {
    let mut lcg = Lcg(7);
    let mut failures = Vec::new();
    for _ in 0..300 {
        let mut fixture = Fixture::new();
        fixture.random_operators(&mut lcg);
        for _ in 0..200 {
            let top = fixture.store.heap_top;
            let term = fixture.random_operator_term(&mut lcg);
            fixture.not_read_back(term, &mut failures);
            fixture.store.heap_top = top;
        }
    }
    assert!(
        failures.is_empty(),
        "not read back:\n{}",
        failures.join("\n")
    );
}

#[test]
fn quoted_terms_are_read_back() {
    let mut fixture = Fixture::new();
    fixture.op(200, OpType::Fy, "fy");
    fixture.op(200, OpType::Fx, "fx");
    fixture.op(200, OpType::Yf, "yf");
    fixture.op(200, OpType::Xf, "xf");
    fixture.op(200, OpType::Xfy, "xfy");
    fixture.op(200, OpType::Yfx, "yfx");
    fixture.op(700, OpType::Fy, "both");
    fixture.op(700, OpType::Xfx, "both");
    fixture.op(999, OpType::Xfx, "->>");
    fixture.op(1150, OpType::Xf, "e");
    fixture.op(400, OpType::Fy, "xq r");
    let mut lcg = Lcg(42);
    let mut failures = Vec::new();
    for _ in 0..20_000 {
        let top = fixture.store.heap_top;
        let term = fixture.random_term(&mut lcg);
        fixture.not_read_back(term, &mut failures);
        fixture.store.heap_top = top;
    }
    assert!(
        failures.is_empty(),
        "not read back:\n{}",
        failures.join("\n")
    );
}
