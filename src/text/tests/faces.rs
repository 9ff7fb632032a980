//! The two faces of the reader: what the flag `iso` refuses and the default reads as SWI-Prolog does, and the
//! law that binds them: what the strict reader accepts, the default reads to the same term and the same end.

use super::Reader;
use crate::base::op_table::OpType;
use crate::base::symbol::atoms;

/// Checks texts, each with what it denotes by default; with the flag `iso` each is an error.
fn check_faces(reader: impl Fn() -> Reader, table: &[(&str, &str)]) {
    let mut wrong = Vec::new();
    for &(text, expected) in table {
        let (here, strict) = (reader().one(text), reader().strict().one(text));
        if here != expected || !strict.starts_with("error ") {
            wrong.push(format!(
                "{text:?}\n    gives    {here}, strictly {strict}\n    expected {expected}"
            ));
        }
    }
    assert!(wrong.is_empty(), "\n{}", wrong.join("\n"));
}

#[test]
fn operators_that_can_be_none_are_atoms() {
    check_faces(
        Reader::new,
        &[
            ("- = x.", "=(-,x)"),
            ("- = - .", "=(-,-)"),
            ("X = \\+ .", "=(X,\\+)"),
            ("- - .", "-(-)"),
            ("- - = x.", "=(-(-),x)"),
            ("\\+ = .", "\\+(=)"),
            ("\\+ - = x.", "\\+(=(-,x))"),
            ("\\+ -> x.", "->(\\+,x)"),
            ("- ; x.", ";(-,x)"),
            ("- :- x.", "error operator_clash"),
            ("mod :- x.", ":-(mod,x)"),
            ("is --> [is].", "-->(is,'.'(is,[]))"),
            ("p :- q, \\+ .", ":-(p,','(q,\\+))"),
            ("(-, a).", "','(-,a)"),
            ("{- , a}.", "{}(','(-,a))"),
            ("= = = .", "=(=,=)"),
            ("- * - x.", "*(-,-(x))"),
            ("a - = = x.", "=(-(a,=),x)"),
            ("f(is = 1, * = 2, M).", "f(=(is,1),=(*,2),M)"),
            ("[a = \\ , \\+].", "'.'(=(a,\\),'.'(\\+,[]))"),
            (
                ":- dynamic mod/4, - /2.",
                ":-(dynamic(','(/(mod,4),/(-,2))))",
            ),
            (":- table as//0.", ":-(table(//(as,0)))"),
            ("\\+ = x.", "error operator_as_operand"),
            ("dynamic mod.", "dynamic(mod)"),
            (
                "dynamic mod. 'rest",
                "dynamic(mod) / error unterminated_quoted",
            ),
        ],
    );
}

#[test]
fn quoted_operators_after_prefix_operators() {
    check_faces(
        Reader::new,
        &[
            (":- dynamic '*'/2.", ":-(dynamic(/(*,2)))"),
            (
                ":- dynamic '*'/2, '=>'/2, '='/2.",
                ":-(dynamic(','(/(*,2),','(/(=>,2),/(=,2)))))",
            ),
            (":- discontiguous '='/3.", ":-(discontiguous(/(=,3)))"),
            (":- dynamic '|'/7.", ":-(dynamic(/('|',7)))"),
            (":- dynamic ','/7.", ":-(dynamic(/(',',7)))"),
            ("p :- dynamic '->'/2.", ":-(p,dynamic(/(->,2)))"),
            ("dynamic 'is'/1.", "dynamic(/(is,1))"),
            (
                "dynamic 'is'. 'rest",
                "dynamic(is) / error unterminated_quoted",
            ),
            ("dynamic 'is', b.", "dynamic(','(is,b))"),
            ("dynamic '=' = a.", "dynamic(=(=,a))"),
            ("X = - '*'.", "=(X,-(*))"),
            ("- '*' * a.", "*(-(*),a)"),
            ("- '*' - a.", "-(-(*),a)"),
            ("- '=' = x.", "=(-(=),x)"),
            ("\\+ '*' = a.", "\\+(=(*,a))"),
            ("[- '*'|a].", "'.'(-(*),a)"),
            ("f(- '*', {- '*'}).", "f(-(*),{}(-(*)))"),
            ("- '=' x.", "=(-,x)"),
        ],
    );
    super::check(
        Reader::new,
        &[
            (":- multifile '=>'/2.", ":-(multifile(/(=>,2)))"),
            ("dynamic '*' 2.", "*(dynamic,2)"),
            ("dynamic '*' -2.", "*(dynamic,-2)"),
            ("dynamic '=' a.", "=(dynamic,a)"),
            ("dynamic '=' .", "dynamic(=)"),
        ],
    );
}

#[test]
fn quoted_prefix_operators_as_heads() {
    check_faces(
        Reader::new,
        &[
            ("'-' :- b.", ":-(-,b)"),
            ("'table' :- true.", ":-(table,true)"),
            ("'dynamic' :- x.", ":-(dynamic,x)"),
            ("'$' :- x.", ":-($,x)"),
            ("'?-' :- x.", ":-(?-,x)"),
            ("':-' :- x.", ":-(:-,x)"),
            ("X = '-' :- b.", ":-(=(X,-),b)"),
            ("f('-' :- b).", "f(:-(-,b))"),
            ("'-' ?- b.", "error operator_clash"),
        ],
    );
    super::check(
        Reader::new,
        &[
            ("'-' - b.", "-(-(b))"),
            ("'dynamic' - b.", "dynamic(-(b))"),
            ("'-' :-(b).", "-(:-(b))"),
        ],
    );
}

#[test]
fn arguments_and_elements_of_any_priority() {
    check_faces(
        Reader::new,
        &[
            ("f(a :- b).", "f(:-(a,b))"),
            ("f(:- dynamic a, b).", "f(:-(dynamic(a)),b)"),
            ("f(a -> b -> c).", "f(->(a,->(b,c)))"),
            ("f(x ; y ; z, L).", "f(;(x,;(y,z)),L)"),
            ("[a :- b, c|d --> e].", "'.'(:-(a,b),'.'(c,-->(d,e)))"),
            ("[dynamic a, b].", "'.'(dynamic(a),'.'(b,[]))"),
            ("f(a | b).", "f('|'(a,b))"),
            ("f(a ; b | c).", "f('|'(;(a,b),c))"),
            ("f(a :- b :- c).", "error operator_clash"),
            ("[a | b, c].", "error list_tail"),
            ("[a | b | c].", "error list_tail"),
        ],
    );
}

#[test]
fn terms_without_arguments() {
    check_faces(
        Reader::new,
        &[
            ("p().", "p()"),
            ("p( ).", "p()"),
            ("m:p() :- q().", ":-(:(m,p()),q())"),
            ("[]().", "[]()"),
            ("-().", "-()"),
            ("'a b'().", "'a b'()"),
            ("f(p(), []).", "f(p(),[])"),
            ("X().", "error variable_functor"),
            ("p(,).", "error cannot_start_term"),
        ],
    );
}

#[test]
fn quoted_items_over_lines_and_escapes() {
    check_faces(
        Reader::new,
        &[
            ("'a\nb'.", "'a\\xa\\b'"),
            ("'a\r\nb'.", "'a\\xa\\b'"),
            ("`a\n\nb`.", "codes(\"a\\n\\nb\")"),
            ("'a\tb'.", "'a\\x9\\b'"),
            ("'a\\c \n\t b'.", "ab"),
            ("'\\e'.", "'\\x1b\\'"),
            ("'\\0'.", "'\\x0\\'"),
            ("'\\x41,\\1019'.", "'A,A9'"),
            ("'a\rb'.", "error unterminated_quoted"),
            ("'a\u{1}b'.", "error illegal_character_in_quoted"),
            ("0''.", "39"),
            ("[0'', 0'a].", "'.'(39,'.'(97,[]))"),
            ("0'\t.", "9"),
            ("0'\n.", "10"),
            ("0'\\\n.", "10"),
            ("0'\\e.", "27"),
            ("0'\\x41.", "65"),
            ("0'\\c.", "error undefined_char_escape"),
        ],
    );
}

#[test]
fn numbers() {
    check_faces(
        Reader::new,
        &[
            ("1 000 000.", "1000000"),
            ("12 345.", "12345"),
            ("-1 000.", "-1000"),
            ("1  000.", "error operator_expected"),
            ("1\n000.", "error operator_expected"),
            ("1 00.", "error operator_expected"),
            ("1 0000.", "error operator_expected"),
            ("1 000a.", "error operator_expected"),
            ("1234 567.", "error operator_expected"),
            ("1_ 000.", "1000"),
            ("1_\n000_/*2*/000.", "1000000"),
            ("16'FF.", "255"),
            ("-16'ff_ff.", "-65535"),
            ("36'Zz.", "1295"),
            ("2'101.", "5"),
            ("2'2.", "error unterminated_quoted"),
            ("37'1.", "error unterminated_quoted"),
            ("16'FFg.", "error unterminated_quoted"),
            ("1E10.", "10000000000.0"),
            ("15E-1.", "1.5"),
            ("1e10.", "10000000000.0"),
        ],
    );
}

/// Numbers that the standard reads as a shorter one and an operator.
#[test]
fn operators_right_after_numbers() {
    let ops = "700 xfx ad;700 xfx 1;200 xf ;200 xf e9;200 xf e;700 xfx E1";
    let table = [
        ("16'ad'2.", "ad(16,2)"),
        ("16'ad.", "173"),
        ("2'1'y.", "'1'(2,y)"),
        ("2'1.", "1"),
        ("0''.", "''(0)"),
        ("1e9.", "e9(1)"),
        ("1e-9.", "-(e(1),9)"),
        ("1e8.", "100000000.0"),
        ("1E1.", "10.0"),
    ];
    super::check(|| Reader::with_ops(ops), &table);
    super::check(
        || {
            let mut reader = Reader::with_ops(ops);
            reader.flags.var_prefix = true;
            reader
        },
        &[("1E1 X.", "'E1'(1,'X')"), ("Foo = _x.", "=('Foo',_x)")],
    );
}

#[test]
fn variables_as_names_of_terms() {
    let mut reader = Reader::new();
    reader.flags.variable_functors = true;
    assert_eq!(reader.one("Foo(a, Foo)."), "'Foo'(a,Foo)");
    assert_eq!(reader.one("_f()."), "'_f'()");
}

/// A source of numbers that is the same each time.
struct Random(u64);

impl Random {
    fn below(&mut self, limit: usize) -> usize {
        self.0 ^= self.0 << 13;
        self.0 ^= self.0 >> 7;
        self.0 ^= self.0 << 17;
        (self.0 % limit as u64) as usize
    }

    fn of<T: Copy>(&mut self, items: &[T]) -> T {
        items[self.below(items.len())]
    }
}

/// Pieces that meet at the seams between the two faces.
const PIECES: &[&str] = &[
    "a",
    "b",
    "f(",
    "g(",
    "X",
    "_",
    "0",
    "1",
    "2",
    "16",
    "000",
    " 000",
    "1_",
    "0'",
    "0''",
    "'",
    "''",
    "\"",
    "`",
    "'a'",
    "'+'",
    "'e9'",
    "'1'",
    "'-'",
    "'='",
    "':-'",
    "'dynamic'",
    "'mod'",
    "\\",
    "\\x4",
    "\\0",
    "\\c",
    "\\e",
    "\\n",
    "e9",
    "e",
    "E9",
    "b1",
    "FF",
    "x",
    "+",
    "-",
    "*",
    "\\+",
    "=",
    "=>",
    "|",
    ";",
    "->",
    ":-",
    "dynamic",
    "table",
    "mod",
    "is",
    "$",
    "(",
    ")",
    "[",
    "]",
    "{",
    "}",
    "()",
    ",",
    ".",
    "%",
    "/*",
    "*/",
    "\n",
    "\t",
    "\r\n",
    "xf",
    "fy",
    "1.0",
    "!",
];

/// Names that the random tables make operators.
const NAMES: &[&str] = &[
    "a", "b", "e9", "e", "b1", "x", "1", "", "+", "-", "*", "=", "mod", "dynamic", "xf", "fy",
    "FF", "\\+", "[]", "!",
];

fn random_reader(random: &mut Random) -> Reader {
    let mut reader = Reader::new();
    let types = [
        OpType::Xfx,
        OpType::Xfy,
        OpType::Yfx,
        OpType::Fy,
        OpType::Fx,
        OpType::Xf,
        OpType::Yf,
    ];
    for _ in 0..random.below(6) {
        let name = reader.symbols.intern(random.of(NAMES)).unwrap();
        let priority = random.of(&[0, 1, 100, 200, 400, 700, 999, 1000, 1001, 1150, 1200]);
        let op_type = random.of(&types);
        reader.ops.add(name, priority, op_type).unwrap();
    }
    let bar = random.of(&[0, 1001, 1100, 1105, 1200]);
    reader.ops.add(atoms::BAR, bar, OpType::Xfy).unwrap();
    reader
}

/// `TEXTS` in the environment of the compiler is the number of texts.
#[test]
fn what_the_strict_reader_accepts_is_read_the_same() {
    let texts = option_env!("TEXTS").and_then(|texts| texts.parse().ok());
    let mut random = Random(0x2545_f491_4f6c_dd1d);
    let mut accepted = 0usize;
    let texts = texts.unwrap_or(30_000usize);
    for _ in 0..texts / 10 {
        let mut here = random_reader(&mut random);
        let mut strict = here.copy();
        strict.flags.iso = true;
        for _ in 0..10 {
            let mut text = String::new();
            for _ in 0..=random.below(8) {
                text.push_str(random.of(PIECES));
                text.push_str(random.of(&["", "", " "]));
            }
            text.push_str(". ");
            let (mut end, mut strict_end) = (0, 0);
            let Ok(read) = strict.read(&text, &mut strict_end) else {
                continue;
            };
            let same = here.read(&text, &mut end);
            assert_eq!(same, Ok(read), "{text:?}");
            assert_eq!(end, strict_end, "{text:?}");
            if read {
                accepted += 1;
                assert_eq!(here.written(), strict.written(), "{text:?}");
            }
        }
    }
    assert!(accepted > texts / 40, "{accepted} of {texts}");
}
