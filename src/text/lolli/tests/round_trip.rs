//! Tests that written terms are read back as the same terms. Some terms are excluded: they are
//! written as in the original, whose own reader does not read them back. These are:
//! - guards
//! - implications in conjunctions and disjunctions, and `-->` in implications
//! - arguments in braces or square brackets
//! - constants that begin with a capital letter or are keywords.

use super::Fixture;
use crate::store::cell::Cell;
use crate::text::lolli::writer::Form;
use crate::text::tests::{Random, same};

const NAMES: &[&str] = &[
    "a", "bc", "1a", "foo bar", "=", "-o", "it's", ".", "é", "a^b",
];
const OPERATORS: &[&str] = &[
    ";", "&", ",", "-o", "=>", "-->", "--o", "=", "=:=", "=\\=", "=<", ">=", "<", ">", "is", "+",
    "-", "*", "/", "::",
];

struct Generator {
    random: Random,
    fixture: Fixture,
    vars: Vec<Cell>,
}

impl Generator {
    fn compound(&mut self, name: &str, args: &[Cell]) -> Cell {
        let functor = self.fixture.functor(name, args.len());
        self.fixture.store.new_struct(functor, args)
    }

    fn atom(&mut self, name: &str) -> Cell {
        Cell::atom(self.fixture.symbols.intern(name).unwrap())
    }

    /// Returns a term of at most this depth inside `bound` bound names. With `argument` it is an
    /// argument, so that a form in brackets could not be read back.
    fn term(&mut self, depth: u32, bound: u32, argument: bool) -> Cell {
        if depth == 0 {
            return self.leaf(bound);
        }
        let depth = depth - 1;
        match self.random.below(10) {
            0..4 => {
                let name = self.random.of(OPERATORS);
                let left = self.operand(name, depth, bound);
                let right = self.operand(name, depth, bound);
                self.compound(name, &[left, right])
            }
            4..7 => {
                let args: Vec<Cell> = (0..1 + self.random.below(3))
                    .map(|_| self.term(depth, bound, true))
                    .collect();
                // Terms with a form of their own for this arity, or with such a form as head, are
                // made above.
                let name = self.random.of(&["p", "foo bar", "1a", "is not"]);
                self.compound(name, &args)
            }
            7 => {
                let mut args = vec![match bound {
                    0 => self.vars[self.random.below(3)],
                    _ => self.bound_name(bound),
                }];
                args.extend((0..1 + self.random.below(2)).map(|_| self.term(depth, bound, true)));
                self.compound("$app", &args)
            }
            8 => {
                let name = self.atom(&format!("x{bound}"));
                let body = self.term(depth, bound + 1, false);
                let inner = self.compound("\\", &[name, body]);
                let quantifier = self.random.of(&["forall", "exists"]);
                self.compound(quantifier, &[inner])
            }
            _ if argument => self.leaf(bound),
            _ => {
                let inside = self.term(depth, bound, false);
                let name = self.random.of(&["{}", "dcgcodebracket"]);
                self.compound(name, &[inside])
            }
        }
    }

    /// Returns an operand of this operator.
    fn operand(&mut self, name: &str, depth: u32, bound: u32) -> Cell {
        let operand = self.term(depth, bound, false);
        let store = &self.fixture.store;
        let Some((functor, _)) = store.compound(operand) else {
            return operand;
        };
        let symbols = &self.fixture.symbols;
        let loose = match name {
            ";" | "&" | "," => matches!(symbols.text(symbols.name(functor)), "-o" | "=>" | "-->"),
            "-o" | "=>" => symbols.text(symbols.name(functor)) == "-->",
            _ => false,
        };
        match loose {
            true => self.leaf(bound),
            false => operand,
        }
    }

    fn bound_name(&mut self, bound: u32) -> Cell {
        let which = self.random.below(bound as usize);
        let name = self.atom(&format!("x{which}"));
        self.compound("$bound", &[name])
    }

    fn leaf(&mut self, bound: u32) -> Cell {
        match self.random.below(8) {
            0 => self.vars[self.random.below(3)],
            1 => Cell::int(self.random.below(200) as i64 - 100),
            2 => self.fixture.store.new_string("a \\ b").unwrap(),
            3 if bound > 0 => self.bound_name(bound),
            _ => {
                let name = self.random.of(NAMES);
                self.atom(name)
            }
        }
    }
}

#[test]
fn written_formulas_are_read_back() {
    for seed in 1..3000 {
        let mut fixture = Fixture::new();
        let vars: Vec<Cell> = (0..3).map(|_| fixture.store.new_var()).collect();
        fixture.variables = vars
            .iter()
            .zip(["X", "Y", "_"])
            .map(|(&var, name)| (var, name.to_owned()))
            .collect();
        let mut generator = Generator {
            random: Random(0x9e37_79b9_7f4a_7c15_u64.wrapping_mul(seed)),
            fixture,
            vars,
        };
        let term = generator.term(1 + (seed % 5) as u32, 0, false);
        let mut fixture = generator.fixture;
        for form in [Form::Goal, Form::Clause] {
            let text = fixture.write(term, form);
            let known = std::mem::take(&mut fixture.variables);
            let again = fixture.read(&text);
            assert!(same(&fixture.store, term, again), "{text}");
            fixture.variables = known;
        }
    }
}
