//! The oracle: a naive interpreter of Lolli that only defines its meaning. The context is a plain list
//! of clauses. The search is depth first, with a continuation for the rest of the proof after a goal.
//!
//! The original Lolli shows resources to goals that cannot use them: inside `{G}`, and in the second
//! half of `A & B`. The oracle does not. Only guards and side effects could show this difference.

use crate::bindings::{Bindings, Scope};
use crate::formula::{Formula, check_assumption, check_goal, formula};
use crate::parse::{self, Module};
use crate::term::{Term, apply, name, quantified};
use std::collections::BTreeMap;
use std::rc::Rc;

/// The state of a resource.
#[derive(Copy, Clone, Debug, PartialEq, Eq)]
enum State {
    /// The resource may be used.
    Free,
    /// The resource was used.
    Used,
    /// The resource exists, but the current goal cannot use it.
    Hidden,
}

/// A clause in the context.
#[derive(Clone)]
struct Resource {
    clause: Term,
    /// Whether the clause must be used exactly once.
    linear: bool,
    state: State,
}

/// The clauses that can be used, the newest last.
type Context = Rc<Vec<Resource>>;

/// The reason why the search ends early.
enum Stop {
    /// The search has taken too many steps.
    Budget,
    /// The program has an error.
    Error(String),
    /// The caller needs no more answers.
    Enough,
}

type Outcome = Result<(), Stop>;
/// The continuation after a goal. Its arguments are the context that the goal left, and whether the rest
/// of that context may be dropped.
type Then<'a> = &'a mut dyn FnMut(&mut Search<'_>, &Context, bool) -> Outcome;

struct Search<'m> {
    bindings: Bindings,
    modules: &'m BTreeMap<Rc<str>, Module>,
    steps: usize,
}

/// One answer of a query.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Answer {
    /// The value of each variable of the query, in full parentheses.
    pub(crate) values: Vec<String>,
    /// Whether remaining resources may be dropped.
    pub(crate) erased: bool,
}

/// The end of a query.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum End {
    /// There are no more answers.
    Exhausted,
    /// The search stopped early, so there may be more answers.
    Budget,
    /// The query ended with an error.
    Error,
}

/// The answers of a query that were found.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Answers {
    /// The answers in order.
    pub(crate) answers: Vec<Answer>,
    /// The end of the query, after the answers.
    pub(crate) end: End,
    /// The text of the error.
    pub(crate) error: Option<String>,
}

/// Maximum number of goals and clauses that a query tries.
pub(crate) const BUDGET: usize = 4000;
/// Maximum number of answers.
pub(crate) const LIMIT: usize = 60;

/// Returns the answers of a query, which may load these modules.
pub(crate) fn ask(modules: &[&str], query: &str) -> Answers {
    let modules: BTreeMap<Rc<str>, Module> = modules
        .iter()
        .map(|text| parse::module(text))
        .map(|module| (module.name.clone(), module))
        .collect();
    let query = parse::query(query);
    let mut search = Search {
        bindings: Bindings::default(),
        modules: &modules,
        steps: 0,
    };
    let scope = Scope::default();
    let mut goal = query.term;
    let mut vars = Vec::new();
    for var in &query.vars {
        let new = search.bindings.new_var(&scope);
        goal = goal.substitute(var, &new);
        vars.push(new);
    }
    let mut answers = Vec::new();
    let mut found = |search: &mut Search<'_>, _: &Context, erased: bool| {
        if !vars.iter().all(|var| search.bindings.is_small(var)) {
            return Err(Stop::Budget);
        }
        let mut seen = Vec::new();
        let values = vars
            .iter()
            .map(|var| search.bindings.value(var).written(&mut seen))
            .collect();
        answers.push(Answer { values, erased });
        if answers.len() >= LIMIT {
            return Err(Stop::Enough);
        }
        Ok(())
    };
    let outcome = check_goal(&search.bindings, &goal)
        .map_err(Stop::Error)
        .and_then(|()| search.solve(&goal, &Context::default(), &scope, &mut found));
    let (end, error) = match outcome {
        Ok(()) => (End::Exhausted, None),
        Err(Stop::Budget | Stop::Enough) => (End::Budget, None),
        Err(Stop::Error(error)) => (End::Error, Some(error)),
    };
    Answers {
        answers,
        end,
        error,
    }
}

fn with(context: &Context, change: impl FnOnce(&mut Vec<Resource>)) -> Context {
    let mut changed = (**context).clone();
    change(&mut changed);
    Rc::new(changed)
}

/// Quantifies the clause over its variables.
fn closed(clause: Term, vars: &[Rc<str>]) -> Term {
    vars.iter()
        .rev()
        .fold(clause, |clause, var| quantified("forall", var, clause))
}

impl Search<'_> {
    fn step(&mut self) -> Outcome {
        self.steps += 1;
        if self.steps > BUDGET {
            return Err(Stop::Budget);
        }
        Ok(())
    }

    /// Proves `goal` in all ways, one after the other, and calls `then` for each.
    fn solve(&mut self, goal: &Term, context: &Context, scope: &Scope, then: Then<'_>) -> Outcome {
        self.step()?;
        match formula(&self.bindings, goal) {
            Formula::True => then(self, context, false),
            Formula::Erase => then(self, context, true),
            Formula::Bang(inner) => self.bang(&inner, context, scope, then),
            Formula::Tensor(a, b) => self.solve(&a, context, scope, &mut |search, left, first| {
                search.solve(&b, left, scope, &mut |search, left, second| {
                    then(search, left, first || second)
                })
            }),
            Formula::With(a, b) => self.with(&a, &b, context, scope, then),
            Formula::Plus(a, b) => {
                self.alternative(|search| search.solve(&a, context, scope, then))?;
                self.alternative(|search| search.solve(&b, context, scope, then))
            }
            Formula::Linear(assumed, goal) => {
                let resources = self.resources(&assumed, true)?;
                self.under(resources, &goal, context, scope, then)
            }
            Formula::Intuitionistic(assumed, goal) => {
                let resources = self.resources(&assumed, false)?;
                self.under(resources, &goal, context, scope, then)
            }
            Formula::Load(module, goal) => self.load(&module, &goal, context, scope, then),
            Formula::Guard(test, yes, no) => {
                self.alternative(|search| search.guard([&test, &yes, &no], context, scope, then))
            }
            Formula::Forall(bound, body) => {
                let (eigen, inner) = self.bindings.new_eigen(scope);
                self.solve(&body.substitute(&bound, &eigen), context, &inner, then)
            }
            Formula::Exists(bound, body) => {
                let var = self.bindings.new_var(scope);
                self.solve(&body.substitute(&bound, &var), context, scope, then)
            }
            Formula::Atom(atom) => self.alternative(|search| match search.builtin(&atom)? {
                Some(true) => then(search, context, false),
                Some(false) => Ok(()),
                None => search.atom(&atom, context, scope, then),
            }),
            Formula::Flexible => Err(Stop::Error("unbound variable as goal".to_owned())),
            Formula::None => Err(Stop::Error("no goal".to_owned())),
        }
    }

    /// Tries `alternative` completely, then undoes its bindings.
    fn alternative(&mut self, alternative: impl FnOnce(&mut Self) -> Outcome) -> Outcome {
        let mark = self.bindings.mark();
        alternative(self)?;
        self.bindings.undo(mark);
        Ok(())
    }

    /// Proves `{goal}`: without linear resources.
    fn bang(&mut self, goal: &Term, context: &Context, scope: &Scope, then: Then<'_>) -> Outcome {
        let visible = with(context, |resources| {
            for resource in resources.iter_mut().filter(|each| each.linear) {
                resource.state = State::Hidden;
            }
        });
        self.solve(goal, &visible, scope, &mut |search, _, _| {
            then(search, context, false)
        })
    }

    /// Proves `a & b`: both use the same resources.
    fn with(
        &mut self,
        a: &Term,
        b: &Term,
        context: &Context,
        scope: &Scope,
        then: Then<'_>,
    ) -> Outcome {
        self.solve(a, context, scope, &mut |search, first, first_erased| {
            // If the first half may drop nothing, the second half can use only the same resources.
            let visible = with(context, |resources| {
                for (resource, after) in resources.iter_mut().zip(first.iter()) {
                    if resource.state == State::Free
                        && resource.linear
                        && after.state == State::Free
                        && !first_erased
                    {
                        resource.state = State::Hidden;
                    }
                }
            });
            search.solve(b, &visible, scope, &mut |search, second, second_erased| {
                let both = first_erased && second_erased;
                let mut agreed = true;
                let left = with(context, |resources| {
                    let halves = first.iter().zip(second.iter());
                    for (resource, (first, second)) in resources.iter_mut().zip(halves) {
                        if !resource.linear || resource.state != State::Free {
                            continue;
                        }
                        let used = (first.state == State::Used, second.state == State::Used);
                        // If only one half used a resource, the other half must be allowed to drop it.
                        agreed &= match used {
                            (true, false) => second_erased,
                            (false, true) => first_erased,
                            _ => true,
                        };
                        if used.0 || used.1 {
                            resource.state = State::Used;
                        }
                    }
                });
                if agreed {
                    then(search, &left, both)
                } else {
                    Ok(())
                }
            })
        })
    }

    /// Proves `test -> yes | no`: only the first solution of the test counts.
    fn guard(
        &mut self,
        [test, yes, no]: [&Term; 3],
        context: &Context,
        scope: &Scope,
        then: Then<'_>,
    ) -> Outcome {
        let mut first = None;
        let outcome = self.solve(test, context, scope, &mut |_, left, erased| {
            first = Some((left.clone(), erased));
            Err(Stop::Enough)
        });
        match (outcome, first) {
            (Err(Stop::Enough), Some((left, tested))) => {
                self.solve(yes, &left, scope, &mut |search, left, erased| {
                    then(search, left, tested || erased)
                })
            }
            (Err(stop), _) => Err(stop),
            (Ok(()), _) => self.solve(no, context, scope, then),
        }
    }

    /// Returns the resources of a formula on the left of an implication, in textual order.
    fn resources(&self, assumed: &Term, linear: bool) -> Result<Vec<Resource>, Stop> {
        check_assumption(&self.bindings, assumed, linear, true).map_err(Stop::Error)?;
        let mut found = Vec::new();
        self.collect(assumed, linear, &mut found);
        Ok(found)
    }

    fn collect(&self, assumed: &Term, linear: bool, found: &mut Vec<Resource>) {
        match formula(&self.bindings, assumed) {
            Formula::True => {}
            Formula::Bang(clause) => self.collect(&clause, false, found),
            Formula::Tensor(a, b) => {
                self.collect(&a, linear, found);
                self.collect(&b, linear, found);
            }
            _ => found.push(Resource {
                clause: assumed.clone(),
                linear,
                state: State::Free,
            }),
        }
    }

    /// Proves `goal` with these resources, which the goal must then have used or be allowed to drop.
    fn under(
        &mut self,
        resources: Vec<Resource>,
        goal: &Term,
        context: &Context,
        scope: &Scope,
        then: Then<'_>,
    ) -> Outcome {
        let outside = context.len();
        let extended = with(context, |all| all.extend(resources.into_iter().rev()));
        self.solve(goal, &extended, scope, &mut |search, left, erased| {
            let all_used = left[outside..]
                .iter()
                .all(|each| !each.linear || each.state == State::Used);
            if !all_used && !erased {
                return Ok(());
            }
            let left = with(left, |all| all.truncate(outside));
            then(search, &left, erased)
        })
    }

    /// Proves `module --o goal`.
    fn load(
        &mut self,
        wanted: &Term,
        goal: &Term,
        context: &Context,
        scope: &Scope,
        then: Then<'_>,
    ) -> Outcome {
        let modules = self.modules;
        let wanted = self.bindings.resolved_head(wanted);
        let Term::Name(module_name) = wanted.spine().0 else {
            return Err(Stop::Error("no module name".to_owned()));
        };
        let Some(module) = modules.get(&module_name) else {
            return Err(Stop::Error("no such module".to_owned()));
        };
        let mut declared = name(&module.name);
        let mut meanings = Vec::new();
        for param in &module.params {
            let var = self.bindings.new_var(scope);
            declared = apply(declared, var.clone());
            meanings.push((param, var));
        }
        let mut inner = scope.clone();
        for local in &module.locals {
            let (eigen, next) = self.bindings.new_eigen(&inner);
            meanings.push((local, eigen));
            inner = next;
        }
        let mut resources = Vec::new();
        for clause in &module.clauses {
            let mut term = clause.term.clone();
            for (bound, value) in &meanings {
                term = term.substitute(bound, value);
            }
            let term = match (clause.linear, formula(&self.bindings, &term)) {
                (false, _) => apply(name("bang"), closed(term, &clause.vars)),
                (true, Formula::Bang(inner)) => apply(name("bang"), closed(inner, &clause.vars)),
                // The parts share the values of their common variables.
                (true, Formula::Tensor(..)) => clause.vars.iter().fold(term, |term, var| {
                    let value = self.bindings.new_var(&inner);
                    term.substitute(var, &value)
                }),
                (true, _) => closed(term, &clause.vars),
            };
            resources.append(&mut self.resources(&term, true)?);
        }
        self.alternative(|search| match search.unify(&declared, &wanted)? {
            true => search.under(resources, goal, context, &inner, then),
            false => Ok(()),
        })
    }

    /// Tries every clause, the newest first.
    fn atom(&mut self, atom: &Term, context: &Context, scope: &Scope, then: Then<'_>) -> Outcome {
        for index in (0..context.len()).rev() {
            let resource = &context[index];
            if resource.linear && resource.state != State::Free {
                continue;
            }
            let left = match resource.linear {
                true => with(context, |all| all[index].state = State::Used),
                false => context.clone(),
            };
            self.backchain(&resource.clause, Vec::new(), atom, &left, scope, then)?;
        }
        Ok(())
    }

    /// Proves `atom` by a clause, then proves `bodies`, the last one first.
    fn backchain(
        &mut self,
        clause: &Term,
        mut bodies: Vec<Term>,
        atom: &Term,
        context: &Context,
        scope: &Scope,
        then: Then<'_>,
    ) -> Outcome {
        match formula(&self.bindings, clause) {
            Formula::With(a, b) => {
                self.backchain(&a, bodies.clone(), atom, context, scope, then)?;
                self.backchain(&b, bodies, atom, context, scope, then)
            }
            Formula::Forall(bound, clause) => {
                let var = self.bindings.new_var(scope);
                let clause = clause.substitute(&bound, &var);
                self.backchain(&clause, bodies, atom, context, scope, then)
            }
            Formula::Linear(body, clause) => {
                bodies.push(body);
                self.backchain(&clause, bodies, atom, context, scope, then)
            }
            Formula::Intuitionistic(body, clause) => {
                bodies.push(apply(name("bang"), body));
                self.backchain(&clause, bodies, atom, context, scope, then)
            }
            Formula::Atom(head) => {
                self.step()?;
                self.alternative(|search| match search.unify(&head, atom)? {
                    true => search.bodies(&bodies, context, scope, false, then),
                    false => Ok(()),
                })
            }
            _ => Err(Stop::Error("no clause".to_owned())),
        }
    }

    fn bodies(
        &mut self,
        bodies: &[Term],
        context: &Context,
        scope: &Scope,
        erased: bool,
        then: Then<'_>,
    ) -> Outcome {
        match bodies.split_last() {
            None => then(self, context, erased),
            Some((body, rest)) => self.solve(body, context, scope, &mut |search, left, more| {
                search.bodies(rest, left, scope, erased || more, then)
            }),
        }
    }

    /// Returns whether a predicate of the system holds; `None` if the atom is no such predicate.
    fn builtin(&mut self, atom: &Term) -> Result<Option<bool>, Stop> {
        let (head, arguments) = atom.spine();
        let Term::Name(head) = head else {
            return Ok(None);
        };
        Ok(Some(match (&*head, arguments.as_slice()) {
            ("fail", []) => false,
            ("=", [a, b]) => self.unify(a, b)?,
            ("is", [a, b]) => {
                let value = Term::Int(self.integer(b)?);
                self.unify(a, &value)?
            }
            ("var", [a]) => matches!(self.bindings.resolved(a), Term::Var(_)),
            ("nonvar", [a]) => !matches!(self.bindings.resolved(a), Term::Var(_)),
            (sign @ ("=:=" | "=\\=" | "<" | ">" | "=<" | ">="), [a, b]) => {
                let (a, b) = (self.integer(a)?, self.integer(b)?);
                match sign {
                    "=:=" => a == b,
                    "=\\=" => a != b,
                    "<" => a < b,
                    ">" => a > b,
                    "=<" => a <= b,
                    _ => a >= b,
                }
            }
            _ => return Ok(None),
        }))
    }

    fn unify(&mut self, a: &Term, b: &Term) -> Result<bool, Stop> {
        let unified = self.bindings.unify(a, b).map_err(Stop::Error);
        if self.bindings.is_exhausted() {
            return Err(Stop::Budget);
        }
        unified
    }

    fn integer(&self, term: &Term) -> Result<i64, Stop> {
        let no_integer = || Stop::Error("no integer".to_owned());
        match self.bindings.value(term) {
            Term::Int(value) => Ok(value),
            term => {
                let (head, arguments) = term.spine();
                let (Term::Name(sign), [a, b]) = (head, arguments.as_slice()) else {
                    return Err(no_integer());
                };
                let (a, b) = (self.integer(a)?, self.integer(b)?);
                match &*sign {
                    "+" => Ok(a + b),
                    "-" => Ok(a - b),
                    "*" => Ok(a * b),
                    // Rounds towards the lesser integer.
                    "/" if b > 0 => Ok(a.div_euclid(b)),
                    "/" if b < 0 => Ok((-a).div_euclid(-b)),
                    _ => Err(no_integer()),
                }
            }
        }
    }
}
