//! The meaning of constraints on integers, from the definitions of the constraints alone.

use crate::term::Term;
use std::cmp::Ordering;

/// The reason why an expression has no value.
#[derive(Copy, Clone, Debug, PartialEq, Eq)]
pub(crate) enum Without {
    /// The value is undefined: a division by zero, or a power that is no integer.
    Undefined,
    /// The value is beyond the integers of this program, or the term is no expression.
    Unknown,
}

/// Returns the value of an expression.
pub(crate) fn value(term: &Term, values: &[i128]) -> Result<i128, Without> {
    let known = |value: Option<i128>| value.ok_or(Without::Unknown);
    let (name, parts) = match term {
        Term::Var(var) => return known(values.get(*var).copied()),
        Term::Int(value) => return Ok(*value),
        Term::Compound(name, parts) => (*name, parts),
        Term::Atom(_) | Term::List(_) => return Err(Without::Unknown),
    };
    // An unknown part makes the whole unknown, even if another part is undefined.
    let parts: Vec<_> = parts.iter().map(|part| value(part, values)).collect();
    if parts.contains(&Err(Without::Unknown)) {
        return Err(Without::Unknown);
    }
    let parts: Vec<i128> = parts.into_iter().collect::<Result<_, _>>()?;
    match (name, parts.as_slice()) {
        ("-", &[a]) => known(a.checked_neg()),
        ("abs", &[a]) => known(a.checked_abs()),
        ("+", &[a, b]) => known(a.checked_add(b)),
        ("-", &[a, b]) => known(a.checked_sub(b)),
        ("*", &[a, b]) => known(a.checked_mul(b)),
        ("min", &[a, b]) => Ok(a.min(b)),
        ("max", &[a, b]) => Ok(a.max(b)),
        ("^", &[a, b]) => power(a, b),
        ("//" | "div" | "mod" | "rem", &[_, 0]) => Err(Without::Undefined),
        ("//", &[a, b]) => known(a.checked_div(b)),
        ("rem", &[a, b]) => known(a.checked_rem(b)),
        ("div", &[a, b]) => {
            let quotient = known(a.checked_div(b))?;
            Ok(quotient - i128::from(a % b != 0 && (a < 0) != (b < 0)))
        }
        ("mod", &[a, b]) => {
            let rest = known(a.checked_rem(b))?;
            let other_sign = rest != 0 && (rest < 0) != (b < 0);
            Ok(if other_sign { rest + b } else { rest })
        }
        _ => Err(Without::Unknown),
    }
}

fn power(base: i128, exponent: i128) -> Result<i128, Without> {
    let odd = exponent % 2 != 0;
    match (base, exponent) {
        (1, _) | (_, 0) => Ok(1),
        (-1, _) => Ok(if odd { -1 } else { 1 }),
        (_, ..0) => Err(Without::Undefined),
        (0, _) => Ok(0),
        _ => {
            let power = u32::try_from(exponent).ok();
            let power = power.and_then(|exponent| base.checked_pow(exponent));
            power.ok_or(Without::Unknown)
        }
    }
}

/// Returns whether the constraint, posted as a goal, holds. `None` if that is not known.
pub(crate) fn holds(term: &Term, values: &[i128]) -> Option<bool> {
    let Term::Compound(name, parts) = term else {
        return None;
    };
    let list = |part: &Term| integers(part, values);
    let single = |part: &Term| simple(part, values);
    match (*name, parts.as_slice()) {
        ("all_different" | "all_distinct", [xs]) => Some(distinct(&list(xs)?)),
        ("sum", [xs, Term::Atom(relation), e]) => {
            related(relation, Ok(added(&list(xs)?)?), value(e, values))
        }
        ("scalar_product", [cs, xs, Term::Atom(relation), e]) => {
            let (cs, xs) = (list(cs)?, list(xs)?);
            let products = pairs(&cs, &xs)?.map(|(c, x)| c.checked_mul(x));
            let products: Vec<i128> = products.collect::<Option<_>>()?;
            related(relation, Ok(added(&products)?), value(e, values))
        }
        ("element", [n, xs, v]) => {
            let place = usize::try_from(single(n)?).ok();
            let found = place.and_then(|place| place.checked_sub(1));
            let (xs, v) = (list(xs)?, single(v)?);
            Some(found.is_some_and(|place| xs.get(place) == Some(&v)))
        }
        ("tuples_in", [tuples, rows]) => {
            let (tuples, rows) = (matrix(tuples, values)?, matrix(rows, values)?);
            let width = rows.first()?.len();
            let regular = tuples.iter().chain(&rows).all(|row| row.len() == width);
            (regular && width > 0).then(|| tuples.iter().all(|tuple| rows.contains(tuple)))
        }
        ("global_cardinality", [xs, pairs]) => cardinality(&list(xs)?, pairs, values),
        ("circuit", [xs]) => circuit(&list(xs)?),
        ("chain", [xs, Term::Atom(relation)]) => {
            let xs = list(xs)?;
            let mut pairs = xs
                .windows(2)
                .map(|pair| related(relation, Ok(pair[0]), Ok(pair[1])));
            pairs.try_fold(true, |all, holds| Some(all && holds?))
        }
        ("lex_chain", [rows]) => {
            let rows = matrix(rows, values)?;
            let regular = rows.iter().all(|row| row.len() == rows[0].len());
            regular.then(|| rows.is_sorted())
        }
        ("automaton", [xs, nodes, arcs]) => automaton(&list(xs)?, nodes, arcs),
        ("cumulative", [tasks, options]) => cumulative(tasks, options, values),
        ("disjoint2", [rectangles]) => disjoint(rectangles, values),
        ("serialized", [starts, durations]) => {
            let constant = |part: &Term| matches!(part, Term::Int(0..));
            durations.parts().iter().all(constant).then_some(())?;
            let (starts, durations) = (list(starts)?, list(durations)?);
            let tasks: Vec<_> = pairs(&starts, &durations)?.collect();
            let before = |a: (i128, i128), b: (i128, i128)| Some(a.0.checked_add(a.1)? <= b.0);
            every_two(&tasks, |&a, &b| Some(before(a, b)? || before(b, a)?))
        }
        ("zcompare", [Term::Atom(order), a, b]) => {
            let wanted = match *order {
                "<" => Ordering::Less,
                "=" => Ordering::Equal,
                _ => Ordering::Greater,
            };
            Some(single(a)?.cmp(&single(b)?) == wanted)
        }
        ("=", [a, b]) => Some(single(a)? == single(b)?),
        _ => formula(term, values),
    }
}

/// Returns whether the formula holds. `None` if that is not known.
fn formula(term: &Term, values: &[i128]) -> Option<bool> {
    let (name, parts) = match term {
        Term::Compound(name, parts) => (*name, parts.as_slice()),
        // A truth value.
        _ => match simple(term, values)? {
            0 => return Some(false),
            1 => return Some(true),
            _ => return None,
        },
    };
    let part = |index: usize| formula(&parts[index], values);
    match (name, parts) {
        ("in", [x, set]) => within(simple(x, values)?, set),
        ("#\\", [_]) => Some(!part(0)?),
        ("#/\\", [..]) => Some(part(0)? & part(1)?),
        ("#\\/", [..]) => Some(part(0)? | part(1)?),
        ("#\\", [..]) => Some(part(0)? ^ part(1)?),
        ("#==>", [..]) => Some(!part(0)? | part(1)?),
        ("#<==", [..]) => Some(part(0)? | !part(1)?),
        ("#<==>", [..]) => Some(part(0)? == part(1)?),
        (relation, [left, right]) => related(relation, value(left, values), value(right, values)),
        _ => None,
    }
}

/// Returns whether the values are in this relation. An undefined value is in no relation.
fn related(
    relation: &str,
    left: Result<i128, Without>,
    right: Result<i128, Without>,
) -> Option<bool> {
    let holds: fn(&i128, &i128) -> bool = match relation {
        "#=" => i128::eq,
        "#\\=" => i128::ne,
        "#<" => i128::lt,
        "#>" => i128::gt,
        "#=<" => i128::le,
        "#>=" => i128::ge,
        _ => return None,
    };
    match (left, right) {
        (Err(Without::Unknown), _) | (_, Err(Without::Unknown)) => None,
        (Ok(left), Ok(right)) => Some(holds(&left, &right)),
        _ => Some(false),
    }
}

/// Returns whether the value is in a domain.
fn within(value: i128, set: &Term) -> Option<bool> {
    match set {
        Term::Int(only) => Some(value == *only),
        Term::Compound("\\/", parts) => Some(within(value, &parts[0])? | within(value, &parts[1])?),
        Term::Compound("..", parts) => {
            let above = match parts[0] {
                Term::Int(low) => low <= value,
                _ => parts[0] == Term::Atom("inf"),
            };
            let below = match parts[1] {
                Term::Int(high) => value <= high,
                _ => parts[1] == Term::Atom("sup"),
            };
            Some(above && below)
        }
        _ => None,
    }
}

fn simple(term: &Term, values: &[i128]) -> Option<i128> {
    match term {
        Term::Var(_) | Term::Int(_) => value(term, values).ok(),
        _ => None,
    }
}

fn integers(term: &Term, values: &[i128]) -> Option<Vec<i128>> {
    let Term::List(parts) = term else {
        return None;
    };
    parts.iter().map(|part| simple(part, values)).collect()
}

fn matrix(term: &Term, values: &[i128]) -> Option<Vec<Vec<i128>>> {
    let Term::List(rows) = term else {
        return None;
    };
    rows.iter().map(|row| integers(row, values)).collect()
}

fn added(values: &[i128]) -> Option<i128> {
    values
        .iter()
        .try_fold(0i128, |sum, value| sum.checked_add(*value))
}

fn pairs<'a>(xs: &'a [i128], ys: &'a [i128]) -> Option<impl Iterator<Item = (i128, i128)> + 'a> {
    (xs.len() == ys.len()).then(|| xs.iter().copied().zip(ys.iter().copied()))
}

fn distinct(values: &[i128]) -> bool {
    (1..values.len()).all(|index| !values[..index].contains(&values[index]))
}

fn every_two<T>(items: &[T], holds: impl Fn(&T, &T) -> Option<bool>) -> Option<bool> {
    let mut all = true;
    for (index, left) in items.iter().enumerate() {
        for right in &items[index + 1..] {
            all &= holds(left, right)?;
        }
    }
    Some(all)
}

/// Returns whether each key has its number of occurrences, and no other value occurs.
fn cardinality(xs: &[i128], pairs: &Term, values: &[i128]) -> Option<bool> {
    let (mut keys, mut all) = (Vec::new(), true);
    for pair in pairs.parts() {
        let Term::Compound("-", parts) = pair else {
            return None;
        };
        let [Term::Int(key), count] = parts.as_slice() else {
            return None;
        };
        let found = xs.iter().filter(|x| *x == key).count();
        all &= simple(count, values)? == found as i128;
        keys.push(*key);
    }
    distinct(&keys).then(|| all && xs.iter().all(|x| keys.contains(x)))
}

/// Returns whether the successors of all places make one circuit.
fn circuit(xs: &[i128]) -> Option<bool> {
    let (mut place, mut seen) = (0, Vec::new());
    for _ in xs {
        if seen.contains(&place) {
            return Some(false);
        }
        seen.push(place);
        match usize::try_from(xs[place]) {
            Ok(next) if (1..=xs.len()).contains(&next) => place = next - 1,
            _ => return Some(false),
        }
    }
    (!xs.is_empty()).then_some(place == 0)
}

/// Returns the nodes of an automaton that are `source(Node)` or `sink(Node)`.
fn named(nodes: &Term, wanted: &str) -> Vec<Term> {
    let nodes = nodes.parts().iter().filter_map(|node| match node {
        Term::Compound(name, parts) if *name == wanted => Some(parts[0].clone()),
        _ => None,
    });
    nodes.collect()
}

/// Returns whether a path from a source to a sink reads these values.
fn automaton(xs: &[i128], nodes: &Term, arcs: &Term) -> Option<bool> {
    let (mut states, sinks) = (named(nodes, "source"), named(nodes, "sink"));
    if states.is_empty() || sinks.is_empty() || arcs.parts().is_empty() || xs.is_empty() {
        return None;
    }
    let mut steps = Vec::new();
    for arc in arcs.parts() {
        match arc.parts() {
            [from @ Term::Atom(_), Term::Int(label), to @ Term::Atom(_)] => {
                steps.push((from, *label, to))
            }
            _ => return None,
        }
    }
    for x in xs {
        let taken = steps
            .iter()
            .filter(|(from, label, _)| label == x && states.contains(from));
        states = taken.map(|(_, _, to)| (*to).clone()).collect();
    }
    Some(states.iter().any(|state| sinks.contains(state)))
}

/// Returns whether the use of the resource is within its limit at each time.
fn cumulative(tasks: &Term, options: &Term, values: &[i128]) -> Option<bool> {
    let limit = match options.parts() {
        [] => 1,
        [Term::Compound("limit", limit)] => simple(&limit[0], values)?,
        _ => return None,
    };
    (limit >= 0).then_some(())?;
    let mut all = true;
    let mut known = Vec::new();
    for task in tasks.parts() {
        let [start, duration, end, uses, _] = task.parts() else {
            return None;
        };
        let part = |part: &Term| simple(part, values);
        let (start, duration, end, uses) = (part(start)?, part(duration)?, part(end)?, part(uses)?);
        all &= duration > 0 && uses >= 0 && start.checked_add(duration)? == end;
        known.push((start, end, uses));
    }
    for &(time, ..) in &known {
        let running = known
            .iter()
            .filter(|(start, end, _)| *start <= time && time < *end);
        let uses: Vec<i128> = running.map(|task| task.2).collect();
        all &= uses.is_empty() || added(&uses)? <= limit;
    }
    (!known.is_empty()).then_some(all)
}

/// Returns whether no two rectangles overlap.
fn disjoint(rectangles: &Term, values: &[i128]) -> Option<bool> {
    let rectangles: Vec<Vec<i128>> = rectangles
        .parts()
        .iter()
        .map(|rectangle| {
            rectangle
                .parts()
                .iter()
                .map(|part| simple(part, values))
                .collect()
        })
        .collect::<Option<_>>()?;
    for rectangle in &rectangles {
        let [_, width, _, height] = rectangle.as_slice() else {
            return None;
        };
        // Definitions differ on rectangles without an area, so these are not compared.
        (*width > 0 && *height > 0).then_some(())?;
    }
    let before =
        |a: &[i128], b: &[i128], side: usize| Some(a[side].checked_add(a[side + 1])? <= b[side]);
    every_two(&rectangles, |a, b| {
        Some(before(a, b, 0)? || before(b, a, 0)? || before(a, b, 2)? || before(b, a, 2)?)
    })
}
