//! A plain recursive parser of Lolli text, for the oracle alone. It supports neither carets nor recovery
//! from errors.

use crate::term::{Term, apply, compound, name, quantified};
use std::rc::Rc;

/// A query: its term, with bound names for variables, and these names in order of occurrence.
pub(crate) struct Query {
    pub(crate) term: Term,
    pub(crate) vars: Vec<Rc<str>>,
}

/// A module.
pub(crate) struct Module {
    pub(crate) name: Rc<str>,
    pub(crate) params: Vec<Rc<str>>,
    pub(crate) locals: Vec<Rc<str>>,
    pub(crate) clauses: Vec<ModuleClause>,
}

/// A clause of a module. Bound names represent its variables, parameters and local names.
pub(crate) struct ModuleClause {
    pub(crate) linear: bool,
    pub(crate) term: Term,
    pub(crate) vars: Vec<Rc<str>>,
}

#[derive(Clone, Debug, PartialEq)]
enum Token {
    Word(String),
    /// A name in quotes, never a keyword.
    Quoted(String),
    Int(i64),
    Text(String),
    Sign(&'static str),
    End,
}

const SIGNS: &[&str] = &[
    "-->", "--o", "=:=", "=\\=", ":-", "<=", "-o", "=>", "->", "=<", ">=", "::", ";", "&", ",",
    "|", "=", "<", ">", "+", "-", "*", "/", "\\", "(", ")", "{", "}", "[", "]", "!", ".",
];

fn tokens(text: &str) -> Vec<Token> {
    let mut found = Vec::new();
    let mut rest = text;
    loop {
        rest = rest.trim_start();
        let Some(first) = rest.chars().next() else {
            found.push(Token::End);
            return found;
        };
        let is_word = |c: char| c.is_ascii_alphanumeric() || c == '_';
        let digits = rest.strip_prefix('~').unwrap_or(rest);
        let length = if first == '%' {
            rest.find('\n').unwrap_or(rest.len())
        } else if first == '\'' || first == '"' {
            let length = rest[1..].find(first).expect("a closing quote");
            let inside = rest[1..1 + length].to_owned();
            found.push(if first == '"' {
                Token::Text(inside)
            } else {
                Token::Quoted(inside)
            });
            length + 2
        } else if is_word(first) || first == '~' {
            let word = digits.find(|c| !is_word(c)).unwrap_or(digits.len());
            let length = rest.len() - digits.len() + word;
            found.push(match digits[..word].parse::<i64>() {
                Ok(value) if first == '~' => Token::Int(-value),
                Ok(value) => Token::Int(value),
                Err(_) => Token::Word(rest[..length].to_owned()),
            });
            length
        } else {
            let sign = SIGNS.iter().find(|sign| rest.starts_with(**sign));
            let sign = sign.unwrap_or_else(|| panic!("unknown sign in {rest:?}"));
            found.push(Token::Sign(sign));
            sign.len()
        };
        rest = &rest[length..];
    }
}

/// Returns the level of an infix operator, and whether it groups to the right.
fn level(sign: &str) -> Option<(u8, bool)> {
    Some(match sign {
        ":-" | "<=" | "-->" => (2, false),
        ";" => (3, true),
        "&" => (4, true),
        "," => (5, true),
        "-o" | "=>" => (6, true),
        "--o" => (7, true),
        "->" => (8, true),
        "=" | "=:=" | "=\\=" | "=<" | ">=" | "<" | ">" | "is" => (10, false),
        "+" | "-" | "*" | "/" => (11, false),
        "::" => (12, true),
        _ => return None,
    })
}

struct Parser<'a> {
    tokens: Vec<Token>,
    at: usize,
    /// Names bound by open quantifiers, and names declared by a module.
    bound: Vec<String>,
    vars: Vec<Rc<str>>,
    text: &'a str,
}

impl<'a> Parser<'a> {
    fn new(text: &'a str) -> Parser<'a> {
        Parser {
            tokens: tokens(text),
            at: 0,
            bound: Vec::new(),
            vars: Vec::new(),
            text,
        }
    }

    fn token(&self) -> &Token {
        &self.tokens[self.at]
    }

    fn take(&mut self) -> Token {
        let token = self.token().clone();
        self.at += 1;
        token
    }

    fn is_sign(&self, sign: &str) -> bool {
        matches!(self.token(), Token::Sign(found) if *found == sign)
    }

    fn is_word(&self, word: &str) -> bool {
        matches!(self.token(), Token::Word(found) if found == word)
    }

    fn expect(&mut self, sign: &str) {
        assert!(self.is_sign(sign), "{sign} expected in {:?}", self.text);
        self.at += 1;
    }

    fn name(&mut self) -> String {
        match self.take() {
            Token::Word(name) | Token::Quoted(name) => name,
            other => panic!("a name expected, not {other:?} in {:?}", self.text),
        }
    }

    /// Parses a term whose operators have at least this level.
    fn term(&mut self, least: u8) -> Term {
        let mut left = self.operand();
        loop {
            let sign = match self.token() {
                Token::Sign(sign) => sign,
                Token::Word(word) if word == "is" => "is",
                _ => return left,
            };
            let (level, right_grouping) = match level(sign) {
                Some(found) if found.0 >= least => found,
                _ => return left,
            };
            self.at += 1;
            if sign == "->" {
                let then = self.term(0);
                self.expect("|");
                let otherwise = self.term(10);
                left = compound("guard", &[left, then, otherwise]);
                continue;
            }
            let right = self.term(if right_grouping { level } else { level + 1 });
            left = match sign {
                ":-" => compound("-o", &[right, left]),
                "<=" => compound("=>", &[right, left]),
                "-->" => compound("-->", &[right, left]),
                _ => compound(sign, &[left, right]),
            };
        }
    }

    fn operand(&mut self) -> Term {
        for (open, close, name) in [("{", "}", "bang"), ("[", "]", "dcgcodebracket")] {
            if self.is_sign(open) {
                self.at += 1;
                let inside = self.term(0);
                self.expect(close);
                return compound(name, &[inside]);
            }
        }
        for quantifier in ["forall", "exists"] {
            if self.is_word(quantifier) {
                self.at += 1;
                let bound = self.name();
                self.expect("\\");
                self.bound.push(bound.clone());
                let body = self.term(0);
                self.bound.pop();
                return quantified(quantifier, &bound, body);
            }
        }
        let head = self.atom();
        let mut term = head.unwrap_or_else(|| panic!("a term expected in {:?}", self.text));
        while let Some(argument) = self.atom() {
            term = apply(term, argument);
        }
        term
    }

    fn atom(&mut self) -> Option<Term> {
        match self.token().clone() {
            Token::Sign("(") => {
                self.at += 1;
                let inside = self.term(0);
                self.expect(")");
                Some(inside)
            }
            Token::Sign("!") => {
                self.at += 1;
                Some(name("cut"))
            }
            Token::Int(value) => {
                self.at += 1;
                Some(Term::Int(value))
            }
            Token::Text(text) => {
                self.at += 1;
                Some(Term::Text(text.into()))
            }
            Token::Word(word) if !matches!(&*word, "is" | "forall" | "exists" | "LINEAR") => {
                self.at += 1;
                Some(self.word(&word))
            }
            Token::Quoted(word) => {
                self.at += 1;
                Some(self.word(&word))
            }
            _ => None,
        }
    }

    fn word(&mut self, word: &str) -> Term {
        if self.bound.iter().any(|bound| bound == word) {
            return Term::Bound(word.into());
        }
        if !word.starts_with(|c: char| c.is_ascii_uppercase() || c == '_') {
            return name(word);
        }
        if !self.vars.iter().any(|var| **var == *word) {
            self.vars.push(word.into());
        }
        Term::Bound(word.into())
    }

    fn names(&mut self) -> Vec<Rc<str>> {
        let mut names = Vec::new();
        while !self.is_sign(".") {
            names.push(self.name().into());
        }
        self.at += 1;
        names
    }
}

/// Reads a query, with or without its `.`.
pub(crate) fn query(text: &str) -> Query {
    let mut parser = Parser::new(text);
    let term = parser.term(0);
    assert!(
        parser.is_sign(".") || *parser.token() == Token::End,
        "the end expected in {text:?}"
    );
    Query {
        term,
        vars: parser.vars,
    }
}

/// Reads a module.
pub(crate) fn module(text: &str) -> Module {
    let mut parser = Parser::new(text);
    assert_eq!(parser.name(), "MODULE");
    let mut names = parser.names();
    let name = names.remove(0);
    let mut locals = Vec::new();
    while parser.is_word("LOCAL") {
        parser.at += 1;
        locals.extend(parser.names());
    }
    let declared = names.iter().chain(&locals);
    parser.bound = declared.map(|name| name.to_string()).collect();
    let mut clauses = Vec::new();
    while *parser.token() != Token::End {
        let linear = parser.is_word("LINEAR");
        if linear {
            parser.at += 1;
        }
        let term = parser.term(0);
        parser.expect(".");
        let vars = std::mem::take(&mut parser.vars);
        clauses.push(ModuleClause { linear, term, vars });
    }
    Module {
        name,
        params: names,
        locals,
        clauses,
    }
}
