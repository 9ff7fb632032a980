//! Queries with known answers.

use crate::compare::canonical;
use crate::parse;
use crate::search::{self, End};
use crate::with_deep_stack;

/// Returns the answers of a query as the tables below write them: bindings separated by `;`, and `error`
/// at the end for an error.
fn expected(query: &str, answers: &[&str]) -> (Vec<Vec<String>>, End) {
    let vars = parse::query(query).vars;
    let mut found = Vec::new();
    for answer in answers.iter().filter(|answer| **answer != "error") {
        let bindings: Vec<(&str, &str)> = answer
            .split(';')
            .filter_map(|binding| binding.split_once("<-"))
            .collect();
        let values = vars.iter().map(|var| {
            let bound = bindings.iter().find(|(name, _)| name.trim() == &**var);
            bound.map_or(&**var, |(_, value)| value)
        });
        found.push(canonical(values));
    }
    let end = match answers.last() {
        Some(&"error") => End::Error,
        _ => End::Exhausted,
    };
    (found, end)
}

type Table = &'static [(&'static str, &'static [&'static str])];

fn check_with(modules: &'static [&'static str], table: Table) {
    with_deep_stack(move || {
        let mut wrong = Vec::new();
        for (query, answers) in table {
            let found = search::ask(modules, query);
            let why = found.error.unwrap_or_default();
            let values = found.answers.into_iter().map(|answer| answer.values);
            let got: (Vec<Vec<String>>, End) = (values.collect(), found.end);
            let wanted = expected(query, answers);
            if got != wanted {
                wrong.push(format!(
                    "{query}\n  wanted {wanted:?}\n  got    {got:?} {why}"
                ));
            }
        }
        assert!(wrong.is_empty(), "\n{}", wrong.join("\n"));
    });
}

fn check(table: Table) {
    check_with(&[], table);
}

const YES: &[&str] = &[""];
const NO: &[&str] = &[];
const ERROR: &[&str] = &["error"];

#[test]
fn resources_are_used_once() {
    check(&[
        ("a -o a", YES),
        ("a -o true", NO),
        ("a -o (a , a)", NO),
        ("a => (a , a)", YES),
        ("a => true", YES),
        ("a , b -o b", NO),
        ("a -o b -o (a , b)", YES),
        ("a -o b -o (a , b) ; a", YES),
        ("{a & b} -o (a , b)", YES),
        ("p X , q X -o p 1 -o true", NO),
        ("(p 1 , q 2) -o (q X , p Y)", &["X <- 2; Y <- 1"]),
        (
            "p 1 -o p 2 -o (p X , p Y)",
            &["X <- 2; Y <- 1", "X <- 1; Y <- 2"],
        ),
        (
            "p 1 => p 2 -o p 3 => (p X , erase)",
            &["X <- 3", "X <- 2", "X <- 1"],
        ),
        ("(p 1 , p 2) -o (p X , erase)", &["X <- 1", "X <- 2"]),
    ]);
}

#[test]
fn both_halves_of_a_conjunction_use_the_same() {
    check(&[
        ("a -o a & a", NO),
        ("a -o (a & a)", YES),
        ("a & a -o a", NO),
        ("(a -o a) & (b -o b)", YES),
        ("a -o (true & true)", NO),
        ("a -o (true & a)", NO),
        ("a -o erase & a", NO),
        ("a -o (erase & a)", YES),
        ("a -o b -o c -o ((a , erase) & (b , erase)) , c", NO),
        ("a -o b -o c -o (((a , erase) & (b , erase)) , c)", YES),
        ("a -o b -o c -o (((a , erase) & (b , c , a)) , true)", YES),
        ("a -o b -o c -o (((a , erase) & (b , a)) , c)", YES),
        ("a -o b -o c -o (((a , erase) & (b , a)) , true)", NO),
        ("a -o b -o c -o (((a , erase) & (b , a)) , erase)", YES),
        ("(p 1 & q 1) -o (p X & q X)", &["X <- 1"]),
    ]);
}

#[test]
fn erase_drops_the_resources_in_its_scope() {
    check(&[
        ("erase", YES),
        ("erase , (a -o true)", NO),
        ("(a -o true) , erase", NO),
        ("a -o (erase , (b -o true))", NO),
        ("a -o (erase , (b -o b))", YES),
        ("a -o (true ; erase)", YES),
        ("a -o (erase ; erase)", &["", ""]),
        ("a -o {erase}", NO),
        ("a -o {a}", NO),
        ("a -o ({a} , a)", NO),
        ("a -o ({a ; true} , a)", YES),
        ("a => b -o ({a} , b)", YES),
        ("a => b -o ({a , erase} , b)", YES),
        ("a -o (b :- erase) => b", YES),
        ("(b :- erase) => a -o b", YES),
    ]);
}

#[test]
fn guards_take_the_first_solution() {
    check(&[
        ("a -o (erase -> true | fail)", YES),
        ("a -o ({true} -> erase | fail)", YES),
        ("a -o (b -> true | erase)", YES),
        ("p 1 => p 2 => (p X -> true | fail)", &["X <- 2"]),
        ("p 1 => p 2 => (true -> p X | fail)", &["X <- 2", "X <- 1"]),
        ("p 1 => p 2 => (q X -> true | p X)", &["X <- 2", "X <- 1"]),
        ("(p X -> true | fail)", NO),
        ("(a , fail -> true | b) ; true", YES),
        ("a -o ((a , fail) -> true | a)", YES),
        ("a -o (a , fail -> true | a)", NO),
        // A test does not see resources that cannot be used.
        ("a -o ({a -> true | true} , a)", YES),
        ("a -o ({a -> fail | true} , a)", YES),
        ("a -o ((true & (a -> fail | true)) , a)", YES),
        ("a -o ((erase & (a -> fail | true)) , a)", NO),
        ("a -o b -o (a & (b -> fail | a)) , b", NO),
        ("a -o b -o ((a & (b -> fail | a)) , b)", YES),
    ]);
}

#[test]
fn clauses_with_bodies() {
    check(&[
        ("(a :- b) => b -o a", YES),
        ("b -o (a :- b) => a", YES),
        ("b -o (a <= b) => a", NO),
        ("b => (a <= b) => a", YES),
        ("(a :- (b -o c)) => (c :- b) => a", YES),
        ("(a :- b , c -o d) => a", NO),
        ("b -o (b -o a -o c) -o a -o c", YES),
        ("(c :- a :- b) => (a :- fail) => (b :- fail) => c", NO),
        (
            "(c X Y :- p X :- p Y) => p 1 -o p 2 -o c X Y",
            &["X <- 2; Y <- 1", "X <- 1; Y <- 2"],
        ),
        ("(a & b) => (a , b)", YES),
        ("((a :- c) & b) -o c -o a", YES),
        ("((a :- c) & b) -o c -o b", NO),
        ("(p 1 & p 2) => p X", &["X <- 1", "X <- 2"]),
    ]);
}

#[test]
fn illegal_assumptions() {
    check(&[
        ("(true :- g) => g", ERROR),
        ("true => g", ERROR),
        ("true -o true", YES),
        ("((a , b) :- c) => a", ERROR),
        ("((a , b) :- c) -o a", ERROR),
        ("c -o ((a , b) :- c) -o (a , b)", ERROR),
        ("(a , b) => a", ERROR),
        ("{a} => a", ERROR),
        ("erase -o true", ERROR),
        ("(a ; b) -o a", ERROR),
        ("(exists x \\ p x) -o true", ERROR),
        ("(a -> b | c) -o true", ERROR),
        ("(m --o a) => a", ERROR),
        ("X -o true", ERROR),
        ("X => true", ERROR),
        ("(X :- a) => true", ERROR),
        ("(nl :- a) -o true", ERROR),
        ("fail , X", NO),
        ("fail , (erase -o true)", ERROR),
        ("X", ERROR),
        ("X a", ERROR),
        ("1", ERROR),
        ("\"s\" , true", ERROR),
    ]);
}

#[test]
fn goals_and_clauses_in_variables() {
    check(&[
        ("p => (X = p , X)", &["X <- p"]),
        ("(p 1) => (X = p , X 1)", &["X <- p"]),
        ("(p 1) => (X = p , (X Y))", &["X <- p; Y <- 1"]),
        ("X = (p -o p) , X", &["X <- p -o p"]),
        ("X = (a , b) , (a => b => X)", &["X <- a , b"]),
        ("X = (p :- q) , (X -o (q -o p))", &["X <- p :- q"]),
        ("X = (a -o b) , (X => a -o b)", &["X <- a -o b"]),
        ("X = (a , b) , (X -o (b , a))", &["X <- a , b"]),
        ("X = {a} , (X -o (a , a))", &["X <- {a}"]),
        ("cut => !", YES),
        ("!", NO),
        ("! => a", NO),
        ("(a --> b) => (a --> b)", YES),
        ("['x'] => [x]", YES),
    ]);
}

#[test]
fn unification() {
    check(&[
        ("X Y = f a", &["X <- f; Y <- a"]),
        ("X a = f a", &["X <- f"]),
        ("X = Y", &["X <- Y"]),
        ("X = f X", NO),
        ("f X = f (f X)", NO),
        ("X = f Y , Y = g X", NO),
        ("_ = a , _ = b", NO),
        ("f _ _ = f b c", NO),
        ("a b c => a b c", YES),
        ("1 = 1 , \"s\" = \"s\" , 'x y' = 'x y'", YES),
        ("1 = 2 ; a = \"a\"", NO),
        ("(forall x \\ p x) = (forall x \\ p x)", ERROR),
        ("f (forall x \\ p x) = g a", NO),
        ("X = 1 , X = 2", NO),
        (
            "(X = 1 ; X = 2) , Y = X",
            &["X <- 1; Y <- 1", "X <- 2; Y <- 2"],
        ),
    ]);
}

#[test]
fn numbers() {
    check(&[
        ("X is 1 + 2 * 3 - 4", &["X <- 5"]),
        ("X is 0 - 5", &["X <- ~5"]),
        ("X is (0 - 7) / 2", &["X <- ~4"]),
        ("X is 7 / (0 - 2)", &["X <- ~4"]),
        ("X is Y + 1", ERROR),
        ("X is a", ERROR),
        (
            "1 + 1 =:= 2 , 1 < 2 , 2 >= 2 , 3 =\\= 2 , 2 =< 2 , 3 > 2",
            YES,
        ),
        ("1 < a", ERROR),
        ("p 1 => p 2 => p 3 => (p X , X > 1)", &["X <- 3", "X <- 2"]),
    ]);
}

#[test]
fn quantifiers() {
    check(&[
        ("forall x \\ (p x => p x)", YES),
        ("forall X \\ (p X => p X)", YES),
        ("p X => (forall X \\ (q X => q X))", YES),
        ("(forall x \\ p x -o q x) => (p a => q a)", YES),
        ("(forall x \\ (q x :- p x)) => p a -o q a", YES),
        ("(forall x \\ p x) => (p 1 , p 2)", YES),
        ("(forall x \\ p x) -o (p 1 , p 2)", NO),
        ("p X => (p 1 , p 2)", NO),
        ("(forall x \\ forall x \\ p x) => p 1", YES),
        (
            "(forall x \\ (p x :- forall y \\ q x y)) => (forall z \\ q 1 z) => p 1",
            YES,
        ),
        (
            "(forall x \\ (p x :- forall y \\ q x y)) => q 1 2 => p 1",
            NO,
        ),
        ("forall x \\ (q x => exists y \\ q y)", YES),
        ("exists f \\ f = g", YES),
        ("forall x \\ x = x", YES),
        ("forall x \\ x = a", NO),
        ("forall x \\ forall y \\ x = y", NO),
    ]);
}

/// New constants do not leave their scope.
#[test]
fn scopes() {
    check(&[
        ("forall x \\ Y = x", NO),
        ("forall x \\ Y = f x", NO),
        ("forall x \\ exists y \\ y = x", YES),
        ("exists y \\ forall x \\ y = x", NO),
        ("forall x \\ exists z \\ (Y = f z , z = x)", NO),
        ("forall x \\ exists z \\ (z = x , Y = f z)", NO),
        ("forall x \\ exists z \\ (Y = f z , z = a)", &["Y <- f a"]),
        ("forall x \\ exists z \\ (Y = f z)", &["Y <- f Z"]),
        ("forall x \\ exists z \\ (z = Y , z = x)", NO),
        ("(forall u \\ r u u) => (exists y \\ forall x \\ r x y)", NO),
        (
            "(forall u \\ r u u) => (forall x \\ exists y \\ r x y)",
            YES,
        ),
    ]);
}

#[test]
fn modules() {
    check_with(
        &[
            "MODULE shop Price Name.\nLOCAL key.\n\
             open X :- key X , erase.\nitem Price Name.\nLINEAR key 7.",
            "MODULE safe.\nLOCAL secret.\n\
             leak secret.\nleak2 X :- X = secret.\ncheck X :- leak X.",
            "MODULE wrong.\na , b.",
            "MODULE pair.\nLINEAR a , b.",
            "MODULE shared.\nLINEAR p X , q X.",
            "MODULE loose.\nX :- foo X.",
            "MODULE mixed.\nLINEAR {p X}.\nLINEAR q X.\nLINEAR (r X :- q X).",
            "MODULE special.\nnl :- a.",
            "MODULE control.\npp 1. pp 2. pp 3.\n\
             not G :- G -> fail | true.\nonce G :- G -> true | fail.",
        ],
        &[
            ("nowhere --o true", ERROR),
            ("X --o true", ERROR),
            ("1 --o true", ERROR),
            ("shop 1 2 --o item X Y", NO),
            ("shop 1 2 --o (item X Y , erase)", &["X <- 1; Y <- 2"]),
            ("shop A B --o (item 3 4 , erase)", &["A <- 3; B <- 4"]),
            ("shop 1 --o (item X Y , erase)", NO),
            ("shop 1 2 --o open X", &["X <- 7"]),
            ("shop 1 2 --o key X", NO),
            ("safe --o leak X", NO),
            ("safe --o (exists x \\ leak x)", YES),
            ("safe --o leak2 X", NO),
            ("safe --o check X", NO),
            ("wrong --o true", ERROR),
            ("pair --o (a , b)", YES),
            ("pair --o a", NO),
            ("shared --o (p X , q Y)", &["X <- Y"]),
            ("shared --o (p 1 , q 2)", NO),
            ("loose --o true", ERROR),
            ("special --o true", ERROR),
            ("mixed --o (p 1 , p 2 , erase)", YES),
            ("mixed --o r 3", YES),
            ("mixed --o (p 1 , r 3)", YES),
            ("mixed --o (q 1 , r 3)", NO),
            ("control --o pp X", &["X <- 1", "X <- 2", "X <- 3"]),
            ("control --o not (pp 4)", YES),
            ("control --o not (pp 1)", NO),
            ("control --o once (pp X)", &["X <- 1"]),
            ("control --o (pp X -> true | fail)", &["X <- 1"]),
            ("control --o (pp X , X > 1)", &["X <- 2", "X <- 3"]),
            (
                "control --o control --o pp X",
                &["X <- 1", "X <- 2", "X <- 3", "X <- 1", "X <- 2", "X <- 3"],
            ),
        ],
    );
}

#[test]
fn endless_searches_are_stopped() {
    with_deep_stack(|| {
        for query in [
            "(a :- a) => a",
            "(n 0 => (forall x \\ (n (s x) :- n x)) => n X)",
        ] {
            assert_eq!(search::ask(&[], query).end, End::Budget, "{query}");
        }
    });
}
