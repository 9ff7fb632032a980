//! The cases of each predicate. The manual names its arguments, with their modes; `values.txt` has values for
//! each name. A predicate is called with some values of the right type, with all arguments unbound, and with
//! each hard value in turn for one argument. `skipped.txt` lists the predicates that are not called.

use std::collections::{BTreeSet, HashMap};

/// The manual: the documented predicates, each with the names of its arguments.
const MANUAL: &str = include_str!("../../docs/builtins.md");
const VALUES: &str = include_str!("values.txt");
const SKIPPED: &str = include_str!("skipped.txt");

/// Number of cases with values of the right types.
const PLAIN: usize = 10;
/// From this arity on, the tests use only the first hard values.
const MANY: usize = 5;
/// Number of those first hard values.
const FEW: usize = 4;

/// A goal, and the goal that makes its arguments.
pub(crate) struct Case {
    pub(crate) setup: String,
    pub(crate) goal: String,
}

impl Case {
    /// Returns both goals as a query.
    pub(crate) fn query(&self) -> String {
        match self.setup.as_str() {
            "true" => self.goal.clone(),
            setup => format!("{setup}, {}", self.goal),
        }
    }
}

pub(crate) struct Predicate {
    pub(crate) name: String,
    /// The mode and the name of each argument.
    pub(crate) arguments: Vec<String>,
    pub(crate) cases: Vec<Case>,
}

impl Predicate {
    pub(crate) fn quoted_name(&self) -> String {
        format!("'{}'", self.name.replace('\\', "\\\\"))
    }

    pub(crate) fn indicator(&self) -> String {
        format!("{}/{}", self.name, self.arguments.len())
    }
}

/// A section of the manual: a library, or the predicates that need no library.
pub(crate) struct Library {
    pub(crate) name: String,
    pub(crate) predicates: Vec<Predicate>,
}

impl Library {
    /// Returns the libraries that the cases need.
    pub(crate) fn loads(&self) -> Vec<&str> {
        let mut loads = vec![self.name.as_str()];
        if self.name == "dcg/high_order" {
            loads.push("dcg/basics");
        }
        loads.retain(|name| !name.starts_with("Native"));
        loads
    }
}

/// The values by section and argument name. A section of `values.txt` is a library, a predicate or `*`.
type Values = HashMap<&'static str, HashMap<&'static str, Vec<&'static str>>>;

fn lines(text: &'static str) -> impl Iterator<Item = &'static str> {
    text.lines()
        .filter(|line| !line.starts_with('%') && !line.is_empty())
}

fn values() -> Values {
    let mut all = Values::new();
    let mut section = "*";
    for line in lines(VALUES) {
        if let Some(name) = line
            .strip_prefix('[')
            .and_then(|line| line.strip_suffix(']'))
        {
            section = name;
        } else if let Some((word, values)) = line.split_once(" = ") {
            let values = values.split(" ;; ").map(str::trim).collect();
            all.entry(section).or_default().insert(word, values);
        }
    }
    all
}

/// Returns the predicates of the manual by library, with their cases.
pub(crate) fn libraries() -> Vec<Library> {
    let values = values();
    let mut skipped: BTreeSet<&str> = lines(SKIPPED)
        .map(|line| line.split_once(": ").expect("each has a reason").0)
        .collect();
    let mut all: Vec<Library> = Vec::new();
    for line in MANUAL.lines() {
        if let Some(name) = line.strip_prefix("## ") {
            all.push(Library {
                name: name.trim().to_owned(),
                predicates: Vec::new(),
            });
        }
        let Some(library) = all.last_mut() else {
            continue;
        };
        if !line.starts_with('`') || line.starts_with("```") {
            continue;
        }
        for head in line.split('`').skip(1).step_by(2) {
            let mut predicate = read_head(head);
            let indicator = predicate.indicator();
            let known = library.predicates.iter();
            let known = known.map(Predicate::indicator).any(|one| one == indicator);
            if skipped.remove(indicator.as_str())
                || known
                || predicate.arguments.is_empty()
                || skipped.contains(library.name.as_str())
            {
                continue;
            }
            predicate.cases = cases(&predicate, &library.name, &values);
            library.predicates.push(predicate);
        }
    }
    all.retain(|library| !library.predicates.is_empty());
    all
}

fn read_head(head: &str) -> Predicate {
    let (head, of_grammar) = match head.strip_suffix("//") {
        Some(head) => (head, true),
        None => (head, false),
    };
    let inner = head.strip_suffix(')').and_then(|head| head.split_once('('));
    let (name, arguments) = match inner {
        Some((name, arguments)) if !name.is_empty() => (name, arguments),
        _ => (head, ""),
    };
    let mut arguments: Vec<String> = arguments
        .split(", ")
        .filter(|argument| !argument.is_empty())
        .map(|argument| argument.trim_end_matches("...").to_owned())
        .collect();
    if of_grammar {
        arguments.extend(["+Text//".to_owned(), "-Rest".to_owned()]);
    }
    Predicate {
        name: name.trim_matches('\'').to_owned(),
        arguments,
        cases: Vec::new(),
    }
}

/// Returns the values of an argument: those for its name in the sections of the predicate, of its library, and
/// `*`.
fn plain<'a>(
    predicate: &Predicate,
    library: &str,
    argument: &str,
    values: &'a Values,
) -> &'a [&'static str] {
    let word = argument.trim_start_matches(['+', '-', '?', ':', '@', '!']);
    let short = word.trim_end_matches(|one: char| one.is_ascii_digit());
    let indicator = predicate.indicator();
    for section in [indicator.as_str(), library, "*"] {
        let of_section = values.get(section);
        let found = [word, short].iter().find_map(|word| of_section?.get(*word));
        if let Some(found) = found {
            return found;
        }
    }
    &values["*"]["term"]
}

fn cases(predicate: &Predicate, library: &str, values: &Values) -> Vec<Case> {
    let arity = predicate.arguments.len();
    let plain: Vec<&[&str]> = predicate
        .arguments
        .iter()
        .map(|argument| plain(predicate, library, argument, values))
        .collect();
    // Takes a value for each argument in turn, in changing combinations. Output arguments are mostly unbound.
    let chosen = |turn: usize| -> Vec<String> {
        (0..arity)
            .map(|at| {
                let all = plain[at];
                let is_out = predicate.arguments[at].starts_with('-');
                match is_out && turn % 4 != 3 {
                    true => format!("V{at}"),
                    false => all[(turn + at * (turn / all.len())) % all.len()].to_owned(),
                }
            })
            .collect()
    };
    let mut all: Vec<Vec<String>> = (0..PLAIN).map(chosen).collect();
    all.push((0..arity).map(|at| format!("V{at}")).collect());
    let mut turn = 0;
    for at in 0..arity {
        let argument = &predicate.arguments[at];
        let kind = if argument.starts_with(':') {
            "hard goal"
        } else {
            "hard"
        };
        let hard = &values["*"][kind];
        let few = if arity >= MANY { FEW } else { hard.len() };
        for value in &hard[..few] {
            let mut arguments = chosen(turn);
            // The first values of the right type show most.
            turn = (turn + 1) % 4;
            arguments[at] = (*value).to_owned();
            all.push(arguments);
        }
    }
    let mut seen = BTreeSet::new();
    let cases = all.into_iter().map(|arguments| case(predicate, &arguments));
    cases.filter(|case| seen.insert(case.query())).collect()
}

/// Returns a case. In an argument `Value <- Goal`, the goal makes the value. Each argument has its own
/// variables `T` and `V`.
fn case(predicate: &Predicate, arguments: &[String]) -> Case {
    let (mut setups, mut shown) = (Vec::new(), Vec::new());
    for (at, argument) in arguments.iter().enumerate() {
        let argument = own_variables(argument, at);
        match argument.split_once(" <- ") {
            Some((value, setup)) => {
                shown.push(value.to_owned());
                setups.push(setup.to_owned());
            }
            None => shown.push(argument),
        }
    }
    let setup = match setups.is_empty() {
        true => "true".to_owned(),
        false => setups.join(", "),
    };
    let goal = format!("{}({})", predicate.quoted_name(), shown.join(", "));
    Case { setup, goal }
}

fn own_variables(text: &str, at: usize) -> String {
    let mut own = String::new();
    let is_name = |one: char| one.is_ascii_alphanumeric() || one == '_';
    let mut rest = text;
    while let Some(start) = rest.find(is_name) {
        own.push_str(&rest[..start]);
        let name = &rest[start..];
        let end = name.find(|one| !is_name(one)).unwrap_or(name.len());
        own.push_str(&name[..end]);
        if matches!(&name[..end], "T" | "V") {
            own.push_str(&at.to_string());
        }
        rest = &name[end..];
    }
    own + rest
}
