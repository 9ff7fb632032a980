//! Random goals and programs that every Prolog system can read: terms have functional notation.

use super::bodies;
use super::random::Random;

/// A goal, and the variables whose values are its answer.
pub(crate) struct Goal {
    pub(crate) text: String,
    pub(crate) variables: String,
    /// Clauses that the goal needs.
    pub(crate) program: String,
}

fn goal(text: String, variables: &str) -> Goal {
    Goal {
        text,
        variables: variables.to_owned(),
        program: String::new(),
    }
}

// ---- arithmetic -------------------------------------------------------------------------------

const INTEGERS: &[&str] = &[
    "0",
    "1",
    "2",
    "3",
    "7",
    "10",
    "64",
    "255",
    "1000000",
    "4611686018427387904",
    "9223372036854775807",
    "-1",
    "-2",
    "-7",
    "-10",
    "-1000003",
    "1152921504606846975",
    "340282366920938463463374607431768211457",
    "-18446744073709551616",
    "100000000000000000000",
];
const FLOATS: &[&str] = &[
    "0.0",
    "1.0",
    "0.5",
    "2.5",
    "-0.5",
    "-1.5",
    "3.7",
    "1.0e10",
    "-2.5e-3",
    "1.0e100",
    "1.0e-300",
    "123456789.125",
    "-7.0",
];
const NO_NUMBERS: &[&str] = &["foo", "Q", "foo(1)", "[]", "[1]", "[1,2]", "pi", "e", "a+1"];
const UNARY: &[&str] = &[
    "-",
    "+",
    "abs",
    "sign",
    "min",
    "truncate",
    "round",
    "ceiling",
    "floor",
    "float",
    "float_integer_part",
    "float_fractional_part",
    "sqrt",
    "sin",
    "cos",
    "atan",
    "exp",
    "log",
    "\\",
    "msb",
    "foo",
];
const BINARY: &[&str] = &[
    "+", "-", "*", "+", "-", "*", "/", "//", "mod", "rem", "div", "min", "max", "/\\", "\\/",
    "xor", "atan2", "gcd", "bar",
];

fn expression(random: &mut Random, depth: usize) -> String {
    match random.below(if depth == 0 { 10 } else { 24 }) {
        0..=5 => random.pick(INTEGERS).to_owned(),
        6..=8 => random.pick(FLOATS).to_owned(),
        9 if random.below(3) == 0 => random.pick(NO_NUMBERS).to_owned(),
        9 => random.pick(&["1", "5", "-3", "2.0"]).to_owned(),
        10..=14 => {
            let name = random.pick(UNARY);
            format!("{name}({})", expression(random, depth - 1))
        }
        15 => {
            let (name, by) = (random.pick(&["<<", ">>"]), random.below(70));
            format!("{name}({},{by})", expression(random, depth - 1))
        }
        16 => {
            let (name, by) = (
                random.pick(&["**", "^"]),
                random.pick(&["0", "1", "2", "3", "11", "-1", "-2", "2.0", "0.5"]),
            );
            format!("{name}({},{by})", expression(random, depth - 1))
        }
        _ => {
            let name = random.pick(BINARY);
            format!(
                "{name}({},{})",
                expression(random, depth - 1),
                expression(random, depth - 1)
            )
        }
    }
}

/// Returns a goal that evaluates or compares expressions.
pub(crate) fn arithmetic(random: &mut Random) -> Goal {
    if random.below(5) == 0 {
        let name = random.pick(&["<", ">", "=<", ">=", "=:=", "=\\="]);
        let (left, right) = (expression(random, 2), expression(random, 1));
        return goal(format!("{name}({left},{right})"), "[]");
    }
    goal(format!("is(X,{})", expression(random, 3)), "[X]")
}

// ---- builtins ---------------------------------------------------------------------------------

const TERMS: &[&str] = &[
    "X",
    "Y",
    "Z",
    "_",
    "a",
    "b",
    "foo",
    "[]",
    "{}",
    "'hello world'",
    "''",
    "1",
    "0",
    "-1",
    "2",
    "3",
    "1.5",
    "-0.0",
    "f(X)",
    "f(a)",
    "f(X,Y)",
    "f(a,b)",
    "g(X,X)",
    "f(g(X),Y,b)",
    "[a]",
    "[a,b,c]",
    "[X,Y]",
    "[X|Y]",
    "[a|X]",
    "[a|b]",
    "[c,a,b,a]",
    "[1,1.0,a,\"b\",f(x)]",
    "[f(2,b),f(1,a)]",
    "[k-1,j-2,k-0]",
    "[0'a,0'b]",
    "['1','2']",
    "['0',x]",
    "\"12\"",
    "\" 7\"",
    "\"1x\"",
    "\"0'a\"",
    "\"0x1F\"",
    "\"1.5e3\"",
    "(a,b)",
    "(a:-b)",
    "(a;b)",
    "call(1)",
    "(X,1)",
    "abc",
    "'12'",
    "'b c'",
    "'\\n'",
    "99999999999999999999",
    "atom",
    "X^Y",
    "X^foo(X)",
    "-(1)",
    "1-2",
    "- a",
];
const LISTS: &[&str] = &[
    "[]",
    "[a]",
    "[a,b,c]",
    "[c,a,b,a]",
    "[X,Y]",
    "[X|Y]",
    "[a|X]",
    "[a|b]",
    "X",
    "foo",
    "[k-1,j-2,k-0]",
    "[1,1.0,a,f(x),Z]",
    "[3,1,2,3]",
    "[[a],[b,c],[]]",
    "[0'1,0'2]",
    "['1','.','5']",
    "[b-1,a-2,c-3]",
];
const ATOMS: &[&str] = &[
    "abc",
    "''",
    "a",
    "hello",
    "'12'",
    "X",
    "Y",
    "1",
    "1.5",
    "f(a)",
    "'a b'",
    "[]",
    "'ab\\ncd'",
    "-",
];
const SMALL: &[&str] = &[
    "0", "1", "2", "3", "5", "-1", "X", "Y", "a", "1.0", "100", "f(x)",
];
const GOALS: &[&str] = &[
    "true",
    "fail",
    "X=1",
    "Y=a",
    "member2(X,[a,b,c])",
    "member2(X-Y,[b-1,a-2,b-3,c-1])",
    "X",
    "1",
    "foo(1)",
    "undefined_goal",
    "throw(oops)",
    "X is foo+1",
    "(X=1;X=2)",
    "(member2(X,[1,2]),!)",
    "(X=1,Y=2)",
    "\\+X=1",
    "fact(X,Y)",
    "fact(X,b)",
    "(fact(X,Y),fact(Y,Z))",
    "Y^fact(X,Y)",
    "X^Y^fact(X,Y)",
    "(fail;true)",
    "(fail->true;X=no)",
    "(true,1)",
    "call(fact,X,Y)",
    "_",
    "atom_length(X,Y)",
    "(X==a->true)",
    "fact(1,Z)",
];

/// The kinds of arguments of a builtin.
#[derive(Copy, Clone)]
enum Kind {
    Term,
    List,
    Atom,
    Small,
    Goal,
    /// Mostly a variable.
    Out(&'static str),
}

use Kind::{Atom, Goal as Body, List, Out, Small, Term};

const BUILTINS: &[(&str, &[Kind])] = &[
    ("var", &[Term]),
    ("nonvar", &[Term]),
    ("atom", &[Term]),
    ("number", &[Term]),
    ("integer", &[Term]),
    ("float", &[Term]),
    ("atomic", &[Term]),
    ("compound", &[Term]),
    ("callable", &[Term]),
    ("ground", &[Term]),
    ("is_list", &[Term]),
    ("=", &[Term, Term]),
    ("\\=", &[Term, Term]),
    ("==", &[Term, Term]),
    ("\\==", &[Term, Term]),
    ("@<", &[Term, Term]),
    ("@>=", &[Term, Term]),
    ("compare", &[Out("O"), Term, Term]),
    ("unify_with_occurs_check", &[Term, Term]),
    ("subsumes_term", &[Term, Term]),
    ("term_variables", &[Term, Out("V")]),
    ("copy_term", &[Term, Out("C")]),
    ("functor", &[Term, Out("N"), Out("A")]),
    ("functor", &[Out("T"), Atom, Small]),
    ("functor", &[Out("T"), Term, Small]),
    ("arg", &[Small, Term, Out("A")]),
    ("arg", &[Term, Term, Term]),
    ("=..", &[Term, Out("L")]),
    ("=..", &[Out("T"), List]),
    ("atom_length", &[Atom, Out("N")]),
    ("atom_length", &[Term, Small]),
    ("atom_concat", &[Atom, Atom, Out("C")]),
    ("atom_concat", &[Out("A"), Out("B"), Atom]),
    ("atom_concat", &[Atom, Out("B"), Atom]),
    ("sub_atom", &[Atom, Out("B"), Small, Out("R"), Out("S")]),
    ("sub_atom", &[Atom, Small, Out("L"), Small, Out("S")]),
    ("sub_atom", &[Atom, Out("B"), Out("L"), Out("R"), Atom]),
    ("atom_chars", &[Atom, Out("L")]),
    ("atom_chars", &[Out("A"), List]),
    ("atom_codes", &[Atom, Out("L")]),
    ("atom_codes", &[Out("A"), List]),
    ("char_code", &[Atom, Out("C")]),
    ("char_code", &[Out("A"), Small]),
    ("number_chars", &[Out("N"), List]),
    ("number_chars", &[Small, Out("L")]),
    ("number_codes", &[Out("N"), Term]),
    ("sort", &[List, Out("S")]),
    ("msort", &[List, Out("S")]),
    ("keysort", &[List, Out("S")]),
    ("length", &[List, Out("N")]),
    ("length", &[List, Small]),
    ("append", &[List, List, Out("L")]),
    ("append", &[Out("A"), Out("B"), List]),
    ("member", &[Term, List]),
    ("between", &[Small, Small, Out("B")]),
    ("findall", &[Term, Body, Out("L")]),
    ("bagof", &[Term, Body, Out("L")]),
    ("setof", &[Term, Body, Out("L")]),
    ("findall", &[Term, Body, List]),
    ("call", &[Body]),
    ("call", &[Term, Term]),
    ("once", &[Body]),
    ("\\+", &[Body]),
    ("forall", &[Body, Body]),
    ("catch", &[Body, Term, Body]),
    (",", &[Body, Body]),
    (";", &[Body, Body]),
    ("->", &[Body, Body]),
    ("throw", &[Term]),
    ("assertz", &[Term]),
    ("asserta", &[Term]),
    ("retract", &[Term]),
    ("clause", &[Term, Term]),
    ("abolish", &[Term]),
    ("op", &[Small, Atom, Atom]),
    ("op", &[Small, Term, Term]),
    ("set_prolog_flag", &[Term, Term]),
    ("retractall", &[Term]),
    ("set_input", &[Term]),
    ("close", &[Term]),
    ("get_char", &[Term, Out("C")]),
    ("peek_byte", &[Term, Out("C")]),
    ("put_char", &[Term]),
    ("nl", &[Term]),
    ("open", &[Term, Atom, Out("S")]),
];

fn argument(random: &mut Random, kind: Kind) -> String {
    let stray = random.below(12) == 0;
    match kind {
        Out(name) if !stray => name.to_owned(),
        _ if stray => random.pick(TERMS).to_owned(),
        Term | Out(_) => random.pick(TERMS).to_owned(),
        List => random.pick(LISTS).to_owned(),
        Atom => random.pick(ATOMS).to_owned(),
        Small => random.pick(SMALL).to_owned(),
        Body => random.pick(GOALS).to_owned(),
    }
}

/// Returns a call of a builtin.
pub(crate) fn builtin(random: &mut Random) -> Goal {
    let (name, kinds) = BUILTINS[random.below(BUILTINS.len())];
    let arguments: Vec<String> = kinds.iter().map(|&kind| argument(random, kind)).collect();
    let arguments: Vec<String> = arguments
        .iter()
        .map(|argument| format!("({argument})"))
        .collect();
    let name = if name == "," { "','" } else { name };
    let text = format!("{name}({})", arguments.join(","));
    goal(text, "[X,Y,Z,A,B,C,L,N,O,R,S,T,V]")
}

// ---- programs ---------------------------------------------------------------------------------

const VARIABLES: &[&str] = &["X", "Y", "Z"];

fn simple_term(random: &mut Random) -> String {
    match random.below(10) {
        0..=3 => random.pick(VARIABLES).to_owned(),
        4..=6 => random.pick(&["a", "b", "1", "2"]).to_owned(),
        7 => format!("f({})", simple_term(random)),
        8 => format!("[{}|{}]", simple_term(random), simple_term(random)),
        _ => random.pick(&["[]", "f(a)", "g(X,Y)"]).to_owned(),
    }
}

/// Returns a body of calls to predicates with higher numbers than `level`, and of control constructs.
fn body(random: &mut Random, program: u64, level: usize, depth: usize) -> String {
    let choice = random.below(if depth == 0 { 12 } else { 24 });
    let inner = |random: &mut Random| body(random, program, level, depth.saturating_sub(1));
    match choice {
        0..=3 if level < 3 => {
            let callee = level + 1 + random.below(3 - level);
            format!(
                "p{program}_{callee}({},{})",
                simple_term(random),
                simple_term(random)
            )
        }
        0..=4 => format!("d{program}({})", simple_term(random)),
        5 => format!("{}={}", random.pick(VARIABLES), simple_term(random)),
        6 => format!("{}=={}", random.pick(VARIABLES), simple_term(random)),
        7 => format!(
            "{}({})",
            random.pick(&["var", "nonvar", "atom", "integer", "compound"]),
            random.pick(VARIABLES)
        ),
        8 => "!".to_owned(),
        9 => random.pick(&["true", "fail", "true"]).to_owned(),
        10 => match random.below(5) {
            0 => format!("throw({})", simple_term(random)),
            1 => format!("X is {} + 1", random.pick(VARIABLES)),
            _ => format!("{} \\= {}", simple_term(random), simple_term(random)),
        },
        11 => match random.below(3) {
            0 => format!(
                "assertz(d{program}({}))",
                random.pick(&["c", "X", "f(Y)", "1"])
            ),
            1 => format!("retract(d{program}({}))", simple_term(random)),
            _ => format!("asserta(d{program}({}))", random.pick(&["e", "Y", "2"])),
        },
        12..=14 => format!("({},{})", inner(random), inner(random)),
        15 | 16 => format!("({};{})", inner(random), inner(random)),
        17 => format!("({}->{};{})", inner(random), inner(random), inner(random)),
        18 => format!("({}->{})", inner(random), inner(random)),
        19 => format!("\\+ ({})", inner(random)),
        20 => format!("call(({}))", inner(random)),
        21 => format!(
            "catch(({}),{},({}))",
            inner(random),
            simple_term(random),
            inner(random)
        ),
        22 => format!(
            "findall({},({}),{})",
            random.pick(VARIABLES),
            inner(random),
            random.pick(VARIABLES)
        ),
        _ => format!("once(({}))", inner(random)),
    }
}

/// Returns a small program and a goal for it. Its predicates have `number` in their names.
pub(crate) fn program(random: &mut Random, number: u64) -> Goal {
    let mut text = format!(":- dynamic(d{number}/1).\n");
    for level in 0..4 {
        for _ in 0..=random.below(3) {
            let head = format!(
                "p{number}_{level}({},{})",
                simple_term(random),
                simple_term(random)
            );
            let count = random.below(4);
            let goals: Vec<String> = (0..count).map(|_| body(random, number, level, 2)).collect();
            match goals.is_empty() {
                true => text.push_str(&format!("{head}.\n")),
                false => text.push_str(&format!("{head} :- {}.\n", goals.join(", "))),
            }
        }
    }
    for fact in ["a", "1", "f(b)"].iter().take(random.below(4)) {
        text.push_str(&format!("d{number}({fact}).\n"));
    }
    let (first, second) = match random.below(3) {
        0 => ("X".to_owned(), "Y".to_owned()),
        1 => (simple_term(random), "Y".to_owned()),
        _ => (simple_term(random), simple_term(random)),
    };
    Goal {
        text: format!("p{number}_0({first},{second})"),
        variables: "[X,Y,Z]".to_owned(),
        program: text,
    }
}

// ---- texts ------------------------------------------------------------------------------------

const PREFIX: &[&str] = &["- ", "\\ ", "\\+ ", ":- ", "?- ", "-", "+ "];
const INFIX: &[&str] = &[
    " + ", "-", "*", " / ", "=", " :- ", ",", " ; ", "->", "^", " is ", "-->", "**", " mod ",
    " =.. ", " == ", " @< ", ">>", " rem ", " - ", ":", "|",
];
const OPERANDS: &[&str] = &[
    "a",
    "B",
    "1",
    "2.5",
    "-1",
    "- 1",
    "[]",
    "{}",
    "[a]",
    "'x y'",
    "\"s\"",
    "0'a",
    "f(a)",
    "- (1)",
    "-(1)",
    "-a",
    "0x1F",
    "A",
    "[a|B]",
    "{a}",
    "a(b,c)",
    "'\\x41\\'",
    "1.0e3",
    "_",
    "\\ 1",
    "0b101",
    "0'''",
    "[a,b|c]",
    "{a,b}",
    "-(-(1))",
    "- - 1",
    "-(a)",
    "[-]",
    "[(a:-b)]",
    "f(:-)",
    "[a:-b]",
];

fn text(random: &mut Random, depth: usize) -> String {
    match random.below(if depth == 0 { 4 } else { 12 }) {
        0..=3 => random.pick(OPERANDS).to_owned(),
        4 | 5 => format!("{}{}", random.pick(PREFIX), text(random, depth - 1)),
        6 => format!("({})", text(random, depth - 1)),
        7 => format!("f({},{})", text(random, depth - 1), text(random, depth - 1)),
        8 => format!("[{}|{}]", text(random, depth - 1), text(random, depth - 1)),
        _ => format!(
            "{}{}{}",
            text(random, depth - 1),
            random.pick(INFIX),
            text(random, depth - 1)
        ),
    }
}

/// Returns a goal that reads a random text as a term.
pub(crate) fn reading(random: &mut Random) -> Goal {
    let quoted = text(random, 3).replace('\\', "\\\\").replace('\'', "''");
    goal(format!("read_text('{quoted} .',T)"), "[T]")
}

// ---- terms with goal variables -----------------------------------------------------------------

/// Returns a clause that calls terms with variables as goals.
pub(crate) fn called(random: &mut Random, number: usize) -> Goal {
    let case = bodies::called(random);
    let name = format!("called{number}");
    Goal {
        program: format!("{name}(X, Y, L) :- {}, {}.\n", case.bindings(), case.goal),
        text: format!("{name}(X, Y, L)"),
        variables: "[X,Y,L]".to_owned(),
    }
}
