//! Random texts, terms and programs.

use super::random::Random;

/// Atoms, as they are written.
const ATOMS: &[&str] = &[
    "a",
    "b",
    "[]",
    "{}",
    "foo",
    "''",
    "'a b'",
    "+",
    "-",
    "(:-)",
    "!",
    "(',')",
    "'\\n'",
    "'é'",
    "'日本'",
    "'\\x0\\'",
    "user",
    "user_input",
    "user_output",
    "user_error",
    "nosuch",
    "inf",
    "nan",
    "read",
    "(<)",
    "@<",
    "codes",
    "end_of_file",
    "utf8",
    "error",
    "'a.b'",
    "'/dev/null'",
    "'/nosuch/file'",
    "max",
    "text",
    "'~w~a~d'",
    "'~*c~|~t~30|~q'",
];
/// Numbers, as they are written.
const NUMBERS: &[&str] = &[
    "0",
    "1",
    "2",
    "3",
    "-1",
    "7",
    "255",
    "256",
    "65536",
    "1114111",
    "1114112",
    "-5",
    "4294967296",
    "1152921504606846975",
    "1152921504606846976",
    "-1152921504606846976",
    "-1152921504606846977",
    "9223372036854775807",
    "9223372036854775808",
    "-9223372036854775808",
    "340282366920938463463374607431768211456",
    "1.0",
    "-0.0",
    "1.5",
    "1.0e10",
    "1.0Inf",
    "1.5NaN",
    "1.0e308",
    "5.0e-324",
    "0'a",
    "123456789012345678901234567890",
];
/// Special terms.
const SPECIAL: &[&str] = &[
    "\"text\"",
    "\"\"",
    "`codes`",
    "[]",
    "[a|_]",
    "[a|b]",
    "[_|_]",
    "\"é日本\"",
    "$stream(99)",
    "'$stream'(0)",
    "'$stream'(1)",
    "f(A, A, B)",
    "x:y:z",
    "(a :- b)",
    "(a --> b)",
    "(a, b)",
    "(a ; b)",
    "(a -> b ; c)",
    "\\+ a",
    "X^a",
    "a/0",
    "foo/1",
    "a=b",
    "[a=1, b=2]",
    "[0'a, 0'b]",
    "[a, b, c]",
    "[3, 1, 2]",
    "[b-1, a-2]",
    "user:foo(_)",
    "V-V",
    "point{}",
    "[[a, 1], [b]]",
    "1 + 2",
    "2 ** 0.5",
    "foo(1) + 1",
    "max(1, 2.0)",
    "[alias(z)]",
    "[quoted(true), max_depth(3)]",
    "_:_",
    "'$VAR'(1)",
    "'$VAR'(-1)",
];
/// Goals that make cyclic, attributed, deep and large terms, in `X`.
const MADE: &[&str] = &[
    "X = f(X)",
    "X = [a|X]",
    "X = f(Y, X, Y)",
    "X = g(h(X), 1)",
    "X = [X]",
    "X = [b, a|X]",
    "put_attr(X, test, 1)",
    "put_attr(Y, test, f(Y)), X = h(Y, Y)",
    "freeze(X, true)",
    "freeze(X, fail)",
    "dif(X, a)",
    "when(ground(X), true)",
    "length(X, 3)",
    "length(X, 1000)",
    "numlist(1, 2000, X)",
    "findall(C, (between(1, 500, N), C is 0'a + N mod 26), X)",
    "length(L, 20000), foldl([_, T, s(T)]>>true, L, z, X)",
    "length(L, 64), foldl([_, T, f(T, T)]>>true, L, z, X)",
    "functor(X, big, 1000)",
    "X is 7 ** 5000",
    "X is -(3 ** 2000)",
    "atom_codes(X, [0'a, 0, 0'b])",
    "string_codes(X, [0x1F600, 10, 0])",
    "open_null_stream(X)",
    "open_null_stream(X), close(X)",
    "length(L, 30000), maplist(=(0'x), L), atom_codes(X, L)",
    "current_output(X)",
    "current_input(X)",
    "copy_term([A, B, A], X)",
    "tnot = X",
    "X = \"\\x1F600\\é\"",
];
/// The tokens of random texts.
const TOKENS: &[&str] = &[
    "a",
    "X",
    "_",
    "foo",
    "(",
    ")",
    "[",
    "]",
    "{",
    "}",
    ",",
    "|",
    ".",
    ". ",
    ":-",
    "-->",
    "->",
    ";",
    "\\+",
    "'",
    "\"",
    "`",
    "0'",
    "0x1F",
    "1.5",
    "1e5",
    "1.0Inf",
    "\\",
    "\\x41\\",
    "%",
    "/*",
    "*/",
    "\n",
    " ",
    "\t",
    "'a b'",
    "\"s\"",
    "é",
    "日",
    "\u{0}",
    "\u{feff}",
    "- 1",
    "-1",
    "- (1)",
    "f(",
    "=",
    "==",
    "is",
    "dynamic",
    ":- dynamic a/1.",
    ":- op(700, xfx, ===).",
    "op(200, xfy, ^)",
    "1_000",
    "0b2",
    "0o9",
    "999999999999999999999",
    "end_of_file.",
    "--o",
    "=>",
    "-o",
    "&",
    "forall",
    ":- module(m, [a/1]).",
    "{}(",
    "[](",
    "$",
    "?-",
    ":- if(true).",
    ":- endif.",
    "\\\n",
    "\\u12",
    "''",
    "'''",
    "\"\"\"",
];
/// The tokens of random Lolli texts.
const LOLLI: &[&str] = &[
    "MODULE m.",
    "MODULE m X Y.",
    "LOCAL a b.",
    "LINEAR a.",
    "a",
    "b",
    "X",
    "Y",
    "p X",
    ":-",
    ",",
    "&",
    ";",
    "-o",
    "=>",
    "{",
    "}",
    "(",
    ")",
    "erase",
    "top",
    "true",
    "forall X \\",
    "exists X \\",
    ".",
    ". ",
    "%",
    "\n",
    "1",
    "\"s\"",
    "-->",
    "--o",
    "nil",
    "X::Y",
    "'",
    "|",
    "<-",
    "-",
    "+",
    "is",
];

impl Random {
    pub(super) fn variable(&mut self) -> String {
        ["A", "B", "C", "_", "D"][self.below(5)].to_owned()
    }

    /// Returns a term of at most `depth` levels.
    pub(crate) fn term(&mut self, depth: usize) -> String {
        match self.below(if depth == 0 { 4 } else { 8 }) {
            0 => self.pick(ATOMS).to_owned(),
            1 => self.pick(NUMBERS).to_owned(),
            2 => self.variable(),
            3 => {
                let special = self.pick(SPECIAL);
                format!(
                    "({})",
                    special
                        .replace("$stream(99)", "'$stream'(99)")
                        .replace("point{}", "point")
                )
            }
            4 => {
                let count = self.below(4);
                let items: Vec<String> = (0..count).map(|_| self.term(depth - 1)).collect();
                format!("[{}]", items.join(", "))
            }
            5 => {
                let operators = [
                    "+", "-", "*", "=", ":-", ",", ";", "->", "^", ":", "is", "-->", "|", "**",
                    "mod", "=..",
                ];
                let operator = self.pick(&operators);
                format!(
                    "(({}) {operator} ({}))",
                    self.term(depth - 1),
                    self.term(depth - 1)
                )
            }
            6 => {
                let operators = ["-", "\\", "\\+", "+", ":-", "?-", "dynamic"];
                let operator = self.pick(&operators);
                format!("({operator} ({}))", self.term(depth - 1))
            }
            _ => {
                let name = self.pick(&[
                    "f",
                    "g",
                    "'F'",
                    "foo",
                    "'.'",
                    "s",
                    "[]",
                    "{}",
                    "'$VAR'",
                    "-",
                    "'hello world'",
                ]);
                let count = 1 + self.below(3);
                let arguments: Vec<String> = (0..count).map(|_| self.term(depth - 1)).collect();
                format!("{name}({})", arguments.join(", "))
            }
        }
    }

    /// Returns an argument. Adds the goals that make it, if any, to `before`.
    fn argument(&mut self, number: usize, before: &mut String) -> String {
        if self.below(4) > 0 {
            return self.term(2);
        }
        let made = self.pick(MADE);
        let mut own = String::new();
        // Gives its variables their own names.
        let mut rest = made.chars().peekable();
        let mut last = ' ';
        while let Some(char) = rest.next() {
            own.push(char);
            let alone = rest.peek().is_none_or(|next| !next.is_alphanumeric());
            if char.is_ascii_uppercase()
                && alone
                && !last.is_alphanumeric()
                && last != '\''
                && last != '\\'
            {
                own.push_str(&format!("m{number}"));
            }
            last = char;
        }
        before.push_str(&format!("{own}, "));
        format!("Xm{number}")
    }

    /// Returns a call of one of these predicates, each given by its name and arity.
    pub(crate) fn call_of(&mut self, predicates: &[(String, usize)]) -> String {
        let (name, arity) = &predicates[self.below(predicates.len())];
        self.call(name, *arity)
    }

    fn call(&mut self, name: &str, arity: usize) -> String {
        let mut before = String::new();
        let arguments: Vec<String> = (0..arity)
            .map(|number| self.argument(number, &mut before))
            .collect();
        let name = quoted(name);
        if arguments.is_empty() {
            format!("{before}{name}")
        } else {
            format!("{before}{name}({})", arguments.join(", "))
        }
    }

    fn soup(&mut self, tokens: &[&str], count: usize) -> String {
        let mut text = String::new();
        for _ in 0..count {
            text.push_str(self.pick(tokens));
            if self.below(2) == 0 {
                text.push(' ');
            }
        }
        text
    }

    /// Returns a text that may be Prolog.
    pub(crate) fn text(&mut self) -> String {
        let count = 1 + self.below(30);
        if self.below(2) == 0 {
            return self.soup(TOKENS, count);
        }
        // A correct text with some changes.
        let mut text: Vec<char> =
            format!("{} :- {}.\n{}.\n", self.term(3), self.term(3), self.term(2))
                .chars()
                .collect();
        for _ in 0..self.below(4) {
            let at = self.below(text.len());
            match self.below(3) {
                0 => drop(text.remove(at)),
                1 => text[at] = self.pick(TOKENS).chars().next().unwrap_or(' '),
                _ => text.insert(at, self.pick(TOKENS).chars().next().unwrap_or(' ')),
            }
            if text.is_empty() {
                break;
            }
        }
        text.into_iter().collect()
    }

    /// Returns a text that may be Lolli.
    pub(crate) fn lolli_text(&mut self) -> String {
        let count = 1 + self.below(25);
        self.soup(LOLLI, count)
    }
}

/// Returns a text as a quoted atom.
pub(crate) fn quoted(text: &str) -> String {
    let mut quoted = String::from("'");
    for char in text.chars() {
        match char {
            '\'' => quoted.push_str("\\'"),
            '\\' => quoted.push_str("\\\\"),
            '\n' => quoted.push_str("\\n"),
            '\u{0}' => quoted.push_str("\\x0\\"),
            _ => quoted.push(char),
        }
    }
    quoted.push('\'');
    quoted
}

/// Returns the text of an answer without the names that the system gives variables.
pub(crate) fn without_names(text: &str) -> String {
    let mut out = String::new();
    let mut chars = text.chars().peekable();
    while let Some(char) = chars.next() {
        out.push(char);
        if char == '_' {
            while chars
                .peek()
                .is_some_and(|next| next.is_alphanumeric() || *next == '_')
            {
                chars.next();
            }
        }
    }
    out
}
