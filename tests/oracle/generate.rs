//! Random programs and goals. A seed always gives the same case.
//!
//! A goal is made from the resources that it must consume, and many goals can be proved. Some noise is
//! added, and many other goals cannot.

/// A program and a goal.
#[derive(Clone, Debug)]
pub(crate) struct Case {
    /// The text of the module that the goal loads, if there is one.
    pub(crate) module: Option<String>,
    /// The text before the goal: the assumptions, or the loading of the module.
    pub(crate) before: String,
    /// The goal.
    pub(crate) goal: String,
}

impl Case {
    /// Returns the whole query.
    pub(crate) fn query(&self) -> String {
        format!("{}({})", self.before, self.goal)
    }

    /// Returns the same program with the whole query between two texts.
    pub(crate) fn enclosed(&self, before: &str, after: &str) -> Case {
        Case {
            module: self.module.clone(),
            before: String::new(),
            goal: format!("{before}({}){after}", self.query()),
        }
    }

    /// Returns the same program with the goal between two texts.
    pub(crate) fn goal_enclosed(&self, before: &str, after: &str) -> Case {
        Case {
            goal: format!("{before}({}){after}", self.goal),
            ..self.clone()
        }
    }
}

/// The kinds of cases.
#[derive(Copy, Clone, Debug, PartialEq, Eq)]
pub(crate) enum Kind {
    /// Atoms without arguments, dense in `&` and `erase`.
    Propositional,
    /// The same with guards, which show if a search finds another proof first.
    Guarded,
    /// Predicates with arguments, quantifiers, guards, and clauses with bodies. The clauses may contain
    /// variables of their context.
    FirstOrder,
    /// The same in a module with parameters and local names.
    Modules,
    /// The same with variables as goals, clauses and functions.
    Flexible,
    /// More facts, of few predicates. The facts differ in later arguments and in parts of compound
    /// arguments.
    Keyed,
}

impl Kind {
    /// All kinds.
    pub(crate) const ALL: &[Kind] = &[
        Kind::Propositional,
        Kind::Guarded,
        Kind::FirstOrder,
        Kind::Modules,
        Kind::Flexible,
        Kind::Keyed,
    ];
}

/// Returns the case of a seed.
pub(crate) fn case(kind: Kind, seed: u64) -> Case {
    let mut generator = Generator {
        // Neighbouring seeds give very different numbers.
        state: (seed + 1).wrapping_mul(0x9e37_79b9_7f4a_7c15),
        kind,
        vars: Vec::new(),
        names: 0,
        always: Vec::new(),
        predicates: Vec::new(),
    };
    for _ in 0..4 {
        generator.below(2);
    }
    generator.case()
}

struct Generator {
    state: u64,
    kind: Kind,
    /// Variables in scope.
    vars: Vec<String>,
    /// Number of new names so far.
    names: usize,
    /// Atoms that can be proved any number of times.
    always: Vec<String>,
    /// Local names and constants of quantifiers that are predicates of one argument.
    predicates: Vec<String>,
}

impl Generator {
    fn below(&mut self, bound: usize) -> usize {
        self.state ^= self.state << 13;
        self.state ^= self.state >> 7;
        self.state ^= self.state << 17;
        let mixed = self.state.wrapping_mul(0x2545_f491_4f6c_dd1d) >> 32;
        mixed as usize % bound
    }

    /// Returns true with this probability in percent.
    fn chance(&mut self, percent: usize) -> bool {
        self.below(100) < percent
    }

    fn pick<T: Clone>(&mut self, from: &[T]) -> T {
        from[self.below(from.len())].clone()
    }

    fn is_first_order(&self) -> bool {
        !matches!(self.kind, Kind::Propositional | Kind::Guarded)
    }

    fn case(&mut self) -> Case {
        if self.is_first_order() {
            self.vars = (0..self.below(3)).map(|n| format!("Q{n}")).collect();
        }
        let mut facts = Vec::new();
        let count = match self.kind {
            Kind::Keyed => 4 + self.below(8),
            _ => 1 + self.below(4),
        };
        if self.kind == Kind::Modules || self.is_first_order() && self.chance(30) {
            return self.module(count);
        }
        let before: Vec<String> = (0..count)
            .map(|_| {
                let linear = self.chance(65);
                self.assumption(&mut facts, linear, 2)
            })
            .collect();
        // With many facts the search has many more branches.
        let depth = if self.kind == Kind::Keyed { 3 } else { 4 };
        Case {
            module: None,
            before: before.concat(),
            goal: self.goal(facts, depth),
        }
    }

    /// Returns a module of `count` clauses, and a goal that loads it.
    fn module(&mut self, count: usize) -> Case {
        let declares = self.kind == Kind::Modules;
        let some = |generator: &mut Generator, names: [&str; 2]| -> Vec<String> {
            let count = if declares { generator.below(3) } else { 0 };
            names[..count].iter().map(|&name| name.to_owned()).collect()
        };
        let (params, locals) = (some(self, ["V", "w"]), some(self, ["k", "L"]));
        let mut module = "MODULE gen".to_owned();
        for param in &params {
            module.push_str(&format!(" {param}"));
        }
        module.push_str(".\n");
        for local in &locals {
            module.push_str(&format!("LOCAL {local}.\n"));
        }
        // The variables of the query are unknown in the module.
        let outer = std::mem::take(&mut self.vars);
        self.predicates.clone_from(&locals);
        let mut facts = Vec::new();
        for _ in 0..count {
            let linear = self.chance(50);
            let own = self.below(3);
            self.vars = [&params[..], &locals].concat();
            self.vars
                .extend(["A", "B"][..own].iter().map(|&var| var.to_owned()));
            let clause = match self.below(12) {
                0 if linear => format!("{{{}}}", self.clause(&mut facts, false, 2)),
                1 | 2 if linear => {
                    let one = self.clause(&mut facts, true, 2);
                    format!("({one}) , ({})", self.clause(&mut facts, true, 2))
                }
                _ => self.clause(&mut facts, linear, 2),
            };
            self.vars.clear();
            self.forget(&mut facts, "A");
            self.forget(&mut facts, "B");
            let word = if linear { "LINEAR " } else { "" };
            module.push_str(&format!("{word}{clause}.\n"));
        }
        // Facts about local names can be used only in the module.
        let is_local = |fact: &String| locals.iter().any(|local| mentions(fact, local));
        let (inner, mut facts): (Vec<String>, Vec<String>) = facts.into_iter().partition(is_local);
        self.always.retain(|fact| !is_local(fact));
        if !inner.is_empty() {
            let clause = format!("give :- {}.\n", inner.join(" , "));
            // The clause is the last one, so it hides no other.
            module.push_str(&clause);
            facts.push("give".to_owned());
        }
        self.predicates.clear();
        self.vars = outer;
        let mut before = String::new();
        if declares && self.chance(25) {
            let quantifier = self.pick(&["forall", "exists"]);
            let name = self.new_name();
            before.push_str(&format!("{quantifier} {name} \\ "));
            self.vars.push(name);
        }
        let mut load = "gen".to_owned();
        for param in &params {
            let argument = self.term(2);
            for fact in facts.iter_mut().chain(&mut self.always) {
                *fact = replaced(fact, param, &argument);
            }
            load.push_str(&format!(" {argument}"));
        }
        before.push_str(&format!("{load} --o "));
        if declares && self.chance(10) {
            // Each loading has its own resources.
            before.push_str(&format!("{load} --o "));
            facts.extend(facts.clone());
        }
        Case {
            module: Some(module),
            before,
            goal: self.goal(facts, 4),
        }
    }

    // --- Terms ---

    fn term(&mut self, depth: usize) -> String {
        if depth > 0 && self.chance(20) {
            return format!("(f {})", self.term(depth - 1));
        }
        if !self.vars.is_empty() && self.chance(45) {
            let vars = self.vars.clone();
            if self.kind == Kind::Flexible && depth > 0 && self.chance(15) {
                return format!("({} {})", self.pick(&vars), self.term(depth - 1));
            }
            return self.pick(&vars);
        }
        self.pick(&["a", "b", "c"]).to_owned()
    }

    fn atom(&mut self) -> String {
        if !self.is_first_order() {
            return self.pick(&["a", "b", "c", "d"]).to_owned();
        }
        if !self.predicates.is_empty() && self.chance(25) {
            let predicates = self.predicates.clone();
            return format!("{} {}", self.pick(&predicates), self.term(1));
        }
        if self.kind == Kind::Keyed {
            return match self.below(4) {
                0 => format!("q {} {}", self.term(1), self.term(1)),
                1 => format!("q (f {}) {}", self.term(1), self.term(0)),
                2 => format!("p (pair {} {})", self.term(1), self.term(0)),
                _ => format!("p (pair a {})", self.term(1)),
            };
        }
        match self.below(5) {
            0 => self.pick(&["s", "t"]).to_owned(),
            1 | 2 => format!("p {}", self.term(2)),
            3 => format!("q {} {}", self.term(1), self.term(1)),
            _ => format!("r {}", self.term(1)),
        }
    }

    /// Returns an atom as a goal: variables may replace some of its arguments.
    fn generalized(&mut self, fact: &str) -> String {
        if !self.is_first_order() || self.vars.is_empty() || self.chance(40) {
            return fact.to_owned();
        }
        let vars = self.vars.clone();
        let words: Vec<String> = fact
            .split(' ')
            .map(|word| match word {
                "a" | "b" | "c" if self.chance(60) => self.pick(&vars),
                _ => word.to_owned(),
            })
            .collect();
        words.join(" ")
    }

    fn new_name(&mut self) -> String {
        self.names += 1;
        let letter = if self.chance(50) { 'x' } else { 'X' };
        format!("{letter}{}", self.names)
    }

    // --- Assumptions ---

    /// Returns an implication without its right half. Its atom is added to the facts that the goal must
    /// consume, or to those that can be proved any number of times.
    fn assumption(&mut self, facts: &mut Vec<String>, linear: bool, fuel: usize) -> String {
        if !linear {
            let clause = self.clause(facts, false, fuel);
            return format!("({clause}) => ");
        }
        let text = match self.below(12) {
            0 => "true".to_owned(),
            1 => format!("{{{}}}", self.clause(facts, false, fuel)),
            2 | 3 => {
                let (one, other) = (
                    self.clause(facts, true, fuel),
                    self.clause(facts, true, fuel),
                );
                format!("({one}) , ({other})")
            }
            _ => self.clause(facts, true, fuel),
        };
        format!("({text}) -o ")
    }

    /// Returns a clause, and adds its head to the facts.
    fn clause(&mut self, facts: &mut Vec<String>, linear: bool, fuel: usize) -> String {
        let kind = self.below(10);
        if fuel > 0 && kind == 0 {
            // The clause that is not chosen adds no fact.
            let one = self.clause(facts, linear, fuel - 1);
            let other = self.clause(&mut Vec::new(), linear, fuel - 1);
            return match self.chance(50) {
                true => format!("({one}) & ({other})"),
                false => format!("({other}) & ({one})"),
            };
        }
        if fuel > 0 && kind < 3 && self.is_first_order() {
            let name = self.new_name();
            self.vars.push(name.clone());
            let clause = self.clause(facts, linear, fuel - 1);
            self.vars.pop();
            self.forget(facts, &name);
            return format!("forall {name} \\ ({clause})");
        }
        let head = self.atom();
        let clause = match kind {
            3..6 if fuel > 0 => {
                let used = match linear {
                    true => self.some_of(facts),
                    false => Vec::new(),
                };
                let body = self.goal(used, fuel - 1);
                match self.below(3) {
                    0 => format!("({body}) -o {head}"),
                    1 => format!("{head} :- ({body})"),
                    _ => {
                        let second = self.goal(Vec::new(), fuel - 1);
                        format!("({second}) -o ({body}) -o {head}")
                    }
                }
            }
            6 if fuel > 0 => {
                let body = self.goal(Vec::new(), fuel - 1);
                format!("{head} <= ({body})")
            }
            _ => head.clone(),
        };
        match linear {
            true => facts.push(head),
            false => self.always.push(head),
        }
        clause
    }

    /// Replaces a variable by a term, because the variable has no meaning outside its clause.
    fn forget(&mut self, facts: &mut [String], var: &str) {
        let term = self.term(1);
        for fact in facts.iter_mut().chain(&mut self.always) {
            *fact = replaced(fact, var, &term);
        }
    }

    /// Removes some of the facts and returns them.
    fn some_of(&mut self, facts: &mut Vec<String>) -> Vec<String> {
        let mut taken = Vec::new();
        for fact in std::mem::take(facts) {
            match self.chance(50) {
                true => taken.push(fact),
                false => facts.push(fact),
            }
        }
        taken
    }

    // --- Goals ---

    /// Returns a goal that consumes these facts.
    fn goal(&mut self, mut facts: Vec<String>, fuel: usize) -> String {
        if self.chance(4) {
            facts.push(self.atom());
        }
        if fuel == 0 {
            return self.leaf(facts);
        }
        let fuel = fuel - 1;
        if self.kind == Kind::Flexible && self.chance(20) {
            return self.flexible(facts, fuel);
        }
        match self.below(100) {
            0..20 => {
                let first = self.some_of(&mut facts);
                let (one, other) = (self.goal(first, fuel), self.goal(facts, fuel));
                format!("({one}) , ({other})")
            }
            20..42 => self.both(facts, fuel),
            42..47 => {
                let (one, other) = (self.goal(facts.clone(), fuel), self.goal(facts, fuel));
                format!("({one}) ; ({other})")
            }
            47..62 => {
                let known = self.always.len();
                let linear = self.chance(60);
                let assumption = self.assumption(&mut facts, linear, fuel.min(2));
                let goal = self.goal(facts, fuel);
                self.always.truncate(known);
                format!("{assumption}({goal})")
            }
            62..68 => {
                let inside = self.goal(Vec::new(), fuel);
                let goal = self.goal(facts, fuel);
                format!("{{{inside}}} , ({goal})")
            }
            68..74 => {
                let used = self.some_of(&mut facts);
                format!("({}) , erase", self.goal(used, fuel))
            }
            74..80 if self.kind != Kind::Propositional => {
                let all = facts.clone();
                let test = self.some_of(&mut facts);
                let (test, yes) = (self.goal(test, fuel), self.goal(facts, fuel));
                format!("({test}) -> ({yes}) | ({})", self.goal(all, fuel))
            }
            80..92 if self.is_first_order() => {
                let name = self.new_name();
                let quantifier = self.pick(&["forall", "exists"]);
                self.vars.push(name.clone());
                let goal = self.goal(facts, fuel);
                self.vars.pop();
                format!("{quantifier} {name} \\ ({goal})")
            }
            92..95 if self.is_first_order() => {
                let vars = self.vars.clone();
                let left = match vars.is_empty() {
                    true => self.term(1),
                    false => self.pick(&vars),
                };
                let right = self.term(1);
                format!("{left} = {right} , ({})", self.goal(facts, fuel))
            }
            _ => self.leaf(facts),
        }
    }

    /// Returns a goal that uses the value of a variable as a formula or function.
    fn flexible(&mut self, mut facts: Vec<String>, fuel: usize) -> String {
        let name = self.new_name();
        match self.below(5) {
            0 => {
                let goal = self.goal(facts, fuel);
                format!("exists {name} \\ ({name} = ({goal}) , {name})")
            }
            1 => {
                let (linear, known) = (self.chance(60), self.always.len());
                let clause = self.clause(&mut facts, linear, fuel.min(2));
                let goal = self.goal(facts, fuel);
                self.always.truncate(known);
                let sign = if linear { "-o" } else { "=>" };
                format!("exists {name} \\ ({name} = ({clause}) , ({name} {sign} ({goal})))")
            }
            // A predicate that is bound only at run time, in an assumption and in goals.
            2 => {
                let predicate = self.pick(&["p", "r"]);
                let term = self.term(1);
                let (linear, known) = (self.chance(60), self.always.len());
                let fact = format!("{predicate} {term}");
                match linear {
                    true => facts.push(fact),
                    false => self.always.push(fact),
                }
                let goal = self.goal(facts, fuel);
                self.always.truncate(known);
                let sign = if linear { "-o" } else { "=>" };
                format!(
                    "exists {name} \\ ({name} = {predicate} , (({name} {term}) {sign} ({goal})))"
                )
            }
            3 => {
                let used = self.some_of(&mut facts);
                let mut goals = vec![format!("({})", self.goal(facts, fuel))];
                for fact in used {
                    goals.push(match fact.split_once(' ') {
                        Some((predicate, terms)) if self.chance(70) => {
                            let name = self.new_name();
                            let function = self.pick(&[predicate, "p", "q a"]);
                            format!("(exists {name} \\ ({name} = {function} , ({name} {terms})))")
                        }
                        _ => fact,
                    });
                }
                goals.join(" , ")
            }
            // A predicate that is new.
            _ => {
                self.vars.push(name.clone());
                self.predicates.push(name.clone());
                let (linear, known) = (self.chance(60), self.always.len());
                let assumption = self.assumption(&mut facts, linear, fuel.min(2));
                let goal = self.goal(facts, fuel);
                self.always.truncate(known);
                self.predicates.pop();
                self.vars.pop();
                format!("forall {name} \\ ({assumption}({goal}))")
            }
        }
    }

    /// Returns `A & B`; one or both may drop some of the facts.
    fn both(&mut self, facts: Vec<String>, fuel: usize) -> String {
        let drops = self.below(5);
        let half = |generator: &mut Generator, drop: bool| {
            let mut facts = facts.clone();
            if drop {
                facts = generator.some_of(&mut facts);
            }
            let goal = generator.goal(facts, fuel);
            match drop {
                true => format!("({goal}) , erase"),
                false => goal,
            }
        };
        let one = half(self, matches!(drops, 0 | 1));
        let other = half(self, matches!(drops, 1 | 2));
        format!("({one}) & ({other})")
    }

    fn leaf(&mut self, facts: Vec<String>) -> String {
        if facts.is_empty() {
            if !self.always.is_empty() && self.chance(60) {
                let always = self.always.clone();
                let fact = self.pick(&always);
                return self.generalized(&fact);
            }
            return match self.below(10) {
                0 => "erase".to_owned(),
                1 => "fail".to_owned(),
                2 => self.atom(),
                _ => "true".to_owned(),
            };
        }
        if self.chance(8) {
            return "erase".to_owned();
        }
        let asked: Vec<String> = facts.iter().map(|fact| self.generalized(fact)).collect();
        asked.join(" , ")
    }
}

/// Returns an atom with a term in place of a variable.
fn replaced(atom: &str, var: &str, term: &str) -> String {
    let words: Vec<String> = atom
        .split(' ')
        .map(|word| {
            let name = word.trim_matches(['(', ')']);
            match name == var {
                true => word.replace(var, term),
                false => word.to_owned(),
            }
        })
        .collect();
    words.join(" ")
}

/// Returns whether the name occurs in the atom.
fn mentions(atom: &str, name: &str) -> bool {
    atom.split(' ')
        .any(|word| word.trim_matches(['(', ')']) == name)
}
