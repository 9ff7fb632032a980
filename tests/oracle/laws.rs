//! Laws that the answers of the oracle obey, on random programs and goals.

use crate::compare::{Found, disagreement, oracle, probe};
use crate::generate::{Case, Kind, case};
use crate::search::{self, End};
use crate::with_deep_stack;

const KINDS: &[Kind] = Kind::ALL;
/// Number of cases of each kind.
const CASES: u64 = 250;

fn each_case(check: impl Fn(Kind, &Case) -> Option<String> + Send + 'static) {
    with_deep_stack(move || {
        for &kind in KINDS {
            for seed in 0..CASES {
                if let Some(message) = check(kind, &case(kind, seed)) {
                    panic!("{kind:?} {seed}:\n{message}");
                }
            }
        }
    });
}

/// Checks that a case has the same answers in another form, which takes about as many steps.
fn same_when(rewritten: impl Fn(&Case) -> Case + Send + 'static) {
    each_case(move |_, case| {
        // At the end of the budget, one form may have more answers. This is no difference.
        let forms = [rewritten(case), rewritten(&probe(case))];
        if forms.iter().any(|form| oracle(form).end == End::Budget) {
            return None;
        }
        disagreement(case, |case, limit| {
            let mut found = oracle(&rewritten(case));
            if found.answers.len() >= limit {
                found.answers.truncate(limit);
                found.end = End::Budget;
            }
            found
        })
    });
}

#[test]
fn unused_facts_change_nothing() {
    same_when(|case| case.enclosed("unused => ", ""));
    same_when(|case| case.enclosed("exists g \\ (g = held) , ", ""));
    same_when(|case| case.enclosed("(forall x \\ (unused x :- needless)) => ", ""));
    same_when(|case| case.goal_enclosed("unused => ", ""));
}

#[test]
fn a_linear_fact_that_is_used_at_once_changes_nothing() {
    same_when(|case| case.goal_enclosed("extra -o (extra , ", ")"));
    same_when(|case| case.goal_enclosed("extra -o (", ", extra)"));
    same_when(|case| case.goal_enclosed("(extra , true) -o ((extra & extra) , ", ")"));
}

/// A goal does not see resources that it cannot use.
#[test]
fn a_linear_fact_that_is_out_of_reach_changes_nothing() {
    same_when(|case| case.goal_enclosed("extra -o (({extra} , other ; (", ")) , extra)"));
    same_when(|case| case.goal_enclosed("extra -o ({extra} ; (extra , ", "))"));
    same_when(|case| {
        case.goal_enclosed("extra -o ((true & (extra -> fail | true)) , extra , ", ")")
    });
    same_when(|case| case.goal_enclosed("extra -o ({extra -> fail | true} , extra , ", ")"));
}

#[test]
fn true_is_neutral() {
    same_when(|case| case.goal_enclosed("true , ", ""));
    same_when(|case| case.goal_enclosed("", ", true"));
    same_when(|case| case.goal_enclosed("fail ; ", ""));
    same_when(|case| case.goal_enclosed("", "; fail"));
    same_when(|case| case.goal_enclosed("true -o ", ""));
}

#[test]
fn guards_with_known_tests() {
    same_when(|case| case.goal_enclosed("true -> ", "| other"));
    same_when(|case| case.goal_enclosed("fail -> other | ", ""));
    same_when(|case| case.goal_enclosed("other => (other -> ", "| fail)"));
}

#[test]
fn quantifiers_that_bind_nothing() {
    same_when(|case| case.goal_enclosed("exists fresh \\ ", ""));
    same_when(|case| case.goal_enclosed("forall fresh \\ ", ""));
    same_when(|case| {
        case.goal_enclosed("forall fresh \\ (via fresh) => exists k \\ (via k) , ", "")
    });
}

#[test]
fn a_clause_for_the_goal_is_equivalent_to_the_goal() {
    for sign in ["=>", "-o"] {
        same_when(move |case| {
            let (goal, mut changed) = (&case.goal, case.clone());
            changed.goal = format!("(shortcut :- ({goal})) {sign} shortcut");
            changed
        });
    }
    same_when(|case| {
        let (goal, mut changed) = (&case.goal, case.clone());
        changed.goal = format!("((shortcut <= true) :- ({goal}) :- other) => other => shortcut");
        changed
    });
}

#[test]
fn goals_may_be_passed_by_variables() {
    same_when(|case| {
        let mut changed = case.clone();
        // A term may contain a quantifier, as long as it is not compared.
        changed.goal = format!("exists g \\ (g = ({}) , g)", case.goal);
        changed
    });
}

/// Without linear resources, `{G}` is like `G`, but drops nothing.
#[test]
fn braces_at_the_top() {
    each_case(|_, case| {
        let plain = search::ask(&modules(case), &case.query());
        let braced = search::ask(&modules(case), &format!("{{{}}}", case.query()));
        if plain.end == End::Budget || braced.end == End::Budget {
            return None;
        }
        let wanted: Vec<_> = plain.answers.iter().map(|answer| &answer.values).collect();
        let got: Vec<_> = braced.answers.iter().map(|answer| &answer.values).collect();
        let kept = braced.answers.iter().all(|answer| !answer.erased);
        (wanted != got || !kept).then(|| format!("{case:?}\n{plain:?}\n{braced:?}"))
    });
}

/// The probe finds the answers that may drop resources.
#[test]
fn the_probe_finds_answers_that_may_drop() {
    each_case(|_, case| {
        let plain = search::ask(&modules(case), &case.query());
        let probed = oracle(&probe(case));
        if plain.end == End::Budget || probed.end == End::Budget {
            return None;
        }
        let wanted: Vec<_> = plain
            .answers
            .iter()
            .filter(|answer| answer.erased)
            .map(|answer| answer.values.clone())
            .collect();
        (wanted != probed.answers).then(|| format!("{case:?}\n{plain:?}\n{probed:?}"))
    });
}

/// `A ; A` has the answers of `A` twice, and a guard has only the first.
#[test]
fn alternatives_and_first_answers() {
    each_case(|_, case| {
        let once = oracle(case);
        let twice = oracle(&case.enclosed("", &format!("; ({})", case.query())));
        let first = oracle(&case.enclosed("", "-> true | fail"));
        if [&once, &twice, &first]
            .iter()
            .any(|found| found.end == End::Budget)
        {
            return None;
        }
        let doubled = match once.end {
            End::Exhausted => [&once.answers[..], &once.answers[..]].concat(),
            _ => once.answers.clone(),
        };
        let wanted_first: Vec<_> = once.answers.iter().take(1).cloned().collect();
        (doubled != twice.answers || wanted_first != first.answers)
            .then(|| format!("{case:?}\n{once:?}\n{twice:?}\n{first:?}"))
    });
}

/// A goal with one proof also has one proof when it is proved twice with the same resources.
#[test]
fn both_halves_alike() {
    each_case(|kind, case| {
        let once = oracle(case);
        let halves = case.goal_enclosed("", &format!("& ({})", case.goal));
        let twice = oracle(&halves);
        let unique = once.answers.len() <= 1 && once.end == End::Exhausted;
        if kind != Kind::Propositional || !unique || twice.end == End::Budget {
            return None;
        }
        (once != twice).then(|| format!("{case:?}\n{once:?}\n{twice:?}"))
    });
}

/// In the same context, `(A , B) , C` is equivalent to `A , (B , C)`. The same holds with `&` for the
/// comma, including order and number of answers.
#[test]
fn grouping_of_conjunctions() {
    each_case(|kind, case| {
        let other = self::case(kind, case.goal.len() as u64);
        let third = self::case(kind, case.before.len() as u64);
        // The goals of other cases: most of them fail in this context.
        let (a, b, c) = (&case.goal, &other.goal, &third.goal);
        for sign in [",", "&"] {
            let mut left = case.clone();
            left.goal = format!("(({a}) {sign} ({b})) {sign} ({c})");
            let mut right = case.clone();
            right.goal = format!("({a}) {sign} (({b}) {sign} ({c}))");
            let (left, right) = (rewritten(&left), rewritten(&right));
            if left.end == End::Budget || right.end == End::Budget {
                continue;
            }
            if left != right {
                return Some(format!(
                    "{case:?}\n({a}) {sign} ({b}) {sign} ({c})\n{left:?}\n{right:?}"
                ));
            }
        }
        None
    });
}

fn rewritten(case: &Case) -> Found {
    oracle(case)
}

/// `(D1 , D2) -o G` is equivalent to `D2 -o D1 -o G`, and `R1 & R2 => G` to `R2 => R1 => G`.
#[test]
fn contexts_of_several_clauses() {
    each_case(|kind, case| {
        let clauses = match kind {
            Kind::FirstOrder => ["forall Z \\ (p Z :- true)", "q a b", "p b :- s", "r c"],
            _ => ["a", "b :- a", "c", "d :- (b & c)"],
        };
        for pair in [[0, 1], [2, 3], [1, 2], [3, 0]] {
            let (one, other) = (clauses[pair[0]], clauses[pair[1]]);
            let forms = [
                (
                    format!("(({one}) , ({other})) -o "),
                    format!("({other}) -o ({one}) -o "),
                ),
                (
                    format!("(({one}) & ({other})) => "),
                    format!("({other}) => ({one}) => "),
                ),
                (format!("{{{one}}} -o "), format!("({one}) => ")),
            ];
            for (form, same) in forms {
                let left = oracle(&case.goal_enclosed(&form, ""));
                let right = oracle(&case.goal_enclosed(&same, ""));
                if left.end == End::Budget || right.end == End::Budget {
                    continue;
                }
                if left != right {
                    return Some(format!("{form}{case:?}\n{left:?}\n{right:?}"));
                }
            }
        }
        None
    });
}

/// The random cases are useful: many have answers, many have none, few are errors or have no end.
#[test]
fn cases_are_various() {
    with_deep_stack(|| {
        for &kind in KINDS {
            let (mut solved, mut many, mut erased, mut endless, mut errors) = (0, 0, 0, 0, 0);
            for seed in 0..CASES {
                let case = case(kind, seed);
                let found = search::ask(&modules(&case), &case.query());
                solved += u64::from(!found.answers.is_empty());
                many += u64::from(found.answers.len() > 1);
                erased += u64::from(found.answers.iter().any(|answer| answer.erased));
                endless += u64::from(found.end == End::Budget);
                errors += u64::from(found.end == End::Error);
            }
            let numbers = format!(
                "{kind:?}: of {CASES} cases {solved} have answers, {many} several, {erased} some \
                 that drop, {endless} no end, {errors} an error"
            );
            assert!(solved > CASES / 5 && solved < CASES * 4 / 5, "{numbers}");
            assert!(many > CASES / 40 && erased > CASES / 20, "{numbers}");
            assert!(endless < CASES / 5 && errors < CASES / 20, "{numbers}");
        }
    });
}

fn modules(case: &Case) -> Vec<&str> {
    case.module.iter().map(String::as_str).collect()
}
