//! Comparing an engine with the oracle.

use crate::generate::Case;
use crate::parse;
use crate::search::{self, End};

/// What an engine finds: for each answer the values of the query's variables, in the order in which
/// they first occur in it, as Lolli text. A variable stands for itself under any name, the same in
/// all values of an answer.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Found {
    /// The answers in order.
    pub(crate) answers: Vec<Vec<String>>,
    /// What came after them.
    pub(crate) end: End,
}

/// What the oracle finds, its values in the form that [`canonical`] gives.
pub(crate) fn oracle(case: &Case) -> Found {
    let modules: Vec<&str> = case.module.iter().map(String::as_str).collect();
    let found = search::ask(&modules, &case.query());
    Found {
        answers: found.answers.into_iter().map(|each| each.values).collect(),
        end: found.end,
    }
}

/// The values of an answer, in full parentheses and with variables in order of occurrence.
pub(crate) fn canonical<'a>(values: impl IntoIterator<Item = &'a str>) -> Vec<String> {
    let mut seen = Vec::new();
    values
        .into_iter()
        .map(|value| parse::query(value).term.written(&mut seen))
        .collect()
}

/// The same program with a goal that has an answer for each answer of the case after which
/// resources may be dropped: nothing else uses up the one that is added.
pub(crate) fn probe(case: &Case) -> Case {
    case.enclosed("probe -o ", "")
}

/// Where an engine and the oracle disagree about a case. The engine is asked twice, for the answers
/// and for those after which resources may be dropped, and gives as many answers as it is told at
/// most.
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
