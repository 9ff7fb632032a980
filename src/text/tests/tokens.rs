//! Tokens: quoted items and escapes, numbers, characters, comments, Unicode.

use super::super::numeral::parse_number;
use super::{Reader, check, check_plain};
use crate::base::flags::Flags;
use crate::base::watch::Watch;

#[test]
fn escapes() {
    check_plain(&[
        (r"'\n'.", "'\\xa\\'"),
        (r"'\a\b\f\n\r\t\v'.", r"'\x7\\x8\\xc\\xa\\xd\\x9\\xb\'"),
        (r"'\x41\b'.", "'Ab'"),
        (r"'\101\b'.", "'Ab'"),
        (r"'\0\'.", r"'\x0\'"),
        (r"'\\'.", r"\"),
        (r#"'\'\"\`'."#, "'\\'\"`'"),
        ("'a''b'.", "'a\\'b'"),
        ("''''.", "'\\''"),
        ("''.", "''"),
        ("'a\\\nb'.", "ab"),
        ("'a\\\r\nb'.", "ab"),
        ("'\\\n'.", "''"),
        ("'a\"b`c'.", "'a\"b`c'"),
        ("\"a'b\"\"c\".", "codes(\"a'b\\\"c\")"),
        ("`a``b`.", "codes(\"a`b\")"),
        (r"'\u0041\U00000042'.", "'AB'"),
        (r"'\u1'.", "error unterminated_char_escape"),
        (r"'\x41'.", "'A'"),
        (r"'\xG\'.", "error unterminated_char_escape"),
        (r"'\101'.", "'A'"),
        (r"'\9'.", "error undefined_char_escape"),
        (r"'\e'.", r"'\x1b\'"),
        (r"'\s'.", "' '"),
        (r"'\z'.", "error undefined_char_escape"),
        (r"'\c'.", "''"),
        (r"'\ '.", "error undefined_char_escape"),
        ("'\\\t'.", "error undefined_char_escape"),
        (r"'\77777777777\'.", "error illegal_character_code"),
        (r"'\xd800\'.", "error illegal_character_code"),
        ("'a\tb'.", r"'a\x9\b'"),
        ("'a\u{1}b'.", "error illegal_character_in_quoted"),
        ("'a\nb'.", r"'a\xa\b'"),
        ("'a", "error unterminated_quoted"),
        (r"X = 'a\", "error unterminated_char_escape"),
    ]);
    let literal = || {
        let mut reader = Reader::new();
        reader.flags.character_escapes = false;
        reader
    };
    check(
        literal,
        &[(r"'\n'.", r"'\\n'"), (r"f('\', 0'\).", r"f(\,92)")],
    );
}

#[test]
fn characters() {
    check_plain(&[
        ("0'a.", "97"),
        ("0' .", "32"),
        ("0'''.", "39"),
        (r"0'\'.", "39"),
        (r"0'\\.", "92"),
        (r"0'\n.", "10"),
        (r"0'\x41\.", "65"),
        (r"[0'\x41\,0'\101\].", "'.'(65,'.'(65,[]))"),
        ("0'\".", "34"),
        ("0'`.", "96"),
        ("0'\u{e9}.", "233"),
        ("-0'a.", "-97"),
        ("[0'., 0'% , 0'(].", "'.'(46,'.'(37,'.'(40,[])))"),
        ("0''.", "39"),
        ("0'\t.", "9"),
        (r"0'\z.", "error undefined_char_escape"),
        ("0'ab.", "error operator_expected"),
        ("00'+'1.", "+(0,1)"),
        ("1'+'2.", "+(1,2)"),
        ("16'mod'2.", "mod(16,2)"),
        ("0'mod'1.", "error operator_expected"),
        ("X is 0'\\\n+'1.", "is(X,+(0,1))"),
        ("X = 0'\\\n+'/*'. %*/1.", "=(X,+(0,1))"),
    ]);
}

#[test]
fn numbers() {
    check_plain(&[
        ("0.", "0"),
        ("007.", "7"),
        ("123.", "123"),
        ("9223372036854775807.", "9223372036854775807"),
        ("9223372036854775808.", "9223372036854775808"),
        ("-9223372036854775808.", "-9223372036854775808"),
        (
            "123456789012345678901234567890.",
            "123456789012345678901234567890",
        ),
        (
            "-123456789012345678901234567890.",
            "-123456789012345678901234567890",
        ),
        ("0xFF.", "255"),
        ("0xffffffffffffffffffff.", "1208925819614629174706175"),
        ("0o17.", "15"),
        ("0b101.", "5"),
        ("1_000_000.", "1000000"),
        ("0xFF_FF.", "65535"),
        ("1_000.25.", "1000.25"),
        ("1__0.", "error operator_expected"),
        ("1_.", "error operator_expected"),
        ("1.5.", "1.5"),
        ("1.0e10.", "10000000000.0"),
        ("1.0E+10.", "10000000000.0"),
        ("1.0e-1.", "0.1"),
        ("-1.5.", "-1.5"),
        ("- 1.5.", "-1.5"),
        ("-0.0.", "-0.0"),
        ("1.0Inf.", "inf"),
        ("-1.0Inf.", "-inf"),
        ("1.5NaN.", "NaN"),
        ("1.0Infinity.", "error operator_expected"),
        ("2.0Inf.", "error operator_expected"),
        ("1.0e400.", "error illegal_number"),
        ("1e10.", "10000000000.0"),
        ("1E9.", "1000000000.0"),
        ("1.e.", "error operator_expected"),
        ("1.e", "error operator_expected"),
        (".5.", "error operator_expected"),
        ("0X1.", "error operator_expected"),
        ("0B1.", "error operator_expected"),
        ("0b2.", "error operator_expected"),
        ("0xg.", "error operator_expected"),
        ("1.0ee9.", "error operator_expected"),
        ("X = 1. Y = 2.", "=(X,1) / =(Y,2)"),
    ]);
    let sticky = || Reader::with_ops("9 xf e;9 xf e9;9 yfx bop;9 yfx bo;9 yfx b;9 yf b2;9 yf o8");
    check(
        sticky,
        &[
            ("1e.", "e(1)"),
            ("1e9.", "e9(1)"),
            ("1.0e.", "e(1.0)"),
            ("1e-9.", "-(e(1),9)"),
            ("1.0e- 9.", "-(e(1.0),9)"),
            ("0bop 2.", "bop(0,2)"),
            ("0bo 2.", "bo(0,2)"),
            ("0b 2.", "b(0,2)"),
            ("0b2.", "b2(0)"),
            ("0o8.", "o8(0)"),
            ("0xor 2.", "xor(0,2)"),
            ("0xamod 2.", "mod(10,2)"),
            ("0b1mod 2.", "mod(1,2)"),
        ],
    );
}

#[test]
fn parse_number_alone() {
    let (flags, watch) = (Flags::default(), Watch::default());
    let table = [
        ("12", "Int(12)"),
        (" 12", "Int(12)"),
        ("\n/* c */ 12", "Int(12)"),
        ("-12", "Int(-12)"),
        ("- 12", "Int(-12)"),
        ("'-'12", "Int(-12)"),
        ("'\\x2d\\' 12", "Int(-12)"),
        ("0'a", "Int(97)"),
        ("0x1F", "Int(31)"),
        ("-0b11", "Int(-3)"),
        ("3.3E+0", "Float(3.3)"),
        ("1_000", "Int(1000)"),
    ];
    for (text, expected) in table {
        let got =
            parse_number(text, &flags, |_| Ok(false), &watch).map(|number| format!("{number:?}"));
        assert_eq!(got.as_deref(), Ok(expected), "{text:?}");
    }
    for text in [
        "", " ", "a", "12 ", "3.", "0x", "0x0.0", "1 2", "+1", "--1", "-", "0'", "1a0", "-a",
        "0'ab", "-/**/1", "'+'1",
    ] {
        assert!(
            parse_number(text, &flags, |_| Ok(false), &watch).is_err(),
            "{text:?}"
        );
    }
    let strict = Flags {
        iso: true,
        ..Flags::default()
    };
    for text in ["1E5", "1e5", "0''", "16'FF", "1 000"] {
        assert!(
            parse_number(text, &flags, |_| Ok(false), &watch).is_ok(),
            "{text:?}"
        );
        assert!(
            parse_number(text, &strict, |_| Ok(false), &watch).is_err(),
            "{text:?}"
        );
    }
    // To the reader it is the operator `e10` after a number.
    assert!(parse_number("1e10", &flags, |name| Ok(name == "e10"), &watch).is_err());
}

#[test]
fn comments() {
    check_plain(&[
        ("a/* b */:- /**/c.", ":-(a,c)"),
        ("X/* /*/=7.", "=(X,7)"),
        ("X/*/*/=7.", "=(X,7)"),
        ("a % b.\n:- c.", ":-(a,c)"),
        ("f(//*).", "f(//*)"),
        ("f(//*.*/).", "f(//*.*/)"),
        ("atom(-/*.*/-).", "atom(-/*.*/-)"),
        ("integer(- /*.*/1).", "integer(-1)"),
        ("integer('-'/*.*/1).", "integer(-1)"),
        ("integer(-/*.*/1).", "error operator_expected"),
        ("f(.+).", "f(.+)"),
        ("f(.).", "f('.')"),
        ("[.,.(.,.)].", "'.'('.','.'('.'('.','.'),[]))"),
        ("'/*'.", "'/*'"),
        ("'%'.", "'%'"),
    ]);
}

#[test]
fn unicode() {
    check_plain(&[
        ("caf\u{e9}(X\u{e9}, \u{c9}a).", "caf\u{e9}(X\u{e9},\u{c9}a)"),
        ("\u{65e5}\u{672c}.", "\u{65e5}\u{672c}"),
        ("\u{3b1}\u{3b2}2.", "\u{3b1}\u{3b2}2"),
        ("e\u{301}a.", "e\u{301}a"),
        ("x\u{b2}.", "x\u{b2}"),
        ("f(\u{2200}, \u{2264}).", "f(\u{2200},\u{2264})"),
        ("f(\u{1c5}a).", "f(\u{1c5}a)"),
        ("a\u{a0}:-\u{2003}b.", ":-(a,b)"),
        ("'\u{1f600}'.", "\u{1f600}"),
        ("\u{201c}a\u{201d}.", "error typographic_quote"),
        ("f(\u{2018}a\u{2019}).", "error typographic_quote"),
        ("a\u{200b}b.", "error illegal_character"),
        ("a\u{0}b.", "error illegal_character"),
    ]);
    let mut reader = Reader::new();
    reader.first("f(\u{1c5}a, \u{c9}a).");
    assert_eq!(reader.ast.vars.len(), 2);
    let wide = || Reader::with_ops("700 xfx \u{2264};400 yfx \u{b7}");
    check(wide, &[("a\u{2264}b\u{b7}c.", "\u{2264}(a,\u{b7}(b,c))")]);
}
