//! Compares an engine with the oracle.

use crate::generate::Case;
use crate::parse;
use crate::search::{self, End};

/// The results of an engine. Each answer has the values of the query's variables as Lolli text, in the
/// order of their first occurrence in the query. An unbound variable may have any name, but the same in
/// all values of an answer.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Found {
    /// The answers in order.
    pub(crate) answers: Vec<Vec<String>>,
    /// The end of the query, after the answers.
    pub(crate) end: End,
}

/// Returns the results of the oracle, with values in the form of [`canonical`].
pub(crate) fn oracle(case: &Case) -> Found {
    let modules: Vec<&str> = case.module.iter().map(String::as_str).collect();
    let found = search::ask(&modules, &case.query());
    Found {
        answers: found.answers.into_iter().map(|each| each.values).collect(),
        end: found.end,
    }
}

/// Returns the values of an answer, in full parentheses and with variables in order of occurrence.
pub(crate) fn canonical<'a>(values: impl IntoIterator<Item = &'a str>) -> Vec<String> {
    let mut seen = Vec::new();
    values
        .into_iter()
        .map(|value| parse::query(value).term.written(&mut seen))
        .collect()
}

/// Returns the same program with another goal. This goal has an answer for each answer of the case that
/// may drop resources, because it adds a resource that nothing else consumes.
pub(crate) fn probe(case: &Case) -> Case {
    case.enclosed("probe -o ", "")
}

/// Returns a difference between an engine and the oracle, if there is one. The engine runs two queries:
/// for all answers, and for those that may drop resources. It gives at most as many answers as its
/// second argument says.
pub(crate) fn disagreement(case: &Case, engine: impl Fn(&Case, usize) -> Found) -> Option<String> {
    [case.clone(), probe(case)].iter().find_map(|case| {
        let wanted = oracle(case);
        let (limit, open) = match wanted.end {
            End::Budget => (wanted.answers.len(), true),
            End::Exhausted | End::Error => (wanted.answers.len() + 1, false),
        };
        if limit == 0 {
            return None;
        }
        let got = engine(case, limit);
        let answers: Vec<Vec<String>> = got
            .answers
            .iter()
            .map(|values| canonical(values.iter().map(String::as_str)))
            .collect();
        let ended = open || got.end == wanted.end;
        (answers != wanted.answers || !ended).then(|| {
            format!(
                "{}?- {}.\n  the oracle: {:?} {:?}\n  the engine: {answers:?} {:?}\n",
                case.module.as_deref().unwrap_or_default(),
                case.query(),
                wanted.answers,
                wanted.end,
                got.end
            )
        })
    })
}
