//! Tests of arithmetic: the rows of `tests/arithmetic`, every function with every kind of number, and random
//! numbers.

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
use crate::base::needs::{Clock, Needs, Permit, Random};
use crate::base::number::{INLINE_MAX, INLINE_MIN, Number};
use crate::base::watch::Watch;
use crate::data_tests::check;
use std::cmp::Ordering;

/// A host that always gives the same values.
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
    fn grants(&self, _: Needs) -> bool {
        true
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

fn number(text: &str) -> Number {
    match text {
        "inf" | "-inf" | "nan" => Number::Float(text.parse().unwrap()),
        _ if text.contains('.') => Number::Float(text.parse().unwrap()),
        _ => Number::from_big(text.parse().unwrap()),
    }
}

fn result_text(result: Result<Number, ArithError>) -> String {
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
        Err(ArithError::Refused(_)) => "refused".to_owned(),
    }
}

/// Returns the value of `functor argument...`.
fn value(expression: &str, iso: bool) -> String {
    let mut words = expression.split_whitespace();
    let name = words.next().unwrap();
    let arguments: Vec<Number> = words.map(number).collect();
    let id = lookup(name, arguments.len()).unwrap_or_else(|| panic!("no {expression}"));
    result_text(apply(
        id,
        &arguments,
        &mut FixedHost {
            iso,
            watch: Watch::default(),
        },
    ))
}

/// Returns how two numbers compare by value and in the standard order, in both directions.
fn comparison(pair: &str) -> String {
    let (x, y) = pair.split_once(' ').unwrap();
    let (x, y) = (number(x), number(y));
    let (by_value, in_order) = (compare(&x, &y), standard_order(&x, &y));
    assert_eq!(compare(&y, &x), by_value.map(Ordering::reverse));
    assert_eq!(standard_order(&y, &x), in_order.reverse());
    let by_value = match by_value {
        None => "undefined",
        Some(Ordering::Equal) => "=:=",
        Some(Ordering::Less) => "<",
        Some(Ordering::Greater) => ">",
    };
    let in_order = match in_order {
        Ordering::Equal => "==",
        Ordering::Less => "@<",
        Ordering::Greater => "@>",
    };
    format!("{by_value} {in_order}")
}

/// Returns the output of a directive of format/2, as in `~2f 10`.
fn column(text: &str) -> String {
    let (directive, text) = text.split_once(' ').unwrap();
    let (argument, directive) = directive[1..].split_at(directive.len() - 2);
    let (argument, n) = (argument.parse().unwrap(), number(text));
    let watch = Watch::default();
    let written = match directive {
        "f" => Some(fixed_text(&n, argument, &watch)),
        "e" => Some(exponent_text(&n, argument, &watch)),
        "g" => Some(general_text(&n, argument, &watch)),
        "d" => decimal_text(&n, argument, "", &watch),
        "D" => decimal_text(&n, argument, ",", &watch),
        "r" => {
            let written = radix_text(&n, argument as u32, false, &watch);
            let upper = radix_text(&n, argument as u32, true, &watch);
            let text = written.as_ref().and_then(|text| text.as_ref().ok());
            assert_eq!(
                upper.map(Result::unwrap),
                text.map(|text| text.to_uppercase())
            );
            written
        }
        _ => panic!("no directive: {directive}"),
    };
    written.map_or("none".to_owned(), Result::unwrap)
}

#[test]
fn rows() {
    let known = &["shows", "flags"];
    check("tests/arithmetic", known, |settings, text| {
        match settings.get("shows") {
            "" => value(text, settings.get("flags") == "iso"),
            "comparison" => comparison(text),
            "float" => float_text(text.parse().unwrap()),
            "column" => column(text),
            other => panic!("nothing shows {other}"),
        }
    });
}

/// Tests that the functions without calls agree with those of the table wherever they have a value.
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
                    let expected = result_text(apply(id, arguments, &mut host));
                    assert_eq!(
                        result_text(Ok(value)),
                        expected,
                        "{} {arguments:?}",
                        row.name
                    );
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

#[test]
fn columns_may_be_too_wide() {
    let watch = Watch::default();
    assert!(fixed_text(&Number::Int(1), usize::MAX, &watch).is_err());
    assert!(exponent_text(&Number::Int(1), usize::MAX, &watch).is_err());
    assert!(general_text(&Number::Int(1), usize::MAX, &watch).is_err());
    assert_eq!(
        fixed_text(&Number::Float(0.5), 70_000, &watch).map(|text| text.len()),
        Ok(70_002)
    );
    assert_eq!(
        exponent_text(&Number::Float(0.5), 70_000, &watch).map(|text| text.len()),
        Ok(70_006)
    );
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
