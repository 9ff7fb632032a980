//! Random predicates, and calls of them: which clauses a call finds.

use super::random::Random;

/// Terms that often occur in both heads and calls.
const SIMPLE: &[&str] = &[
    "a",
    "b",
    "[]",
    "1",
    "2",
    "-3",
    "1.5",
    "2.5",
    "\"s\"",
    "123456789012345678901",
    "1152921504606846976",
];

/// Goals at the beginning of clauses.
const GUARDS: &[&str] = &[
    "atom(A)",
    "var(B)",
    "nonvar(A)",
    "integer(A)",
    "number(B)",
    "compound(A)",
    "A == B",
    "A \\== B",
    "A = a",
    "B = [_|_]",
    "A @< B",
    "catch(A < 2, _, fail)",
    "catch(A =:= B, _, fail)",
];

/// Number of predicates of a program.
const PREDICATES: usize = 12;
/// Number of calls of each predicate.
const CALLS: usize = 12;

impl Random {
    fn part(&mut self, depth: usize, variables: &[&str]) -> String {
        match self.below(if depth == 0 { 10 } else { 16 }) {
            0..=3 => self.pick(variables).to_owned(),
            4..=9 => self.pick(SIMPLE).to_owned(),
            10 => format!("f({})", self.part(depth - 1, variables)),
            11 => format!(
                "f({}, {})",
                self.part(depth - 1, variables),
                self.part(depth - 1, variables)
            ),
            12 => format!(
                "x({}, {}, _, {})",
                self.part(depth - 1, variables),
                self.part(depth - 1, variables),
                self.part(depth - 1, variables)
            ),
            _ => format!(
                "[{}|{}]",
                self.part(depth - 1, variables),
                self.part(depth - 1, variables)
            ),
        }
    }

    fn parts(&mut self, count: usize, variables: &[&str]) -> Vec<String> {
        (0..count).map(|_| self.part(3, variables)).collect()
    }

    /// Returns a program and calls of it. The last argument of a predicate shows which clause was found.
    pub(crate) fn clauses_and_calls(&mut self) -> (String, Vec<String>) {
        let mut text = String::from("same(X, X).\n");
        let mut calls = Vec::new();
        for predicate in 0..PREDICATES {
            let arity = [1, 2, 2, 3, 4, 6][self.below(6)];
            let model = self.parts(arity, &["A", "B", "_"]);
            let alike = self.below(3);
            for clause in 0..2 + self.below(4) {
                let own = self.parts(arity, &["A", "B", "C", "_"]);
                let args: Vec<&str> = std::iter::zip(&own, &model)
                    .map(|(own, model)| if self.below(3) < alike { model } else { own })
                    .map(String::as_str)
                    .collect();
                let guard = match self.below(6) {
                    0 => format!("{}, ", self.pick(GUARDS)),
                    1 => format!("{}, !, ", self.pick(GUARDS)),
                    2 if self.below(3) == 0 => "!, ".to_owned(),
                    _ => String::new(),
                };
                let args = args.join(", ");
                text.push_str(&format!(
                    "p{predicate}({args}, N) :- {guard}same({clause}, N).\n"
                ));
            }
            for _ in 0..CALLS {
                let args: Vec<String> = model
                    .iter()
                    .map(|model| match self.below(5) {
                        0 => model.clone(),
                        1 => "_".to_owned(),
                        _ => self.part(3, &["X", "Y", "_"]),
                    })
                    .collect();
                calls.push(format!("L = [{0}], p{predicate}({0}, N)", args.join(", ")));
            }
        }
        (text, calls)
    }
}
