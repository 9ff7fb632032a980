//! Random tabled programs without compound terms, and their meaning: all their answers, found by naive
//! evaluation from below. That is, the rules are applied again and again until no new answer is found.
//!
//! Predicates are in strata. The predicates of a stratum are mutually recursive; only goals of lower strata
//! are negated. Some goals have a form in which their continuation cannot be stored: within a condition, a
//! collection of solutions, catch/3, or a call of a term. The form does not change the meaning of the program.

use super::random::Random;
use std::collections::BTreeSet;
use std::fmt::Write;
use wamlet::{Engine, Term};

/// Number of constants: 0, 1, ….
const DOMAIN: usize = 5;
/// Variables of a rule; the first two are those of its head.
const VARIABLES: [&str; 4] = ["X", "Y", "Z", "W"];
/// Number of relations that are facts: the first ones.
const FACTS: usize = 2;

type Relation = BTreeSet<(usize, usize)>;

/// An argument: a variable by its place in [`VARIABLES`], or a constant.
#[derive(Copy, Clone)]
enum Arg {
    Variable(usize),
    Constant(usize),
}

/// The form of a goal in the program text.
#[derive(Copy, Clone)]
enum Form {
    Plain,
    /// In findall/3, with a new name for the list.
    Collected(usize),
    Caught,
    /// By call/1, with a new name for the term.
    Called(usize),
    /// As a condition, for bound arguments only.
    Condition,
    Doubly,
    Once,
}

#[derive(Clone)]
enum Goal {
    /// A relation and its arguments.
    Atom(usize, [Arg; 2], Form),
    /// A negated relation; the arguments are bound.
    Not(usize, [Arg; 2]),
    /// A variable is one of the constants.
    Constant(usize),
    /// The first argument is less than the second; both are bound.
    Less([Arg; 2]),
    /// Either of two conjunctions.
    Or(Vec<Goal>, Vec<Goal>),
    /// The first conjunction if the first argument is less than the second, else the second conjunction.
    IfLess([Arg; 2], Vec<Goal>, Vec<Goal>),
}

struct Rule {
    head: usize,
    body: Vec<Goal>,
}

/// A program; its rules are in order of their strata.
pub(crate) struct Datalog {
    facts: Vec<Relation>,
    strata: Vec<Vec<Rule>>,
    relations: usize,
}

impl Random {
    fn arg(&mut self, bound: &mut [bool; 4]) -> Arg {
        if self.below(8) == 0 {
            return Arg::Constant(self.below(DOMAIN));
        }
        let variable = self.below(VARIABLES.len());
        bound[variable] = true;
        Arg::Variable(variable)
    }

    fn bound_arg(&mut self, bound: &[bool; 4]) -> Arg {
        let variable = self.below(VARIABLES.len());
        if bound[variable] {
            Arg::Variable(variable)
        } else {
            Arg::Constant(self.below(DOMAIN))
        }
    }

    /// Returns goals over the relations before `end`. Relations before `lower` belong to lower strata.
    fn goals(
        &mut self,
        (lower, end): (usize, usize),
        count: usize,
        depth: usize,
        bound: &mut [bool; 4],
    ) -> Vec<Goal> {
        let mut goals = Vec::new();
        for _ in 0..count {
            let choice = self.below(14);
            let bound_args = [self.bound_arg(bound), self.bound_arg(bound)];
            goals.push(match choice {
                0 if lower > 0 => Goal::Not(self.below(lower), bound_args),
                1 => Goal::Less(bound_args),
                2 | 3 if depth > 0 => {
                    let (mut one, mut other) = (*bound, *bound);
                    let counts = [1 + self.below(2), 1 + self.below(2)];
                    let first = self.goals((lower, end), counts[0], depth - 1, &mut one);
                    let second = self.goals((lower, end), counts[1], depth - 1, &mut other);
                    for (variable, bound) in bound.iter_mut().enumerate() {
                        *bound = one[variable] && other[variable];
                    }
                    if choice == 2 {
                        Goal::Or(first, second)
                    } else {
                        Goal::IfLess(bound_args, first, second)
                    }
                }
                4 => {
                    let forms = [Form::Condition, Form::Doubly, Form::Once];
                    Goal::Atom(self.below(end), bound_args, forms[self.below(3)])
                }
                _ => {
                    let name = self.below(1 << 20);
                    let forms = [Form::Collected(name), Form::Caught, Form::Called(name)];
                    let form = forms.get(self.below(16)).copied();
                    let args = [self.arg(bound), self.arg(bound)];
                    Goal::Atom(self.below(end), args, form.unwrap_or(Form::Plain))
                }
            });
        }
        goals
    }

    /// Returns a program.
    pub(crate) fn datalog(&mut self) -> Datalog {
        let mut facts = Vec::new();
        for _ in 0..FACTS {
            let count = 2 + self.below(7);
            facts.push(
                (0..count)
                    .map(|_| (self.below(DOMAIN), self.below(DOMAIN)))
                    .collect(),
            );
        }
        let mut strata = Vec::new();
        let mut end = FACTS;
        for _ in 0..1 + self.below(3) {
            let lower = end;
            end += 1 + self.below(4);
            let mut rules = Vec::new();
            for head in lower..end {
                for _ in 0..1 + self.below(3) {
                    let mut bound = [false; 4];
                    let count = 1 + self.below(3);
                    let mut body = self.goals((lower, end), count, 2, &mut bound);
                    let free = (0..2).filter(|&variable| !bound[variable]);
                    body.extend(free.map(Goal::Constant));
                    rules.push(Rule { head, body });
                }
            }
            strata.push(rules);
        }
        Datalog {
            facts,
            strata,
            relations: end,
        }
    }
}

// ---- meaning --------------------------------------------------------------------------------------

type Values = [Option<usize>; 4];

fn value(arg: Arg, values: &Values) -> Option<usize> {
    match arg {
        Arg::Variable(variable) => values[variable],
        Arg::Constant(constant) => Some(constant),
    }
}

fn matched(arg: Arg, constant: usize, values: &mut Values) -> bool {
    match arg {
        Arg::Variable(variable) => *values[variable].get_or_insert(constant) == constant,
        Arg::Constant(other) => other == constant,
    }
}

fn is_less(args: [Arg; 2], values: &Values) -> bool {
    value(args[0], values) < value(args[1], values)
}

/// Returns all values that make the goals true.
fn solve(goals: &[Goal], start: Values, relations: &[Relation]) -> Vec<Values> {
    let mut all = vec![start];
    for goal in goals {
        let mut next = Vec::new();
        for values in all {
            match goal {
                Goal::Atom(relation, args, _) => {
                    for &(first, second) in &relations[*relation] {
                        let mut values = values;
                        if matched(args[0], first, &mut values)
                            && matched(args[1], second, &mut values)
                        {
                            next.push(values);
                        }
                    }
                }
                Goal::Not(relation, args) => {
                    let pair = args.map(|arg| value(arg, &values).expect("it is bound"));
                    if !relations[*relation].contains(&(pair[0], pair[1])) {
                        next.push(values);
                    }
                }
                Goal::Constant(variable) => {
                    for constant in 0..DOMAIN {
                        let mut values = values;
                        if matched(Arg::Variable(*variable), constant, &mut values) {
                            next.push(values);
                        }
                    }
                }
                Goal::Less(args) if is_less(*args, &values) => next.push(values),
                Goal::Less(_) => {}
                Goal::Or(one, other) => {
                    next.extend(solve(one, values, relations));
                    next.extend(solve(other, values, relations));
                }
                Goal::IfLess(args, then, _) if is_less(*args, &values) => {
                    next.extend(solve(then, values, relations));
                }
                Goal::IfLess(_, _, other) => next.extend(solve(other, values, relations)),
            }
        }
        next.sort_unstable();
        next.dedup();
        all = next;
    }
    all
}

impl Datalog {
    /// Returns the relations, the facts first.
    fn meaning(&self) -> Vec<Relation> {
        let mut relations = self.facts.clone();
        relations.resize(self.relations, Relation::new());
        for rules in &self.strata {
            loop {
                let mut grown = false;
                for rule in rules {
                    for values in solve(&rule.body, [None; 4], &relations) {
                        let pair = [0, 1].map(|place| values[place].expect("heads are bound"));
                        grown |= relations[rule.head].insert((pair[0], pair[1]));
                    }
                }
                if !grown {
                    break;
                }
            }
        }
        relations
    }

    // ---- text -----------------------------------------------------------------------------------------

    pub(crate) fn text(&self) -> String {
        let mut text = String::new();
        for (relation, facts) in self.facts.iter().enumerate() {
            for (first, second) in facts {
                let _ = writeln!(text, "r{relation}({first}, {second}).");
            }
        }
        text.push_str("constant(X) :- between(0, 4, X).\n");
        for relation in FACTS..self.relations {
            let _ = writeln!(text, ":- table r{relation}/2.");
        }
        for rule in self.strata.iter().flatten() {
            let head = rule.head;
            let _ = writeln!(text, "r{head}(X, Y) :- {}.", goals_text(&rule.body));
        }
        text
    }

    /// Loads the program and checks that the engine gives its answers.
    pub(crate) fn check_answers(&self, engine: &mut Engine, random: &mut Random) {
        let (meaning, text) = (self.meaning(), self.text());
        engine.consult_text("datalog.pl", &text).expect(&text);
        for _ in 0..4 {
            let relation = FACTS + random.below(self.relations - FACTS);
            let args = [random.below(DOMAIN + 3), random.below(DOMAIN + 3)];
            let goal = format!(
                "r{relation}({}, {})",
                query_arg("X", args[0]),
                query_arg("Y", args[1])
            );
            let fits = |arg: usize, value: usize| arg >= DOMAIN || arg == value;
            let expected = meaning[relation].iter();
            let expected = expected.filter(|pair| fits(args[0], pair.0) && fits(args[1], pair.1));
            let expected: Vec<String> = expected.map(|(x, y)| format!("{x}-{y}")).collect();
            let [x, y] = [query_arg("X", args[0]), query_arg("Y", args[1])];
            let query = format!("findall({x}-{y}, {goal}, L0), msort(L0, L)");
            let solution = engine
                .query_once(&query)
                .unwrap_or_else(|error| panic!("{error}: {goal}\n{text}"));
            let found = solution.and_then(|solution| solution.get("L").cloned());
            let found: Vec<String> = found.as_ref().map(pairs).unwrap_or_default();
            assert_eq!(found, expected, "?- {goal}.\n{text}");
        }
    }
}

/// Returns the elements of a list, as text.
fn pairs(list: &Term) -> Vec<String> {
    let elements = list.as_list().expect("a list");
    elements.iter().map(ToString::to_string).collect()
}

/// Returns an argument of a query: a constant, or a variable.
fn query_arg(name: &str, arg: usize) -> String {
    if arg < DOMAIN {
        arg.to_string()
    } else {
        name.to_owned()
    }
}

fn arg_text(arg: Arg) -> String {
    match arg {
        Arg::Variable(variable) => VARIABLES[variable].to_owned(),
        Arg::Constant(constant) => constant.to_string(),
    }
}

fn goals_text(goals: &[Goal]) -> String {
    let goals: Vec<String> = goals.iter().map(goal_text).collect();
    goals.join(", ")
}

fn goal_text(goal: &Goal) -> String {
    let atom = |relation: &usize, args: &[Arg; 2]| {
        format!("r{relation}({}, {})", arg_text(args[0]), arg_text(args[1]))
    };
    let less = |args: &[Arg; 2]| format!("{} < {}", arg_text(args[0]), arg_text(args[1]));
    match goal {
        Goal::Atom(relation, args, form) => {
            let atom = atom(relation, args);
            let pair = format!("{}-{}", arg_text(args[0]), arg_text(args[1]));
            match form {
                Form::Plain => atom,
                Form::Collected(name) => {
                    format!("findall({pair}, {atom}, L{name}), member({pair}, L{name})")
                }
                Form::Caught => format!("catch({atom}, _, fail)"),
                Form::Called(name) => format!("G{name} = ({atom}, true), call(G{name})"),
                Form::Condition => format!("( {atom} -> true ; fail )"),
                Form::Doubly => format!("\\+ \\+ {atom}"),
                Form::Once => format!("once({atom})"),
            }
        }
        Goal::Not(relation, args) => format!("\\+ {}", atom(relation, args)),
        Goal::Constant(variable) => format!("constant({})", VARIABLES[*variable]),
        Goal::Less(args) => less(args),
        Goal::Or(one, other) => format!("( {} ; {} )", goals_text(one), goals_text(other)),
        Goal::IfLess(args, then, other) => {
            format!(
                "( {} -> {} ; {} )",
                less(args),
                goals_text(then),
                goals_text(other)
            )
        }
    }
}
