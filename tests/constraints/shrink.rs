//! Shrinks a model that shows a fault.

use crate::model::Model;
use crate::term::Term;
use std::time::{Duration, Instant};

/// Time for one model.
const LONGEST: Duration = Duration::from_secs(30);

/// Returns the smallest model that can be made of `model` step by step while it still shows the fault.
pub(crate) fn shrunk(model: &Model, mut is_faulty: impl FnMut(&Model) -> bool) -> Model {
    let begun = Instant::now();
    let mut model = model.clone();
    while let Some(less) = smaller(&model)
        .into_iter()
        .find(|less| begun.elapsed() < LONGEST && is_faulty(less))
    {
        model = less;
    }
    model
}

/// Returns smaller models, the greatest differences first.
fn smaller(model: &Model) -> Vec<Model> {
    let mut found = Vec::new();
    for var in 0..model.domains.len() {
        if model.domains.len() > 1 && !uses(model, var) {
            found.push(without_variable(model, var));
        }
    }
    for index in 0..model.constraints.len() {
        let mut less = model.clone();
        less.constraints.remove(index);
        found.push(less);
    }
    for index in 0..model.options.len() {
        let mut less = model.clone();
        less.options.remove(index);
        found.push(less);
    }
    for (index, constraint) in model.constraints.iter().enumerate() {
        for simpler in simpler(constraint) {
            let mut less = model.clone();
            less.constraints[index] = simpler;
            found.push(less);
        }
    }
    for (var, domain) in model.domains.iter().enumerate() {
        for place in 0..domain.len() {
            if domain.len() > 1 {
                let mut less = model.clone();
                less.domains[var].remove(place);
                found.push(less);
            }
        }
    }
    found
}

fn uses(model: &Model, var: usize) -> bool {
    let terms = model.constraints.iter().chain(&model.options);
    terms.into_iter().any(|term| term.mentions(var))
}

fn without_variable(model: &Model, var: usize) -> Model {
    let number = |other: usize| if other > var { other - 1 } else { other };
    let all = |terms: &[Term]| terms.iter().map(|term| term.renumbered(&number)).collect();
    let mut domains = model.domains.clone();
    domains.remove(var);
    Model {
        domains,
        constraints: all(&model.constraints),
        options: all(&model.options),
    }
}

/// Returns simpler terms. Some may be no constraints.
fn simpler(term: &Term) -> Vec<Term> {
    let mut found = Vec::new();
    match term {
        Term::Int(value) => {
            for less in [0, value / 2, value - value.signum()] {
                // Only smaller values, so that 1 and 0 do not alternate.
                if less.abs() < value.abs() {
                    found.push(Term::Int(less));
                }
            }
        }
        Term::List(parts) => {
            for index in 0..parts.len() {
                let mut less = parts.clone();
                less.remove(index);
                found.push(Term::List(less));
            }
        }
        Term::Compound(_, parts) => found.extend(parts.iter().cloned()),
        Term::Var(_) | Term::Atom(_) => {}
    }
    let parts = term.parts();
    for (index, part) in parts.iter().enumerate() {
        for less in simpler(part) {
            let mut changed = parts.to_vec();
            changed[index] = less;
            found.push(term.with_parts(changed));
        }
    }
    // Two lists of a constraint may need the same length.
    let length = parts
        .iter()
        .map(|part| part.parts().len())
        .max()
        .unwrap_or(0);
    for index in 0..length {
        let without = |part: &Term| match part {
            Term::List(items) if index < items.len() => {
                let mut items = items.clone();
                items.remove(index);
                Term::List(items)
            }
            other => other.clone(),
        };
        found.push(term.with_parts(parts.iter().map(without).collect()));
    }
    found.retain(|less| less != term);
    found
}
