//! Domains of constrained variables as values of the host.

use super::conversions::{ConversionError, integer};
use super::solutions::Solution;
use super::term::Term;
use dashu_int::IBig;
use std::fmt;

/// An interval of integers. `None` means no bound.
type Interval = (Option<IBig>, Option<IBig>);

/// The domain of a constrained variable: a set of integers.
///
/// `fd_dom/2` of `library(clpfd)` returns such a domain as a term. [`Solution::domain`] returns the domain of a
/// variable in an answer, and `Domain::try_from` converts a term. The text of a domain is an argument for `in/2`.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Domain {
    /// The intervals in ascending order, with gaps between them.
    intervals: Vec<Interval>,
}

impl Domain {
    fn new(mut intervals: Vec<Interval>) -> Domain {
        intervals.retain(|(low, high)| {
            low.as_ref()
                .zip(high.as_ref())
                .is_none_or(|(low, high)| low <= high)
        });
        intervals.sort();
        intervals.dedup_by(|(low, high), (_, end)| {
            let touches = touches(end.as_ref(), low.as_ref());
            if touches && end.is_some() && (high.is_none() || *high > *end) {
                *end = high.take();
            }
            touches
        });
        Domain { intervals }
    }

    /// Returns the intervals of the domain in ascending order, each as its lowest and highest value. `None` means no
    /// bound.
    pub fn intervals(&self) -> impl Iterator<Item = (Option<Term>, Option<Term>)> + '_ {
        let term = |bound: &Option<IBig>| bound.clone().map(integer);
        self.intervals
            .iter()
            .map(move |(low, high)| (term(low), term(high)))
    }

    /// Returns the least value, or `None` if there is none.
    pub fn min(&self) -> Option<Term> {
        self.intervals.first()?.0.clone().map(integer)
    }

    /// Returns the greatest value, or `None` if there is none.
    pub fn max(&self) -> Option<Term> {
        self.intervals.last()?.1.clone().map(integer)
    }

    /// Returns the number of values, or `None` if it is infinite or does not fit.
    pub fn size(&self) -> Option<u64> {
        self.intervals.iter().try_fold(0u64, |size, (low, high)| {
            let width = high.as_ref()? - low.as_ref()? + IBig::ONE;
            size.checked_add(u64::try_from(width).ok()?)
        })
    }

    /// Returns whether the domain contains the value.
    pub fn contains(&self, value: i64) -> bool {
        let value = IBig::from(value);
        self.intervals.iter().any(|(low, high)| {
            low.as_ref().is_none_or(|low| *low <= value)
                && high.as_ref().is_none_or(|high| value <= *high)
        })
    }

    /// Returns the values in ascending order, or `None` if there are infinitely many or if a value does not fit.
    #[expect(
        clippy::disallowed_methods,
        reason = "the public interface fixes a signature without errors"
    )]
    pub fn values(&self) -> Option<impl Iterator<Item = i64> + use<>> {
        let narrow = |bound: &Option<IBig>| i64::try_from(bound.as_ref()?).ok();
        let intervals: Option<Vec<_>> = self
            .intervals
            .iter()
            .map(|(low, high)| Some(narrow(low)?..=narrow(high)?))
            .collect();
        Some(intervals?.into_iter().flatten())
    }
}

/// Returns whether an interval that begins at `low` continues one that ends at `end`.
fn touches(end: Option<&IBig>, low: Option<&IBig>) -> bool {
    match (end, low) {
        (Some(end), Some(low)) => *low <= end + IBig::ONE,
        _ => true,
    }
}

impl fmt::Display for Domain {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        if self.intervals.is_empty() {
            return f.write_str("1..0");
        }
        for (index, (low, high)) in self.intervals.iter().enumerate() {
            if index > 0 {
                f.write_str("\\/")?;
            }
            match low {
                Some(low) => write!(f, "{low}")?,
                None => f.write_str("inf")?,
            }
            if low.is_some() && low == high {
                continue;
            }
            match high {
                // Without the blank, `.. -` would be one operator.
                Some(high) if *high < IBig::ZERO => write!(f, ".. {high}")?,
                Some(high) => write!(f, "..{high}")?,
                None => f.write_str("..sup")?,
            }
        }
        Ok(())
    }
}

/// Returns an integer bound, or `Some(None)` for the name that means no bound.
fn bound(term: &Term, none: &str) -> Option<Option<IBig>> {
    match term {
        Term::Integer(value) => Some(Some(IBig::from(*value))),
        Term::BigInteger(value) => Some(Some(value.value().clone())),
        Term::Atom(name) if &**name == none => Some(None),
        _ => None,
    }
}

fn interval(term: &Term) -> Option<Interval> {
    if let Some(Some(value)) = bound(term, "") {
        return Some((Some(value.clone()), Some(value)));
    }
    let range = term.as_compound()?;
    match (range.name(), range.args()) {
        ("..", [low, high]) => Some((bound(low, "inf")?, bound(high, "sup")?)),
        _ => None,
    }
}

/// Converts a domain as `in/2` accepts it: an integer, `Low..High`, or `Domain\/Domain`.
impl TryFrom<&Term> for Domain {
    type Error = ConversionError;

    #[expect(
        clippy::disallowed_methods,
        reason = "conversions have no error for memory"
    )]
    fn try_from(term: &Term) -> Result<Domain, ConversionError> {
        let mut open = vec![term];
        let mut intervals = Vec::new();
        while let Some(term) = open.pop() {
            match term.as_compound().map(|parts| (parts.name(), parts.args())) {
                Some(("\\/", [left, right])) => open.extend([right, left]),
                _ => intervals.push(interval(term).ok_or(ConversionError::new("a domain"))?),
            }
        }
        Ok(Domain::new(intervals))
    }
}

/// Returns the variable and the domain of a residual goal `X in Domain`.
fn domain_goal(goal: &Term) -> Option<(&Term, &Term)> {
    let mut goal = goal.as_compound()?;
    while let (":", [_, inner]) = (goal.name(), goal.args()) {
        goal = inner.as_compound()?;
    }
    match (goal.name(), goal.args()) {
        ("in", [x, domain]) => match x.as_compound() {
            // The form of variables with the flag `clpfd_monotonic`.
            Some(marked) if marked.name() == "#" => Some((marked.args().first()?, domain)),
            _ => Some((x, domain)),
        },
        _ => None,
    }
}

impl Solution {
    /// Returns the domain of the variable `name` of the query. For an integer, the domain contains this integer. For a
    /// variable, it contains the values that the constraints of `library(clpfd)` have left. Returns `None` if the
    /// variable is unrestricted or if its value is not an integer.
    ///
    /// [`Solution::residual_goals`] contains the other constraints.
    ///
    /// ```
    /// use wamlet::Engine;
    ///
    /// # fn main() -> Result<(), wamlet::Error> {
    /// let mut engine = Engine::new()?;
    /// engine.query_once("use_module(library(clpfd))")?;
    /// let solution = engine.query_once("X in 1..9, X #> 4, X #\\= 7")?.expect("a solution");
    /// let domain = solution.domain("X").expect("a domain");
    /// assert_eq!(domain.to_string(), "5..6\\/8..9");
    /// assert_eq!(domain.values().expect("few values").collect::<Vec<_>>(), [5, 6, 8, 9]);
    /// # Ok(())
    /// # }
    /// ```
    pub fn domain(&self, name: &str) -> Option<Domain> {
        self.domain_of(self.get(name)?)
    }

    /// Returns the domain of a term of this answer, such as an element of a list: see [`Solution::domain`].
    pub fn domain_of(&self, term: &Term) -> Option<Domain> {
        if !term.is_var() {
            return Some(Domain::new(vec![
                interval(term).filter(|_| term.as_compound().is_none())?,
            ]));
        }
        let mut goals = self.residual_goals().iter().filter_map(domain_goal);
        let (_, domain) = goals.find(|(variable, _)| *variable == term)?;
        Domain::try_from(domain).ok()
    }
}
