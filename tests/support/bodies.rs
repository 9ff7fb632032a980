//! Random bodies with variables as goals, values for these variables, and goals that call the bodies.

use super::random::Random;

/// A goal that calls terms with goal variables, `G` and `H`.
pub(crate) struct Called {
    /// The value of `G`.
    pub(crate) g: String,
    /// The value of `H`.
    pub(crate) h: String,
    /// The goal; its answers are in `X`, `Y` and `L`.
    pub(crate) goal: String,
}

impl Called {
    /// Returns the goals that bind the variables.
    pub(crate) fn bindings(&self) -> String {
        format!("G = {}, H = {}", self.g, self.h)
    }
}

const LEAVES: &[&str] = &[
    "m(X)", "m(Y)", "m(Z)", "X = 1", "X = 2", "Y = a", "Y = b", "true", "fail", "note(a)",
    "note(b)", "!", "K",
];
const VALUES: &[&str] = &[
    "!",
    "!",
    "!",
    "true",
    "fail",
    "m(X)",
    "(m(Y) -> true)",
    "(m(X) -> note(c))",
    "(fail -> true)",
    "(true -> fail)",
    "(true -> !)",
    "(m(X) *-> true)",
    "(fail *-> true)",
    "(m(Y) *-> note(d), !)",
    "(m(X) ; Y = c)",
    "(! ; X = 3)",
    "(note(e), m(Y))",
    "(!, fail)",
    "(m(X), !)",
    "(m(X) -> Y = d ; Y = e)",
    "(fail -> X = 4 ; m(X) -> true)",
    "(\\+ fail)",
    "call((m(X), !))",
    "_",
    "1",
    "(note(f), 1)",
    "(m(X) ; 1)",
];

/// Returns a body of at most `depth` levels.
fn body(random: &mut Random, depth: usize) -> String {
    let variables = ["G", "G", "H"];
    if depth == 0 || random.below(4) == 0 {
        return match random.below(2) {
            0 => random.pick(&variables).to_owned(),
            _ => random.pick(LEAVES).to_owned(),
        };
    }
    let mut part = || body(random, depth - 1);
    let (left, right, other) = (part(), part(), part());
    match random.below(16) {
        0..=4 => format!("({left}, {right})"),
        5..=8 => format!("({left} ; {right})"),
        9 | 10 => format!("({left} -> {right} ; {other})"),
        11 => format!("({left} *-> {right} ; {other})"),
        12 => format!("({left} -> {right})"),
        13 => format!("(K = {}, {left})", random.pick(VALUES)),
        14 => format!("({left}, {})", calling(random, right, other)),
        _ => calling(random, left, right),
    }
}

/// Returns a goal that calls one body or two. Every Prolog system has the goals of the first kinds.
fn calling(random: &mut Random, first: String, second: String) -> String {
    match random.below(14) {
        0..=3 => format!("call({first})"),
        4 => format!("findall(X-Y, {first}, L)"),
        5 => format!("findall(Y, {first}, _)"),
        6 | 7 => format!("once({first})"),
        8 => format!("\\+ ({first})"),
        9 => format!("catch({first}, none, {second})"),
        10 => format!("call((;), {first}, {second})"),
        11 => format!("call(',', {first}, {second})"),
        12 => format!("ignore({first})"),
        _ => format!("forall({first}, {second})"),
    }
}

/// Returns a goal that calls a body with goal variables.
pub(crate) fn called(random: &mut Random) -> Called {
    let (first, second) = (body(random, 3), body(random, 2));
    let inner = calling(random, first, second);
    let goal = match random.below(4) {
        0 => format!("m(Y), {inner}, note(z)"),
        1 => format!("({inner} ; X = 9)"),
        _ => inner,
    };
    Called {
        g: random.pick(VALUES).to_owned(),
        h: random.pick(VALUES).to_owned(),
        goal,
    }
}
