//! Comparison of answers by their meaning: the names of variables and the notation of cycles and shared parts do
//! not matter.

use super::answers::Equations;
use crate::api::{Compound, Solution, Term};
use crate::base::flags::QuoteMode;
use crate::base::growth::{Gather, Grow, GrowSet, GrowTable};
use crate::base::stop::{Questions, Stop};
use std::collections::{HashMap, HashSet};
use std::sync::Arc;

/// The number of comparisons after which a comparison remembers pairs of shared compounds.
const FREE_COMPARISONS: usize = 1 << 12;

/// The values of the variables of one side.
type Values<'t> = HashMap<&'t str, &'t Term>;

/// A variable without a value.
#[derive(Clone, PartialEq, Eq, Hash)]
enum Name<'t> {
    Named(&'t str),
    /// A variable that occurs once.
    Single(usize),
}

/// A comparison of two sides, variable by variable.
struct Comparison<'t> {
    left: Values<'t>,
    right: Values<'t>,
    there: HashMap<Name<'t>, Name<'t>>,
    back: HashMap<Name<'t>, Name<'t>>,
    /// Pairs that are equal if no other part differs.
    assumed: HashSet<(usize, usize)>,
    made: usize,
    singles: usize,
    /// The terms that a text on the left also matches.
    quotes: Option<QuoteMode>,
}

/// Returns whether the equations agree with the solution. `leftover` has the assumptions that the query left.
pub(super) fn is_same(
    wanted: &Equations,
    got: &Solution,
    leftover: Option<&[Term]>,
) -> Result<bool, Stop> {
    let bound_names: HashSet<&str> = got
        .bindings()
        .iter()
        .map(|(name, _)| &**name)
        .gather_set()?;
    // A name that is not in the query and does not begin with `_`.
    let strange = |name: &&Arc<str>| !bound_names.contains(&***name) && !name.starts_with('_');
    if wanted.names.iter().any(|name| strange(&name)) {
        return Ok(false);
    }
    let names = got.bindings().iter();
    let names = names
        .map(|(name, _)| Term::Var(Arc::clone(name)))
        .gather()?;
    let left = wanted.values.iter();
    let right = got.bindings().iter().chain(got.cycles());
    let mut comparison = Comparison {
        left: left.map(|(name, value)| (&**name, value)).gather_map()?,
        right: right.map(|(name, value)| (&**name, value)).gather_map()?,
        there: HashMap::new(),
        back: HashMap::new(),
        assumed: HashSet::new(),
        made: 0,
        singles: 0,
        quotes: wanted.quotes,
    };
    let none: &[Term] = &[];
    let left = [
        &wanted.goals[..],
        wanted.leftover.as_deref().unwrap_or(none),
    ];
    let right = [got.residual_goals(), leftover.unwrap_or(none)];
    let mut lists = left.iter().zip(&right);
    if lists.any(|(left, right)| left.len() != right.len()) {
        return Ok(false);
    }
    let names = names.iter().map(|name| (name, name));
    let lists = left.iter().zip(&right);
    let items = lists.flat_map(|(left, right)| left.iter().zip(*right));
    names
        .chain(items)
        .try_all(|(left, right)| comparison.same(left, right))
}

impl<'t> Comparison<'t> {
    /// Follows names to their values. Also returns whether it followed any.
    fn value(values: &Values<'t>, mut term: &'t Term) -> (&'t Term, bool) {
        let mut followed = 0;
        while let Term::Var(name) = term
            && let Some(&value) = values.get(&**name)
            && followed <= values.len()
        {
            if matches!(value, Term::Var(other) if other == name) {
                break;
            }
            term = value;
            followed += 1;
        }
        (term, followed > 0)
    }

    /// Returns the name of a variable. Each `_` is a new variable.
    fn name(&mut self, name: &'t str) -> Name<'t> {
        if name == "_" {
            self.singles += 1;
            return Name::Single(self.singles);
        }
        Name::Named(name)
    }

    /// Returns whether both sides are equal.
    fn same(&mut self, left: &'t Term, right: &'t Term) -> Result<bool, Stop> {
        let mut pending = vec![(left, right)];
        while let Some((left, right)) = pending.pop() {
            let (left, left_named) = Self::value(&self.left, left);
            let (right, right_named) = Self::value(&self.right, right);
            match (left, right) {
                (Term::Var(left), Term::Var(right)) => {
                    let (left, right) = (self.name(left), self.name(right));
                    self.there.make_room()?;
                    self.back.make_room()?;
                    let there = self
                        .there
                        .entry(left.clone())
                        .or_insert_with(|| right.clone());
                    let back = self
                        .back
                        .entry(right.clone())
                        .or_insert_with(|| left.clone());
                    if *there != right || *back != left {
                        return Ok(false);
                    }
                }
                (Term::Compound(left), Term::Compound(right)) => {
                    if left.name() != right.name() || left.arity() != right.arity() {
                        return Ok(false);
                    }
                    self.made += 1;
                    let shared =
                        self.made > FREE_COMPARISONS && left.is_shared() && right.is_shared();
                    let kept = left_named || right_named || shared;
                    if !kept || self.assumed.put_new((left.identity(), right.identity()))? {
                        push_args(&mut pending, left, right)?;
                    }
                }
                // NaN is equal to itself here.
                (Term::Float(left), Term::Float(right)) => {
                    if left.to_bits() != right.to_bits() {
                        return Ok(false);
                    }
                }
                _ if left == right => {}
                (Term::String(text), _) if is_read_as(self.quotes, text, right) => {}
                _ => return Ok(false),
            }
        }
        Ok(true)
    }
}

/// Returns whether the program reads a text in double quotes as this term.
fn is_read_as(quotes: Option<QuoteMode>, text: &str, term: &Term) -> bool {
    let is = |item: &Term, char: char| match (quotes, item) {
        (Some(QuoteMode::Chars), Term::Atom(name)) => name.chars().eq([char]),
        (Some(QuoteMode::Codes), Term::Integer(code)) => *code == i64::from(u32::from(char)),
        _ => false,
    };
    match (quotes, term) {
        (Some(QuoteMode::Atom), Term::Atom(name)) => **name == *text,
        (Some(QuoteMode::Chars | QuoteMode::Codes), _) => term.as_list().is_some_and(|items| {
            items.len() == text.chars().count()
                && items
                    .iter()
                    .zip(text.chars())
                    .all(|(item, char)| is(item, char))
        }),
        _ => false,
    }
}

fn push_args<'t>(
    pending: &mut Vec<(&'t Term, &'t Term)>,
    left: &'t Compound,
    right: &'t Compound,
) -> Result<(), Stop> {
    pending.put_all(left.args().iter().zip(right.args()).rev())
}

/// Returns whether `ball` is an instance of `pattern`. Variables of the pattern match any term.
pub(super) fn is_instance(ball: &Term, pattern: &Term) -> Result<bool, Stop> {
    let mut values: HashMap<&str, &Term> = HashMap::new();
    let mut pending = vec![(pattern, ball)];
    while let Some((pattern, term)) = pending.pop() {
        match (pattern, term) {
            (Term::Var(name), _) if &**name == "_" => {}
            (Term::Var(name), _) => {
                values.make_room()?;
                if *values.entry(name).or_insert(term) != term {
                    return Ok(false);
                }
            }
            (Term::Compound(pattern), Term::Compound(term)) => {
                if pattern.name() != term.name() || pattern.arity() != term.arity() {
                    return Ok(false);
                }
                push_args(&mut pending, pattern, term)?;
            }
            _ if pattern == term => {}
            _ => return Ok(false),
        }
    }
    Ok(true)
}

/// Returns whether both texts are equal except for the names of variables such as `_12` and `_G3`.
pub(super) fn same_output(left: &str, right: &str) -> bool {
    let (mut there, mut back) = (HashMap::new(), HashMap::new());
    let (mut left, mut right) = (left, right);
    let mut in_word = false;
    loop {
        let (l, r) = (left.chars().next(), right.chars().next());
        if l == Some('_') && r == l && !in_word {
            let (l_name, r_name) = (word(left), word(right));
            if *there.entry(l_name).or_insert(r_name) != r_name
                || *back.entry(r_name).or_insert(l_name) != l_name
            {
                return false;
            }
            left = &left[l_name.len()..];
            right = &right[r_name.len()..];
        } else if l != r {
            return false;
        } else if let Some(c) = l {
            in_word = c == '_' || c.is_alphanumeric();
            left = &left[c.len_utf8()..];
            right = &right[c.len_utf8()..];
        } else {
            return true;
        }
    }
}

/// Returns the letters, digits and underscores at the beginning of a text.
fn word(text: &str) -> &str {
    let end = text.find(|c: char| !(c == '_' || c.is_alphanumeric()));
    &text[..end.unwrap_or(text.len())]
}
