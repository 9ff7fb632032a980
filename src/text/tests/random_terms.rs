//! Random terms: a term that is written quoted is read back, for any operators.

use super::{Fixture, Random, same};
use crate::base::op_table::OpType::{Fx, Fy, Xf, Xfx, Xfy, Yf, Yfx};
use crate::store::cell::Cell;
use crate::text::write_options::WriteOptions;

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

/// Names that a table may declare as infix operators, and names that it may declare as postfix
/// operators. No name is both (6.3.4.3).
const INFIX: &[&str] = &[
    "-", "+", "*", "=", "is", "mod", "a", "yfx", ":-", "-->", "->", "\\", "dynamic", "A", "a b",
    "^", "**", ":", "?-", ";", "b", "!", "\\+", "=..", "0", "//", "x", "日本", "$", "[]a",
];
const POSTFIX: &[&str] = &[
    "bc", "&", "e", "yf", "xf", "é", "É", "o", "->>", "it's", "_b", "both",
];

const PRIORITIES: &[u16] = &[
    1, 100, 200, 200, 400, 500, 700, 900, 999, 1000, 1001, 1100, 1200,
];

const FLOATS: &[f64] = &[0.5, -0.5, 1e100, -1e-7, 0.0, -0.0, 1.0 / 0.0, -1.0 / 0.0];

struct Terms {
    random: Random,
    fixture: Fixture,
    /// Whether a compound term without arguments was made, which the strict reader refuses.
    zero_arity: bool,
    failures: Vec<String>,
}

impl Terms {
    fn new(seed: u64) -> Terms {
        Terms {
            random: Random(seed),
            fixture: Fixture::new(),
            zero_arity: false,
            failures: Vec::new(),
        }
    }

    fn leaf(&mut self) -> Cell {
        let random = &mut self.random;
        let store = &mut self.fixture.store;
        match random.below(13) {
            12 => {
                self.zero_arity = true;
                let functor = self.fixture.functor(random.of(ATOMS), 0);
                self.fixture.store.new_struct(functor, &[])
            }
            0 => Cell::int(random.below(20) as i64),
            1 => Cell::int(-(random.below(20) as i64)),
            2 => store.new_float(random.of(FLOATS)),
            3 => {
                let value = dashu_int::IBig::from(-7).pow(20 + random.below(60));
                store.new_big(&value).unwrap()
            }
            4 => store.new_var(),
            5 => store.new_string(random.of(ATOMS)).unwrap(),
            _ => Cell::atom(self.fixture.symbols.intern(random.of(ATOMS)).unwrap()),
        }
    }

    fn term(&mut self, functors: [&[&str]; 2]) -> Cell {
        self.zero_arity = false;
        let leaves = 1 + self.random.below(6);
        let mut pool: Vec<Cell> = (0..leaves).map(|_| self.leaf()).collect();
        while pool.len() > 1 || self.random.below(4) > 0 {
            let arity = self.random.of(&[1, 1, 2, 2, 2, 3]);
            let mut args = Vec::new();
            while args.len() < arity {
                args.push(match pool.len() {
                    0 => self.leaf(),
                    length => pool.swap_remove(self.random.below(length)),
                });
            }
            pool.push(if arity == 2 && self.random.below(5) == 0 {
                self.fixture.store.new_list(args[0], args[1])
            } else {
                let names = self.random.of(&functors);
                let functor = self.fixture.functor(self.random.of(names), arity);
                self.fixture.store.new_struct(functor, &args)
            });
        }
        pool[0]
    }

    /// Adds random operators, which may replace those of the standard.
    fn add_operators(&mut self) {
        for _ in 0..=self.random.below(40) {
            let priority = self.random.of(PRIORITIES);
            let (name, op_type) = if self.random.below(3) > 0 {
                let types = [Xfx, Xfy, Yfx, Fy, Fx];
                (self.random.of(INFIX), self.random.of(&types))
            } else {
                (self.random.of(POSTFIX), self.random.of(&[Xf, Yf, Fy, Fx]))
            };
            self.fixture.op(priority, op_type, name);
        }
    }

    /// Makes terms and writes each quoted or canonically. Records the text if it is read as another term,
    /// by default or with the flag `iso`.
    fn write_and_read(&mut self, count: usize, functors: [&[&str]; 2]) {
        let canonical = WriteOptions::write_canonical();
        let quoted = WriteOptions {
            quoted: true,
            ..WriteOptions::default()
        };
        for _ in 0..count {
            let top = self.fixture.store.heap_top;
            let term = self.term(functors);
            let fixture = &mut self.fixture;
            for options in [&quoted, &canonical] {
                let text = fixture.write(term, options);
                let is_same = [false, true].into_iter().all(|iso| {
                    fixture.flags.iso = iso;
                    let read = fixture.try_read(&text);
                    iso && self.zero_arity
                        || read.is_some_and(|read| same(&fixture.store, term, read))
                });
                fixture.flags.iso = false;
                if !is_same && self.failures.len() < 40 {
                    let plain = fixture.write(term, &canonical);
                    self.failures.push(format!("{plain}   written   {text}"));
                }
            }
            self.fixture.store.heap_top = top;
        }
    }

    fn report(&self) {
        let failures = &self.failures;
        assert!(
            failures.is_empty(),
            "not read back:\n{}",
            failures.join("\n")
        );
    }
}

#[test]
fn quoted_terms_are_read_back_whatever_the_operators() {
    let mut terms = Terms::new(7);
    for _ in 0..300 {
        terms.fixture = Fixture::new();
        terms.add_operators();
        terms.write_and_read(200, [INFIX, POSTFIX]);
    }
    terms.report();
}

#[test]
fn quoted_terms_are_read_back() {
    let mut terms = Terms::new(42);
    for (name, op_type) in [
        ("fy", Fy),
        ("fx", Fx),
        ("yf", Yf),
        ("xf", Xf),
        ("xfy", Xfy),
        ("yfx", Yfx),
    ] {
        terms.fixture.op(200, op_type, name);
    }
    terms.fixture.op(700, Fy, "both");
    terms.fixture.op(700, Xfx, "both");
    terms.fixture.op(999, Xfx, "->>");
    terms.fixture.op(1150, Xf, "e");
    terms.fixture.op(400, Fy, "xq r");
    terms.write_and_read(20_000, [ATOMS, OPERATORS]);
    terms.report();
}
