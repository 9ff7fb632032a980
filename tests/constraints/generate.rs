//! Random models. A number always gives the same model.
//!
//! Most models are made around a solution, so that most have one.

use crate::engine::number as number_of;
use crate::meaning::holds;
use crate::model::{Model, domain_term};
use crate::term::Term;

/// Kinds that are not implemented yet: only `WAMLET_KIND` selects them.
const ABSENT: &[&str] = &[];

/// A kind of constraints.
struct Kind {
    name: &'static str,
    make: fn(&mut Generator) -> Term,
}

/// All kinds. A kind that is listed several times is made more often.
const KINDS: &[Kind] = &[
    kind("relation", Generator::relation),
    kind("relation", Generator::relation),
    kind("relation", Generator::relation),
    kind("linear", Generator::linear),
    kind("formula", Generator::top_formula),
    kind("formula", Generator::top_formula),
    kind("formula", Generator::top_formula),
    kind("all_different", |g| g.on_list("all_different")),
    kind("all_distinct", |g| g.on_list("all_distinct")),
    kind("sum", Generator::sum),
    kind("scalar_product", Generator::scalar_product),
    kind("element", Generator::element),
    kind("tuples_in", Generator::tuples_in),
    kind("global_cardinality", Generator::global_cardinality),
    kind("circuit", |g| g.on_list("circuit")),
    kind("chain", Generator::chain),
    kind("lex_chain", Generator::lex_chain),
    kind("automaton", Generator::automaton),
    kind("cumulative", Generator::cumulative),
    kind("disjoint2", Generator::disjoint2),
    kind("serialized", Generator::serialized),
    kind("zcompare", Generator::zcompare),
    kind("in", Generator::within),
    kind("=", Generator::unified),
];

const fn kind(name: &'static str, make: fn(&mut Generator) -> Term) -> Kind {
    Kind { name, make }
}

const RELATIONS: &[&str] = &["#=", "#\\=", "#<", "#>", "#=<", "#>="];
const JUNCTIONS: &[&str] = &["#/\\", "#\\/", "#\\", "#==>", "#<==", "#<==>"];
const STATES: &[&str] = &["a", "b", "c"];
/// Least and greatest values of domains.
const WINDOWS: &[(i128, i128)] = &[(-5, 8), (0, 1), (0, 7), (1, 4), (-2, 3), (1, 8), (-8, 2)];
/// Base numbers from which large values are made.
const LARGE: &[i128] = &[
    1 << 60,
    1 << 61,
    1 << 63,
    1 << 31,
    1_000_000_000_000_000_000_000_000_000_000,
];

/// Percent of models with large values, unless `WAMLET_LARGE` sets it.
const LARGE_SHARE: u64 = 12;

struct Generator {
    state: u64,
    window: (i128, i128),
    /// The base number of the large values, if there are any.
    large: Option<i128>,
    domains: Vec<Vec<i128>>,
}

/// Returns the model of a number, with at most `constraints` constraints, all of the kind `wanted` if
/// one is given.
pub(crate) fn model(number: u64, wanted: Option<&str>, constraints: usize) -> Model {
    for attempt in 0.. {
        let model = attempted(number << 8 | attempt, wanted, constraints);
        if model.solutions().is_some() {
            return model;
        }
    }
    unreachable!("a number of attempts has no end")
}

fn attempted(seed: u64, wanted: Option<&str>, constraints: usize) -> Model {
    let mut generator = Generator {
        state: seed.wrapping_mul(0x9e37_79b9_7f4a_7c15),
        window: (0, 0),
        large: None,
        domains: Vec::new(),
    };
    let g = &mut generator;
    g.window = *g.pick(WINDOWS);
    let share = number_of("WAMLET_LARGE", LARGE_SHARE) as usize;
    g.large = g.chance(share).then(|| *g.pick(LARGE));
    let vars = 2 + g.below(5);
    // Few assignments in total.
    let most = [8, 8, 8, 6, 4, 3][vars - 1];
    g.domains = (0..vars).map(|_| g.domain(most)).collect();
    let witness: Vec<i128> = g
        .domains
        .clone()
        .iter()
        .map(|domain| *g.pick(domain))
        .collect();
    let kinds: Vec<&Kind> = KINDS
        .iter()
        .filter(|kind| match wanted {
            Some(wanted) => wanted == kind.name,
            None => !ABSENT.contains(&kind.name),
        })
        .collect();
    assert!(!kinds.is_empty(), "there is a kind of this name");
    let solved = g.chance(85);
    let count = 1 + g.below(constraints);
    let constraints = (0..count).map(|_| g.constraint(&kinds, solved.then_some(&witness)));
    let constraints = constraints.collect();
    Model {
        constraints,
        options: g.options(),
        domains: generator.domains,
    }
}

impl Generator {
    fn next(&mut self) -> u64 {
        // SplitMix64.
        self.state = self.state.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mut mixed = self.state;
        mixed = (mixed ^ (mixed >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        mixed = (mixed ^ (mixed >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        mixed ^ (mixed >> 31)
    }

    fn below(&mut self, bound: usize) -> usize {
        (self.next() % bound as u64) as usize
    }

    fn chance(&mut self, percent: usize) -> bool {
        self.below(100) < percent
    }

    fn pick<'a, T>(&mut self, from: &'a [T]) -> &'a T {
        &from[self.below(from.len())]
    }

    fn name(&mut self, names: &[&'static str]) -> &'static str {
        names[self.below(names.len())]
    }

    fn between(&mut self, low: i128, high: i128) -> i128 {
        low + self.below((high - low + 1) as usize) as i128
    }

    /// Returns a value that domains have.
    fn integer(&mut self) -> i128 {
        let (low, high) = self.window;
        let value = self.between(low, high);
        match self.large {
            Some(large) => match self.below(10) {
                0 => value - large,
                1..3 => value + large,
                3 => value * large,
                _ => value,
            },
            None => value,
        }
    }

    fn domain(&mut self, most: usize) -> Vec<i128> {
        let count = 1 + self.below(most);
        let mut domain: Vec<i128> = (0..count).map(|_| self.integer()).collect();
        domain.sort_unstable();
        domain.dedup();
        domain
    }

    /// Returns a constraint that the witness satisfies, if there is a witness. After 40 attempts it
    /// returns any constraint.
    fn constraint(&mut self, kinds: &[&Kind], witness: Option<&Vec<i128>>) -> Term {
        let make = self.pick(kinds).make;
        let mut made = make(self);
        for _ in 0..40 {
            if witness.is_none_or(|witness| holds(&made, witness) == Some(true)) {
                break;
            }
            let make = self.pick(kinds).make;
            made = make(self);
        }
        made
    }

    fn var(&mut self) -> Term {
        Term::Var(self.below(self.domains.len()))
    }

    /// Returns a variable, or sometimes an integer.
    fn simple(&mut self) -> Term {
        if self.chance(88) {
            self.var()
        } else {
            Term::Int(self.integer())
        }
    }

    fn simples(&mut self, least: usize, most: usize) -> Term {
        let count = least + self.below(most - least + 1);
        Term::List((0..count).map(|_| self.simple()).collect())
    }

    /// Returns a list of variables, mostly without repetition.
    fn vars(&mut self) -> Term {
        if self.chance(15) {
            return self.simples(1, 5);
        }
        let mut vars: Vec<Term> = (0..self.domains.len()).map(Term::Var).collect();
        for index in (1..vars.len()).rev() {
            vars.swap(index, self.below(index + 1));
        }
        vars.truncate(1 + self.below(vars.len()));
        Term::List(vars)
    }

    fn relation_name(&mut self) -> &'static str {
        self.name(RELATIONS)
    }

    fn expression(&mut self, depth: usize) -> Term {
        if depth == 0 || self.chance(20) {
            return match self.chance(75) {
                true => self.var(),
                false if self.large.is_some() && self.chance(30) => Term::Int(self.integer()),
                false => Term::Int(self.between(-4, 6)),
            };
        }
        let names = [
            "+", "+", "+", "-", "-", "*", "*", "//", "div", "mod", "rem", "min", "max", "abs",
            "neg", "^",
        ];
        match *self.pick(&names) {
            "abs" => Term::Compound("abs", vec![self.expression(depth - 1)]),
            "neg" => Term::Compound("-", vec![self.expression(depth - 1)]),
            "^" if self.chance(70) => {
                let exponent = Term::Int(self.between(0, 3));
                Term::binary("^", self.expression(depth - 1), exponent)
            }
            name => Term::binary(name, self.expression(depth - 1), self.expression(depth - 1)),
        }
    }

    fn relation(&mut self) -> Term {
        let (left, right) = (1 + self.below(2), self.below(3));
        let name = self.relation_name();
        Term::binary(name, self.expression(left), self.expression(right))
    }

    fn linear(&mut self) -> Term {
        let name = self.relation_name();
        Term::binary(name, self.linear_side(), self.linear_side())
    }

    fn linear_side(&mut self) -> Term {
        let mut side = self.simple();
        for _ in 0..self.below(4) {
            let factor = Term::Int(self.between(-5, 7));
            let product = match self.chance(60) {
                true => Term::binary("*", factor, self.var()),
                false => self.simple(),
            };
            let name = if self.chance(70) { "+" } else { "-" };
            side = Term::binary(name, side, product);
        }
        side
    }

    fn top_formula(&mut self) -> Term {
        let depth = 1 + self.below(3);
        match self.chance(20) {
            true => Term::Compound("#\\", vec![self.formula(depth - 1)]),
            false => {
                let name = self.name(JUNCTIONS);
                Term::binary(name, self.formula(depth - 1), self.formula(depth - 1))
            }
        }
    }

    fn formula(&mut self, depth: usize) -> Term {
        let truth = |domain: &Vec<i128>| domain.iter().all(|value| (0..=1).contains(value));
        let truths: Vec<usize> = (0..self.domains.len())
            .filter(|var| truth(&self.domains[*var]))
            .collect();
        if !truths.is_empty() && self.chance(25) {
            return Term::Var(*self.pick(&truths));
        }
        if depth > 0 && self.chance(60) {
            let name = self.name(JUNCTIONS);
            return match self.chance(20) {
                true => Term::Compound("#\\", vec![self.formula(depth - 1)]),
                false => Term::binary(name, self.formula(depth - 1), self.formula(depth - 1)),
            };
        }
        match self.below(10) {
            0 => self.within(),
            1 => Term::Int(self.between(0, 1)),
            2 => self.linear(),
            _ => self.relation(),
        }
    }

    fn on_list(&mut self, name: &'static str) -> Term {
        Term::Compound(name, vec![self.vars()])
    }

    fn sum(&mut self) -> Term {
        let name = Term::Atom(self.relation_name());
        let depth = self.below(2);
        Term::Compound("sum", vec![self.vars(), name, self.expression(depth)])
    }

    fn scalar_product(&mut self) -> Term {
        let vars = self.vars();
        let factors = vars.parts().iter().map(|_| Term::Int(self.between(-5, 7)));
        let factors = Term::List(factors.collect());
        let name = Term::Atom(self.relation_name());
        let depth = self.below(2);
        Term::Compound(
            "scalar_product",
            vec![factors, vars, name, self.expression(depth)],
        )
    }

    fn element(&mut self) -> Term {
        let list = self.simples(1, 6);
        Term::Compound("element", vec![self.simple(), list, self.simple()])
    }

    fn tuples_in(&mut self) -> Term {
        let (width, count, rows) = (1 + self.below(3), 1 + self.below(2), 1 + self.below(8));
        let tuples = (0..count).map(|_| self.simples(width, width)).collect();
        let rows = (0..rows).map(|_| {
            let row = (0..width).map(|_| Term::Int(self.integer()));
            Term::List(row.collect())
        });
        let rows = rows.collect();
        Term::Compound("tuples_in", vec![Term::List(tuples), Term::List(rows)])
    }

    fn global_cardinality(&mut self) -> Term {
        let vars = self.vars();
        let mut keys: Vec<i128> = Vec::new();
        for var in vars.parts() {
            match var {
                Term::Var(var) => keys.extend(&self.domains[*var]),
                Term::Int(value) => keys.push(*value),
                _ => {}
            }
        }
        keys.sort_unstable();
        keys.dedup();
        if keys.len() > 1 && self.chance(30) {
            keys.remove(self.below(keys.len()));
        }
        let pairs = keys.into_iter().map(|key| {
            let count = match self.chance(60) {
                true => self.var(),
                false => Term::Int(self.between(0, 2)),
            };
            Term::binary("-", Term::Int(key), count)
        });
        let pairs = Term::List(pairs.collect());
        Term::Compound("global_cardinality", vec![vars, pairs])
    }

    fn chain(&mut self) -> Term {
        let name = Term::Atom(self.name(&["#=", "#<", "#=<", "#>", "#>="]));
        Term::Compound("chain", vec![self.vars(), name])
    }

    fn lex_chain(&mut self) -> Term {
        let (width, count) = (1 + self.below(3), 2 + self.below(2));
        let rows = (0..count).map(|_| self.simples(width, width)).collect();
        Term::Compound("lex_chain", vec![Term::List(rows)])
    }

    fn automaton(&mut self) -> Term {
        let mut nodes = vec![Term::Compound("source", vec![Term::Atom("a")])];
        for _ in 0..=self.below(2) {
            nodes.push(Term::Compound("sink", vec![Term::Atom(self.name(STATES))]));
        }
        nodes.dedup();
        let arcs = (0..2 + self.below(7)).map(|_| {
            let (from, to) = (Term::Atom(self.name(STATES)), Term::Atom(self.name(STATES)));
            Term::Compound("arc", vec![from, Term::Int(self.integer()), to])
        });
        let mut arcs: Vec<Term> = arcs.collect();
        let reads = |arcs: &[Term], at: usize| arcs[..at].contains(&arcs[at]);
        for at in (0..arcs.len()).rev() {
            if reads(&arcs, at) {
                arcs.remove(at);
            }
        }
        Term::Compound(
            "automaton",
            vec![self.vars(), Term::List(nodes), Term::List(arcs)],
        )
    }

    /// Returns a length or a use: a variable that is at least `least`, or an integer.
    fn amount(&mut self, least: i128) -> Term {
        let fits = |domain: &Vec<i128>| domain[0] >= least;
        let vars: Vec<usize> = (0..self.domains.len())
            .filter(|var| fits(&self.domains[*var]))
            .collect();
        match !vars.is_empty() && self.chance(40) {
            true => Term::Var(*self.pick(&vars)),
            false => Term::Int(self.between(least, 4)),
        }
    }

    fn cumulative(&mut self) -> Term {
        let tasks = (0..1 + self.below(4)).map(|number| {
            let (start, end) = (self.simple(), self.simple());
            let parts = vec![
                start,
                self.amount(1),
                end,
                self.amount(0),
                Term::Int(number as i128),
            ];
            Term::Compound("task", parts)
        });
        let tasks = Term::List(tasks.collect());
        let options = match self.chance(80) {
            true => vec![Term::Compound("limit", vec![self.amount(0)])],
            false => Vec::new(),
        };
        Term::Compound("cumulative", vec![tasks, Term::List(options)])
    }

    fn disjoint2(&mut self) -> Term {
        let rectangles = (0..2 + self.below(2)).map(|_| {
            let parts = vec![self.simple(), self.amount(1), self.simple(), self.amount(1)];
            Term::Compound("f", parts)
        });
        let rectangles = Term::List(rectangles.collect());
        Term::Compound("disjoint2", vec![rectangles])
    }

    fn serialized(&mut self) -> Term {
        let starts = self.vars();
        let durations = starts
            .parts()
            .iter()
            .map(|_| Term::Int(self.between(0, 4)))
            .collect();
        Term::Compound("serialized", vec![starts, Term::List(durations)])
    }

    fn zcompare(&mut self) -> Term {
        let order = Term::Atom(self.name(&["<", "=", ">"]));
        Term::Compound("zcompare", vec![order, self.simple(), self.simple()])
    }

    fn within(&mut self) -> Term {
        let domain = self.domain(6);
        let mut set = domain_term(&domain);
        if self.chance(20) {
            set = Term::binary("..", Term::Atom("inf"), Term::Int(domain[0]));
        } else if self.chance(20) {
            set = Term::binary("..", Term::Int(domain[0]), Term::Atom("sup"));
        }
        Term::binary("in", self.var(), set)
    }

    fn unified(&mut self) -> Term {
        Term::binary("=", self.var(), self.simple())
    }

    fn options(&mut self) -> Vec<Term> {
        let mut options = Vec::new();
        let seed = Term::Int(self.between(0, 1000));
        match self.below(7) {
            0 => {}
            6 => options.push(Term::Compound("random_variable", vec![seed.clone()])),
            place => options.push(Term::Atom(
                ["leftmost", "ff", "ffc", "min", "max"][place - 1],
            )),
        }
        let order = self.below(4);
        match order {
            0 => {}
            3 => options.push(Term::Compound("random_value", vec![seed])),
            place => options.push(Term::Atom(["up", "down"][place - 1])),
        }
        // `bisect` needs an order of the halves, so it does not combine with `random_value`.
        match self.below(if order == 3 { 3 } else { 4 }) {
            0 => {}
            place => options.push(Term::Atom(["step", "enum", "bisect"][place - 1])),
        }
        while self.chance(25) {
            let name = if self.chance(50) { "min" } else { "max" };
            let depth = self.below(3);
            options.push(Term::Compound(name, vec![self.expression(depth)]));
        }
        for index in (1..options.len()).rev() {
            options.swap(index, self.below(index + 1));
        }
        options
    }
}
