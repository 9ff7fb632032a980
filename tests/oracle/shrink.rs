//! Shrinks a case that shows a fault.

use crate::generate::Case;
use crate::parse::{self, Module};
use crate::term::{Term, apply, name};
use std::rc::Rc;
use std::time::{Duration, Instant};

/// Time for one case.
const LONGEST: Duration = Duration::from_secs(60);

/// A program and a query as terms.
#[derive(Clone)]
struct Parts {
    module: Option<Rc<Module>>,
    /// The clauses of the module, each with a flag for linear.
    clauses: Vec<(bool, Term)>,
    query: Term,
}

/// Returns the smallest case that can be made of `case` step by step while it still shows the fault.
pub(crate) fn shrunk(case: &Case, is_faulty: impl Fn(&Case) -> bool) -> Case {
    let module = case.module.as_deref().map(parse::module).map(Rc::new);
    let clauses = module.iter().flat_map(|module| &module.clauses);
    let mut parts = Parts {
        clauses: clauses
            .map(|clause| (clause.linear, clause.term.clone()))
            .collect(),
        module: module.clone(),
        query: parse::query(&case.query()).term,
    };
    let begun = Instant::now();
    if !is_faulty(&parts.case()) {
        return case.clone();
    }
    while let Some(smaller) = parts
        .smaller()
        .into_iter()
        .find(|smaller| begun.elapsed() < LONGEST && is_faulty(&smaller.case()))
    {
        parts = smaller;
    }
    parts.case()
}

impl Parts {
    fn case(&self) -> Case {
        Case {
            module: self.module.as_ref().map(|module| {
                let mut text = format!("MODULE {}", module.name);
                for param in &module.params {
                    text.push_str(&format!(" {param}"));
                }
                text.push_str(".\n");
                for local in &module.locals {
                    text.push_str(&format!("LOCAL {local}.\n"));
                }
                for (linear, clause) in &self.clauses {
                    let word = if *linear { "LINEAR " } else { "" };
                    text.push_str(&format!("{word}{}.\n", clause_text(clause)));
                }
                text
            }),
            before: String::new(),
            goal: text(&self.query),
        }
    }

    /// Returns smaller programs and queries, the greatest differences first.
    fn smaller(&self) -> Vec<Parts> {
        let mut found = Vec::new();
        for query in smaller(&self.query) {
            found.push(Parts {
                query,
                ..self.clone()
            });
        }
        for index in 0..self.clauses.len() {
            // A module has at least one clause.
            if self.clauses.len() > 1 {
                let mut less = self.clone();
                less.clauses.remove(index);
                found.insert(0, less);
            }
            for clause in smaller(&self.clauses[index].1) {
                let mut less = self.clone();
                less.clauses[index].1 = clause;
                found.push(less);
            }
        }
        if !self.query.mentions("gen") && self.module.is_some() {
            found.insert(
                0,
                Parts {
                    module: None,
                    clauses: Vec::new(),
                    query: self.query.clone(),
                },
            );
        }
        found
    }
}

/// Returns simpler terms.
fn smaller(term: &Term) -> Vec<Term> {
    let (head, arguments) = term.spine();
    let mut found = Vec::new();
    if arguments.is_empty() {
        if let Term::Bound(_) = head {
            found.push(name("a"));
        }
        return found;
    }
    if *term != name("true") {
        found.push(name("true"));
    }
    for argument in &arguments {
        found.push(match argument {
            Term::Lambda(_, body) => (**body).clone(),
            other => other.clone(),
        });
    }
    if let Term::Name(_) = head
        && arguments.len() > 1
        && !is_sign(&head)
    {
        let fewer = &arguments[..arguments.len() - 1];
        found.push(fewer.iter().cloned().fold(head.clone(), apply));
    }
    for (index, argument) in arguments.iter().enumerate() {
        let less: Vec<Term> = match argument {
            Term::Lambda(bound, body) => smaller(body)
                .into_iter()
                .map(|body| Term::Lambda(bound.clone(), Rc::new(body)))
                .collect(),
            other => smaller(other),
        };
        for argument in less {
            let mut changed = arguments.clone();
            changed[index] = argument;
            found.push(changed.into_iter().fold(head.clone(), apply));
        }
    }
    found
}

fn is_sign(head: &Term) -> bool {
    match head {
        Term::Name(name) => {
            matches!(&**name, "guard" | "forall" | "exists" | "bang")
                || !name.starts_with(|first: char| first.is_ascii_alphanumeric())
        }
        _ => false,
    }
}

impl Term {
    fn mentions(&self, wanted: &str) -> bool {
        match self {
            Term::Name(name) => **name == *wanted,
            Term::Apply(pair) => pair.0.mentions(wanted) || pair.1.mentions(wanted),
            Term::Lambda(_, body) => body.mentions(wanted),
            _ => false,
        }
    }
}

/// Returns a term as Lolli text.
fn text(term: &Term) -> String {
    let (head, arguments) = term.spine();
    if let Term::Name(sign) = &head {
        match (&**sign, arguments.as_slice()) {
            ("bang", [a]) => return format!("{{{}}}", text(a)),
            ("guard", [a, b, c]) => {
                return format!("{} -> {} | {}", inner(a), inner(b), inner(c));
            }
            ("forall" | "exists", [Term::Lambda(bound, body)]) => {
                return format!("{sign} {bound} \\ {}", inner(body));
            }
            (_, [a, b]) if is_sign(&head) => {
                return format!("{} {sign} {}", inner(a), inner(b));
            }
            _ => {}
        }
    }
    let mut text = atom(&head);
    for argument in &arguments {
        text.push(' ');
        text.push_str(&inner(argument));
    }
    text
}

/// Returns a clause as Lolli text, its head first.
fn clause_text(clause: &Term) -> String {
    let (head, arguments) = clause.spine();
    match (&head, arguments.as_slice()) {
        (Term::Name(sign), [body, head]) if **sign == *"-o" => {
            format!("{} :- {}", inner(head), inner(body))
        }
        (Term::Name(sign), [body, head]) if **sign == *"=>" => {
            format!("{} <= {}", inner(head), inner(body))
        }
        _ => text(clause),
    }
}

/// Returns the text of a term, in parentheses if it needs them.
fn inner(term: &Term) -> String {
    match term {
        Term::Apply(_) => format!("({})", text(term)),
        _ => atom(term),
    }
}

fn atom(term: &Term) -> String {
    match term {
        Term::Name(name) if **name == *"cut" => "!".to_owned(),
        Term::Name(name) | Term::Bound(name) => name.to_string(),
        Term::Int(value) => value.to_string(),
        Term::Text(text) => format!("\"{text}\""),
        Term::Apply(_) => inner(term),
        Term::Lambda(bound, body) => format!("({bound} \\ {})", text(body)),
        Term::Var(_) | Term::Eigen(_) => "!".to_owned(),
    }
}
