//! Models: variables with domains, constraints, and options of labeling.

use crate::meaning::{holds, value};
use crate::term::{Term, names};

/// Maximum number of assignments that are tried for the solutions of a model.
const ASSIGNMENTS: usize = 1500;

/// A model. The domains are finite, sorted and not empty.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct Model {
    pub(crate) domains: Vec<Vec<i128>>,
    pub(crate) constraints: Vec<Term>,
    /// Options of labeling.
    pub(crate) options: Vec<Term>,
}

/// A way to query the solutions of a model.
#[derive(Copy, Clone, Debug, PartialEq, Eq)]
pub(crate) enum Way {
    /// Domains, constraints, labeling.
    Posted,
    /// Domains, labeling, constraints: generate and test.
    Labeled,
    /// Constraints on wide domains, then the domains, labeling.
    Late,
    /// Domains, some constraints, labeling of one variable, the other constraints, labeling.
    Between,
    /// As `Posted`, but a copy is labeled.
    Copied,
    /// As `Posted`, but the suspended goals are posted on other variables, which are labeled.
    Residual,
    /// As `Posted`, with the options of the model.
    Options,
}

impl Way {
    pub(crate) const ALL: &[Way] = &[
        Way::Posted,
        Way::Labeled,
        Way::Late,
        Way::Between,
        Way::Copied,
        Way::Residual,
        Way::Options,
    ];
}

impl Model {
    /// Returns the solutions in lexical order; `None` if the meaning of a constraint is not known.
    pub(crate) fn solutions(&self) -> Option<Vec<Vec<i128>>> {
        let sizes = self.domains.iter().map(Vec::len);
        if sizes.product::<usize>() > ASSIGNMENTS || self.domains.iter().any(Vec::is_empty) {
            return None;
        }
        let mut found = Vec::new();
        let mut places = vec![0; self.domains.len()];
        loop {
            let pairs = self.domains.iter().zip(&places);
            let values: Vec<i128> = pairs.map(|(domain, place)| domain[*place]).collect();
            let mut all = true;
            for constraint in &self.constraints {
                all &= holds(constraint, &values)?;
            }
            if all {
                self.rank(&values)?;
                found.push(values);
            }
            let Some(next) =
                (0..places.len()).rfind(|var| places[*var] + 1 < self.domains[*var].len())
            else {
                return Some(found);
            };
            places[next] += 1;
            places[next + 1..].fill(0);
        }
    }

    /// Returns the values of the options min and max, by which solutions are sorted.
    pub(crate) fn rank(&self, values: &[i128]) -> Option<Vec<i128>> {
        let mut ranks = Vec::new();
        for option in &self.options {
            match option {
                Term::Compound("min", parts) => ranks.push(value(&parts[0], values).ok()?),
                Term::Compound("max", parts) => {
                    ranks.push(value(&parts[0], values).ok()?.checked_neg()?)
                }
                _ => {}
            }
        }
        Some(ranks)
    }

    /// Returns whether all integers are small, so that no propagation takes long.
    pub(crate) fn is_small(&self) -> bool {
        let small = |value: &i128| value.abs() < 1 << 20;
        self.domains.iter().flatten().all(small)
            && self.constraints.iter().all(|term| small_in(term, &small))
    }

    /// Returns the goal whose solutions are those of the model.
    pub(crate) fn goal(&self, way: Way) -> String {
        let vars = names(self.domains.len());
        let label = format!("label({vars})");
        let domains = self.domains.iter().enumerate().map(|(var, domain)| {
            let set = domain_term(domain);
            Term::binary("in", Term::Var(var), set).to_string()
        });
        let posts = self.constraints.iter().map(Term::to_string);
        let goals: Vec<String> = match way {
            Way::Posted => domains.chain(posts).chain([label]).collect(),
            Way::Labeled => domains.chain([label]).chain(posts).collect(),
            Way::Late => {
                // A truth value must have the domain 0..1 when its constraint is posted.
                let wide = self.domains.iter().enumerate().map(|(var, domain)| {
                    let truth = domain.iter().all(|value| (0..=1).contains(value));
                    let set = if truth { "0..1" } else { "-50..50" };
                    format!("{} in {set}", Term::Var(var))
                });
                let wide: Vec<String> = wide.collect();
                wide.into_iter()
                    .chain(posts)
                    .chain(domains)
                    .chain([label])
                    .collect()
            }
            Way::Between => {
                let half = self.constraints.len() / 2;
                let first = posts.clone().take(half);
                let label_one = "label([A])".to_owned();
                let goals = domains.chain(first).chain([label_one]);
                goals.chain(posts.skip(half)).chain([label]).collect()
            }
            Way::Copied => {
                let copied = format!("copy_term({vars}, Copy), label(Copy)");
                domains.chain(posts).chain([copied]).collect()
            }
            Way::Residual => {
                let copied =
                    format!("copy_term({vars}, Copy, Goals), maplist(call, Goals), label(Copy)");
                domains.chain(posts).chain([copied]).collect()
            }
            Way::Options => {
                let options = Term::List(self.options.clone());
                let label = format!("labeling({options}, {vars})");
                domains.chain(posts).chain([label]).collect()
            }
        };
        goals.join(", ")
    }

    /// Returns the query that collects the solutions as `L`.
    pub(crate) fn query(&self, way: Way) -> String {
        let shown = match way {
            Way::Copied | Way::Residual => "Copy".to_owned(),
            _ => names(self.domains.len()).to_string(),
        };
        format!("findall({shown}, ({}), L)", self.goal(way))
    }
}

fn small_in(term: &Term, small: &impl Fn(&i128) -> bool) -> bool {
    match term {
        Term::Int(value) => small(value),
        other => other.parts().iter().all(|part| small_in(part, small)),
    }
}

/// Returns the domain of these sorted values.
pub(crate) fn domain_term(values: &[i128]) -> Term {
    let next = |pair: &[i128]| pair[1].checked_sub(pair[0]) == Some(1);
    let runs = values
        .chunk_by(|a, b| next(&[*a, *b]))
        .map(|run| match run {
            [only] => Term::Int(*only),
            _ => Term::binary("..", Term::Int(run[0]), Term::Int(run[run.len() - 1])),
        });
    runs.reduce(|left, right| Term::binary("\\/", left, right))
        .unwrap_or_else(|| Term::binary("..", Term::Int(1), Term::Int(0)))
}
