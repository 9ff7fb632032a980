//! Arithmetic against tables: what each function gives, how numbers compare, and their texts.

use super::compare::{compare, standard_order};
use super::error::ArithError;
use super::evaluable::{EvalHost, all, apply, lookup};
use super::format::{
    decimal_text, exponent_text, fixed_text, float_text, general_text, number_text, radix_text,
};
use super::large::Bounds;
use super::mixed;
use super::random::RandomState;
use super::small;
use crate::base::needs::{Clock, Permit, Random};
use crate::base::number::{INLINE_MAX, INLINE_MIN, Number};
use crate::base::watch::Watch;
use std::cmp::Ordering;

/// A host that always answers the same.
struct FixedHost {
    iso: bool,
    watch: Watch,
}

impl EvalHost for FixedHost {
    fn random_below(&mut self, _: &Permit<Random>, limit: &Number) -> super::error::Result<Number> {
        mixed::sub(limit, &Number::Int(1))
    }
    fn random_float(&mut self, _: &Permit<Random>) -> f64 {
        0.5
    }
    fn cputime(&self, _: &Permit<Clock>) -> f64 {
        0.25
    }
    fn realtime(&self, _: &Permit<Clock>) -> i64 {
        1
    }
    fn bounds(&self) -> Bounds<'_> {
        Bounds {
            max_bits: 1 << 20,
            watch: &self.watch,
        }
    }
    fn iso(&self) -> bool {
        self.iso
    }
}

fn text(n: &Number) -> String {
    number_text(n, &Watch::default()).unwrap()
}

fn in_radix(n: &Number, radix: u32, uppercase: bool) -> Option<String> {
    radix_text(n, radix, uppercase, &Watch::default()).map(Result::unwrap)
}

fn number(text: &str) -> Number {
    match text {
        "inf" | "-inf" | "nan" => Number::Float(text.parse().unwrap()),
        _ if text.contains('.') => Number::Float(text.parse().unwrap()),
        _ => Number::from_big(text.parse().unwrap()),
    }
}

fn shown(result: Result<Number, ArithError>) -> String {
    match result {
        Ok(n) => {
            if let Number::Big(big) = &n {
                assert!(i64::try_from(big).is_err(), "{big} is not in normal form");
            }
            text(&n)
        }
        Err(ArithError::Evaluation(what)) => format!("evaluation_error({what})"),
        Err(ArithError::Type(what, n)) => format!("type_error({what},{})", text(&n)),
        Err(ArithError::Domain(what, n)) => format!("domain_error({what},{})", text(&n)),
        Err(ArithError::Stopped) => "stopped".to_owned(),
        Err(ArithError::Resource(what)) => format!("resource_error({what})"),
    }
}

/// The value of `functor argument...`.
fn value(expression: &str, iso: bool) -> String {
    let mut words = expression.split_whitespace();
    let name = words.next().unwrap();
    let arguments: Vec<Number> = words.map(number).collect();
    let id = lookup(name, arguments.len()).unwrap_or_else(|| panic!("no {expression}"));
    shown(apply(
        id,
        &arguments,
        &mut FixedHost {
            iso,
            watch: Watch::default(),
        },
    ))
}

/// The lines of a table that do not hold.
fn wrong_lines(table: &str, iso: bool) -> Vec<String> {
    table
        .lines()
        .filter(|line| !line.is_empty() && !line.starts_with('#'))
        .filter_map(|line| {
            let (expression, expected) = line.rsplit_once(" = ").unwrap();
            let got = value(expression, iso);
            (got != expected).then(|| format!("{line}, not {got}"))
        })
        .collect()
}

/// What is computed at once of integers and floats is what the table of functions has, wherever it
/// has a value.
#[test]
fn small_functions() {
    let mut small = vec![
        -7, -2, -1, 0, 1, 2, 3, 6, 10, 12, 31, 32, 59, 60, 61, 63, 64, 65,
    ];
    small.extend([1 << 30, -(1 << 31), 1 << 53, INLINE_MIN, INLINE_MAX]);
    let floats = [
        0.0,
        -0.0,
        0.49999999999999994,
        0.5,
        -0.5,
        1.5,
        2.5,
        -2.5,
        -2.7,
        4503599627370495.5,
        -4503599627370495.5,
        4503599627370497.0,
        1e300,
        f64::INFINITY,
        f64::NAN,
    ];
    for iso in [false, true] {
        let mut host = FixedHost {
            iso,
            watch: Watch::default(),
        };
        for (id, row) in all() {
            let mut check = |arguments: &[Number], value: Option<Number>| {
                if let Some(value) = value {
                    let expected = shown(apply(id, arguments, &mut host));
                    assert_eq!(shown(Ok(value)), expected, "{} {arguments:?}", row.name);
                }
            };
            for &x in small.iter().filter(|_| row.arity() == 1) {
                check(&[Number::Int(x)], small::one(id, x).map(Number::Int));
                if small::is_of_floats(id) {
                    let value = small::float_of_float(id, x as f64);
                    check(&[Number::Int(x)], value.map(Number::Float));
                }
            }
            for &x in floats.iter().filter(|_| row.arity() == 1) {
                let value = small::integer_of_float(id, x);
                check(&[Number::Float(x)], value.map(Number::Int));
                let value = small::float_of_float(id, x);
                check(&[Number::Float(x)], value.map(Number::Float));
            }
            for (&x, &y) in small.iter().flat_map(|x| small.iter().map(move |y| (x, y))) {
                if row.arity() == 2 {
                    let value = small::two(id, x, y, iso).map(Number::Int);
                    check(&[Number::Int(x), Number::Int(y)], value);
                }
            }
        }
    }
}

#[test]
fn evaluation_table() {
    let wrong = wrong_lines(include_str!("evaluations.txt"), false);
    assert!(wrong.is_empty(), "{wrong:#?}");
}

#[test]
fn iso_mode() {
    let table = "/ 4 2 = 2.0\n/ 7 2 = 3.5\n/ 0 0 = evaluation_error(undefined)\n\
                 / 1 0 = evaluation_error(zero_divisor)\n// 4 2 = 2\n** 2 3 = 8.0\n** 2 -1 = 0.5\n\
                 ** 1 5 = 1.0\n** 0 -1 = evaluation_error(zero_divisor)\n^ 2 3 = 8";
    let wrong = wrong_lines(table, true);
    assert!(wrong.is_empty(), "{wrong:#?}");
}

#[test]
fn every_function_survives_every_number() {
    let samples = [
        "0",
        "1",
        "-1",
        "3",
        "-64",
        "9223372036854775807",
        "-9223372036854775808",
        "9223372036854775808",
        "-1267650600228229401496703205376",
        "0.0",
        "-0.0",
        "1.5",
        "-1.0",
        "1.0e308",
        "-1.0e308",
        "5.0e-324",
        "9.3e18",
        "inf",
        "-inf",
        "nan",
    ]
    .map(number);
    let huge = Number::from_big(dashu_int::IBig::ONE << 1_100_000);
    let samples: Vec<Number> = samples.into_iter().chain([huge]).collect();
    let mut host = FixedHost {
        iso: false,
        watch: Watch::default(),
    };
    for (id, row) in all() {
        // Modular powers of huge numbers take too long for a test.
        let samples = if row.arity() == 3 {
            &samples[..samples.len() - 1]
        } else {
            &samples[..]
        };
        let mut arguments = vec![samples[0].clone(); row.arity()];
        let mut counter = vec![0; row.arity()];
        'next: loop {
            for (argument, index) in arguments.iter_mut().zip(&counter) {
                *argument = samples[*index].clone();
            }
            if let Ok(Number::Big(big)) = apply(id, &arguments, &mut host) {
                assert!(
                    i64::try_from(&big).is_err(),
                    "{} gives an abnormal number",
                    row.name
                );
            }
            for index in &mut counter {
                *index += 1;
                if *index < samples.len() {
                    continue 'next;
                }
                *index = 0;
            }
            break;
        }
    }
}

#[test]
fn table_has_no_duplicates() {
    for (id, row) in all() {
        assert_eq!(
            lookup(row.name, row.arity()),
            Some(id),
            "{}/{}",
            row.name,
            row.arity()
        );
    }
    assert_eq!(lookup("foo", 1), None);
    assert_eq!(lookup("mod", 1), None);
}

/// Two numbers, how they compare by value, and in the standard order.
const COMPARISONS: &[(&str, &str, Option<Ordering>, Ordering)] = &[
    ("1", "1.0", Some(Ordering::Equal), Ordering::Greater),
    ("1.0", "1", Some(Ordering::Equal), Ordering::Less),
    ("1", "2", Some(Ordering::Less), Ordering::Less),
    ("-1", "-1.5", Some(Ordering::Greater), Ordering::Greater),
    ("1", "1.5", Some(Ordering::Less), Ordering::Less),
    ("-2", "-1.5", Some(Ordering::Less), Ordering::Less),
    ("0.0", "-0.0", Some(Ordering::Equal), Ordering::Greater),
    ("0", "-0.0", Some(Ordering::Equal), Ordering::Greater),
    (
        "9007199254740993",
        "9007199254740992.0",
        Some(Ordering::Greater),
        Ordering::Greater,
    ),
    (
        "9007199254740991",
        "9007199254740992.0",
        Some(Ordering::Less),
        Ordering::Less,
    ),
    (
        "9223372036854775807",
        "9223372036854775808.0",
        Some(Ordering::Less),
        Ordering::Less,
    ),
    (
        "-9223372036854775808",
        "-9223372036854775808.0",
        Some(Ordering::Equal),
        Ordering::Greater,
    ),
    (
        "9223372036854775808",
        "9223372036854775808.0",
        Some(Ordering::Equal),
        Ordering::Greater,
    ),
    (
        "100000000000000000000000",
        "1.0e23",
        Some(Ordering::Greater),
        Ordering::Greater,
    ),
    (
        "99999999999999991611392",
        "1.0e23",
        Some(Ordering::Equal),
        Ordering::Greater,
    ),
    (
        "100000000000000000000000",
        "inf",
        Some(Ordering::Less),
        Ordering::Less,
    ),
    (
        "100000000000000000000000",
        "-inf",
        Some(Ordering::Greater),
        Ordering::Greater,
    ),
    (
        "-100000000000000000000000",
        "1.5",
        Some(Ordering::Less),
        Ordering::Less,
    ),
    (
        "-100000000000000000000000",
        "-5",
        Some(Ordering::Less),
        Ordering::Less,
    ),
    ("nan", "1", None, Ordering::Less),
    ("nan", "-inf", None, Ordering::Less),
    ("nan", "nan", None, Ordering::Equal),
];

#[test]
fn comparison() {
    for &(x, y, by_value, in_order) in COMPARISONS {
        let (a, b) = (number(x), number(y));
        assert_eq!(compare(&a, &b), by_value, "{x} {y}");
        assert_eq!(compare(&b, &a), by_value.map(Ordering::reverse), "{y} {x}");
        assert_eq!(standard_order(&a, &b), in_order, "{x} {y}");
        assert_eq!(standard_order(&b, &a), in_order.reverse(), "{y} {x}");
    }
}

#[test]
fn float_texts() {
    let table = [
        (1.0, "1.0"),
        (0.1, "0.1"),
        (-1.5, "-1.5"),
        (0.0, "0.0"),
        (-0.0, "-0.0"),
        (1.0e10, "10000000000.0"),
        (1.0e14, "100000000000000.0"),
        (1.0e15, "1.0e+15"),
        (123456789012345.0, "123456789012345.0"),
        (1234567890123456.0, "1.234567890123456e+15"),
        (1.2345678901234567e15, "1234567890123456.8"),
        (9.999999999999998e15, "9.999999999999998e+15"),
        (1.0e22, "1.0e+22"),
        (1.0e100, "1.0e+100"),
        (f64::MAX, "1.7976931348623157e+308"),
        (0.0001, "0.0001"),
        (0.000123, "0.000123"),
        (0.00001, "1.0e-5"),
        (1.23e-5, "1.23e-5"),
        (9.9999999e-5, "9.9999999e-5"),
        (1.5e-10, "1.5e-10"),
        (5.0e-324, "5.0e-324"),
        (0.30000000000000004, "0.30000000000000004"),
        (123456.789, "123456.789"),
        (f64::INFINITY, "1.0Inf"),
        (f64::NEG_INFINITY, "-1.0Inf"),
        (f64::NAN, "1.5NaN"),
    ];
    for (float, text) in table {
        assert_eq!(float_text(float), text);
    }
}

/// Columns of format/2: directive, argument, number and text, as in SWI-Prolog 9.
const COLUMNS: &[(&str, usize, &str, &str)] = &[
    ("f", 2, "10", "10.00"),
    ("f", 0, "10", "10"),
    ("f", 0, "0.5", "0"),
    ("f", 0, "1.5", "2"),
    ("f", 0, "2.5", "2"),
    ("f", 1, "0.25", "0.2"),
    ("f", 1, "0.35", "0.3"),
    ("f", 1, "0.05", "0.1"),
    ("f", 2, "-0.001", "-0.00"),
    ("f", 2, "1.005", "1.00"),
    (
        "f",
        2,
        "123456789012345678901234567890",
        "123456789012345678901234567890.00",
    ),
    (
        "f",
        60,
        "0.1",
        "0.100000000000000005551115123125782702118158340454101562500000",
    ),
    ("f", 2, "0.125", "0.12"),
    ("f", 2, "0.375", "0.38"),
    ("f", 2, "-inf", "-inf"),
    ("f", 2, "nan", "nan"),
    ("f", 2, "1.0e22", "10000000000000000000000.00"),
    ("e", 6, "10", "1.000000e+01"),
    ("e", 3, "12345", "1.234e+04"),
    ("e", 0, "1.5", "2e+00"),
    ("e", 0, "2.5", "2e+00"),
    ("e", 6, "0", "0.000000e+00"),
    ("e", 6, "-0.0", "-0.000000e+00"),
    ("e", 6, "123456789012345678901234567890", "1.234568e+29"),
    ("e", 0, "9.5", "1e+01"),
    ("e", 6, "1.0e-300", "1.000000e-300"),
    ("e", 1, "9.96", "1.0e+01"),
    ("e", 30, "0.1", "1.000000000000000055511151231258e-01"),
    ("e", 2, "inf", "inf"),
    ("e", 2, "99999999999999999999999", "1.00e+23"),
    ("e", 3, "-12335", "-1.234e+04"),
    ("g", 6, "10", "10"),
    ("g", 6, "0.0001", "0.0001"),
    ("g", 6, "1.0e-5", "1e-05"),
    ("g", 6, "1000000", "1e+06"),
    ("g", 6, "100000", "100000"),
    ("g", 3, "3.14159", "3.14"),
    ("g", 10, "3.14159265358979", "3.141592654"),
    ("g", 0, "3.14", "3"),
    ("g", 20, "0.1", "0.10000000000000000555"),
    ("g", 3, "999.6", "1e+03"),
    ("g", 6, "9.999999e-5", "0.0001"),
    ("g", 6, "-1.5e-7", "-1.5e-07"),
    ("g", 3, "0", "0"),
    (
        "g",
        20,
        "717897987691852588770249",
        "7.1789798769185258877e+23",
    ),
    ("d", 0, "10", "10"),
    ("d", 2, "10", "0.10"),
    ("d", 2, "-5", "-0.05"),
    ("d", 3, "-12345", "-12.345"),
    ("d", 1, "0", "0.0"),
    ("d", 3, "-12", "-0.012"),
    ("D", 0, "1234567", "1,234,567"),
    ("D", 2, "1234567", "12,345.67"),
    ("D", 0, "123", "123"),
    ("D", 0, "-123", "-123"),
    ("D", 2, "-12", "-0.12"),
    (
        "D",
        3,
        "-12345678901234567890123",
        "-12,345,678,901,234,567,890.123",
    ),
];

#[test]
fn format_columns() {
    for &(column, argument, text, expected) in COLUMNS {
        let n = number(text);
        let got = match column {
            "f" => fixed_text(&n, argument, &Watch::default()),
            "e" => exponent_text(&n, argument, &Watch::default()),
            "g" => general_text(&n, argument, &Watch::default()),
            "d" => decimal_text(&n, argument, "", &Watch::default()).unwrap(),
            _ => decimal_text(&n, argument, ",", &Watch::default()).unwrap(),
        };
        assert_eq!(
            got.as_deref(),
            Ok(expected),
            "~{argument}{column} of {text}"
        );
    }
    assert!(fixed_text(&Number::Int(1), usize::MAX, &Watch::default()).is_err());
    assert!(exponent_text(&Number::Int(1), usize::MAX, &Watch::default()).is_err());
    assert!(general_text(&Number::Int(1), usize::MAX, &Watch::default()).is_err());
    assert_eq!(
        decimal_text(&Number::Float(1.0), 0, "", &Watch::default()),
        None
    );
    assert_eq!(
        fixed_text(&Number::Float(0.5), 70_000, &Watch::default()).map(|text| text.len()),
        Ok(70_002)
    );
    assert_eq!(
        exponent_text(&Number::Float(0.5), 70_000, &Watch::default()).map(|text| text.len()),
        Ok(70_006)
    );
}

#[test]
fn radix_texts() {
    let table = [
        ("100", 8, "144"),
        ("-100", 8, "-144"),
        ("123456789", 36, "21i3v9"),
        ("5", 2, "101"),
        ("0", 2, "0"),
        (
            "123456789012345678901234567890",
            16,
            "18ee90ff6c373e0ee4e3f0ad2",
        ),
    ];
    for (text, radix, expected) in table {
        let n = number(text);
        assert_eq!(in_radix(&n, radix, false).as_deref(), Some(expected));
        assert_eq!(in_radix(&n, radix, true), Some(expected.to_uppercase()));
    }
    assert_eq!(
        in_radix(&Number::Int(i64::MIN), 16, true).as_deref(),
        Some("-8000000000000000")
    );
    assert_eq!(in_radix(&Number::Int(1), 1, false), None);
    assert_eq!(in_radix(&Number::Int(1), 37, false), None);
    assert_eq!(in_radix(&Number::Float(1.0), 10, false), None);
}

#[test]
fn random_numbers() {
    let mut state = RandomState::new(7);
    let big = number("100000000000000000000000");
    for limit in 1..200 {
        assert!(state.below(limit) < limit);
        let float = state.float();
        assert!(0.0 < float && float < 1.0);
        let n = state.number_below(&big).unwrap();
        assert!(!n.is_negative() && compare(&n, &big) == Some(Ordering::Less));
    }
    assert_eq!(state.number_below(&Number::Int(1)), Ok(Number::Int(0)));
    assert!(state.below(u64::MAX) < u64::MAX);
    let again: Vec<u64> = (0..3).map(|_| RandomState::new(7).next()).collect();
    assert!(again.iter().all(|n| *n == again[0]));
}
