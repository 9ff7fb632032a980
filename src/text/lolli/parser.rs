//! The parser of Lolli terms: an operator precedence parser with its own stack, so that deep
//! nesting cannot overflow the stack of the program.
//!
//! Application binds more tightly than every operator. Any term may be between `->` and `|`, and
//! the scope of a quantifier extends as far as possible. So both enclose their contents as a
//! bracket does.

use super::error::{LolliSyntax, Unfinished};
use super::lexer::Lexer;
use super::names::{ABSTRACTION, APPLICATION, BANG, BOUND, CUT, GUARD, SQUARE};
use super::op::{ARROW_LEVEL, BAR_LEVEL, Grouping, Op};
use super::parse_error::error_at;
use super::token::{Token, TokenKind};
use crate::base::atom_table::{Atom, FastMap, FastSet, MAX_ARITY, Symbols, atoms, functors};
use crate::base::growth::{Grow, GrowBy, require_memory};
use crate::base::number::Number;
use crate::base::source::Span;
use crate::base::stop::Stop;
use crate::base::watch::{self, Watch};
use crate::text::ast::{Ast, Node, NodeId};
use crate::text::syntax_error::SyntaxError;

/// The head of an application.
#[derive(Copy, Clone, Debug)]
pub(super) enum Head {
    /// A name.
    Name(Atom, Span),
    /// Any other term, or a name in parentheses.
    Term(NodeId),
}

/// An entry of the stack of open constructs.
#[derive(Copy, Clone, Debug)]
pub(super) enum Frame {
    /// An application, possibly without arguments; its arguments are the operands from `base` on.
    Apply { head: Head, base: usize },
    /// `(`, `{` or `[`.
    Bracket { open: char, start: usize },
    /// An operator whose left operand is finished.
    Infix { op: Op, span: Span },
    /// `Test ->`.
    Guard { span: Span },
    /// `Test -> Then |`.
    Else { span: Span },
    /// A quantifier and the name that it binds.
    Quantifier {
        quantifier: &'static str,
        bound: Atom,
        name_span: Span,
        start: usize,
    },
}

/// The next step.
enum Step {
    Operand,
    Operator,
    Finished,
}

/// The state of reading one term.
pub(super) struct Parser<'p, 't> {
    pub(super) lexer: Lexer<'t>,
    /// The offset where the text to read begins, after layout.
    pub(super) begin: usize,
    /// The current token.
    pub(super) token: Token<'t>,
    pub(super) symbols: &'p mut Symbols,
    pub(super) ast: &'p mut Ast,
    /// Names that are variables, however they are written.
    declared: &'p FastSet<Box<str>>,
    /// For each name, the number of open quantifiers that bind it.
    bound: FastMap<Atom, u32>,
    pub(super) frames: Vec<Frame>,
    operands: Vec<NodeId>,
    /// Names at the beginning of a line, outside of brackets, that are arguments of the term before
    /// them.
    pub(super) apart: Vec<Span>,
    /// The watch that says whether reading must stop.
    pub(super) watch: Option<&'p Watch>,
}

impl<'p, 't> Parser<'p, 't> {
    /// Creates a parser of the tokens of `lexer`, before its first token. `declared` are the
    /// parameters and local names of the module.
    pub(super) fn new(
        mut lexer: Lexer<'t>,
        symbols: &'p mut Symbols,
        ast: &'p mut Ast,
        declared: &'p FastSet<Box<str>>,
    ) -> Parser<'p, 't> {
        ast.clear();
        lexer.skip_layout();
        let start = lexer.at();
        Parser {
            lexer,
            begin: start,
            token: Token {
                kind: TokenKind::Eof,
                start,
                end: start,
            },
            symbols,
            ast,
            declared,
            bound: FastMap::default(),
            frames: Vec::new(),
            operands: Vec::new(),
            apart: Vec::new(),
            watch: None,
        }
    }

    /// Reads the term that begins with the current token. It ends at the `.` or at the end of the
    /// text, which is then the current token.
    pub(super) fn term(&mut self) -> Result<(), SyntaxError> {
        let start = self.token.start;
        let mut step = Step::Operand;
        let mut steps = 0;
        loop {
            steps += 1;
            if steps == watch::STEPS {
                steps = 0;
                if self
                    .watch
                    .is_some_and(|watch| watch.stop_wanted_after(watch::STEPS))
                {
                    return Err(self.stopped());
                }
            }
            step = match step {
                Step::Operand => self.operand()?,
                Step::Operator => self.operator()?,
                Step::Finished => {
                    self.ast.root = self.pop_operand();
                    self.ast.span = Span::new(start, self.token.end);
                    return Ok(());
                }
            }
        }
    }

    /// Takes the current token and reads the next one.
    pub(super) fn take(&mut self) -> Result<Token<'t>, SyntaxError> {
        let next = self.lexer.next_token()?;
        Ok(std::mem::replace(&mut self.token, next))
    }

    fn pop_operand(&mut self) -> NodeId {
        match self.operands.pop() {
            Some(operand) => operand,
            None => unreachable!("every operator that is finished has its operands"),
        }
    }

    fn add(&mut self, node: Node, span: Span) -> Result<NodeId, Stop> {
        self.ast.add(node, span)
    }

    fn compound(&mut self, name: Atom, args: &[NodeId], span: Span) -> Result<NodeId, Stop> {
        let functor = self.symbols.functor_read(name, args.len());
        let first = self.ast.args.len() as u32;
        self.ast.args.put_slice(args)?;
        self.add(
            Node::Compound {
                functor: functor?,
                first,
            },
            span,
        )
    }

    fn named_compound(&mut self, name: &str, args: &[NodeId], span: Span) -> Result<NodeId, Stop> {
        let name = self.symbols.intern(name)?;
        self.compound(name, args, span)
    }

    // --- Where an operand is expected ---

    fn operand(&mut self) -> Result<Step, SyntaxError> {
        match self.token.kind {
            TokenKind::Open => self.open('('),
            TokenKind::OpenCurly => self.open('{'),
            TokenKind::OpenSquare => self.open('['),
            TokenKind::Quantifier(quantifier) => self.quantifier(quantifier),
            _ => match self.simple()? {
                Some(head) => {
                    let base = self.operands.len();
                    self.frames.put(Frame::Apply { head, base })?;
                    Ok(Step::Operator)
                }
                None => Err(self.term_expected()),
            },
        }
    }

    /// Takes an opening bracket.
    fn open(&mut self, open: char) -> Result<Step, SyntaxError> {
        let start = self.take()?.start;
        self.frames.put(Frame::Bracket { open, start })?;
        Ok(Step::Operand)
    }

    /// Reads a name, a variable, a number or a string, if the token is one.
    fn simple(&mut self) -> Result<Option<Head>, SyntaxError> {
        let span = self.token.span();
        if !matches!(
            self.token.kind,
            TokenKind::Upper(_)
                | TokenKind::Lower(_)
                | TokenKind::Int(_)
                | TokenKind::Text(_)
                | TokenKind::Cut
        ) {
            return Ok(None);
        }
        Ok(Some(match self.take()?.kind {
            TokenKind::Upper(name) => self.name(&name, true, span)?,
            TokenKind::Lower(name) => self.name(&name, false, span)?,
            TokenKind::Int(Number::Big(big)) => {
                Head::Term(self.add(Node::Big(Box::new(big)), span)?)
            }
            TokenKind::Int(Number::Int(value)) => Head::Term(self.add(Node::Int(value), span)?),
            TokenKind::Text(text) => {
                require_memory(text.len())?;
                Head::Term(self.add(Node::String(text.into()), span)?)
            }
            _ => Head::Name(self.symbols.intern(CUT)?, span),
        }))
    }

    fn name(&mut self, name: &str, upper: bool, span: Span) -> Result<Head, Stop> {
        if !self.bound.is_empty()
            && let Some(atom) = self.symbols.find(name)
            && self.bound.contains_key(&atom)
        {
            let atom = self.add(Node::Atom(atom), span)?;
            return Ok(Head::Term(self.named_compound(BOUND, &[atom], span)?));
        }
        if upper || self.declared.contains(name) {
            let var = self.ast.named_occurrence(name, span)?;
            return Ok(Head::Term(self.add(Node::Var(var), span)?));
        }
        Ok(Head::Name(self.symbols.intern_read(name)?, span))
    }

    fn quantifier(&mut self, quantifier: &'static str) -> Result<Step, SyntaxError> {
        let first = self.take()?;
        let related = Some(first.span());
        let bound = match &self.token.kind {
            TokenKind::Upper(name) | TokenKind::Lower(name) => self.symbols.intern_read(name),
            TokenKind::Dot | TokenKind::Eof => {
                return Err(self.unfinished(Unfinished::Quantifier, related));
            }
            _ => {
                let found = self.found();
                return Err(self.error_here(LolliSyntax::BoundNameExpected { quantifier, found }));
            }
        }?;
        let name_token = self.take()?;
        let name_span = name_token.span();
        match self.token.kind {
            TokenKind::Backslash => self.take()?,
            TokenKind::Dot | TokenKind::Eof => {
                return Err(self.unfinished(Unfinished::Quantifier, related));
            }
            _ => {
                let name = self.lexer.slice(name_token.start, name_token.end).into();
                let found = self.found();
                return Err(self.error_here(LolliSyntax::BackslashExpected {
                    quantifier,
                    name,
                    found,
                }));
            }
        };
        *self.bound.entry(bound).or_insert(0) += 1;
        self.frames.put(Frame::Quantifier {
            quantifier,
            bound,
            name_span,
            start: first.start,
        })?;
        Ok(Step::Operand)
    }

    // --- Where an operator is expected ---

    fn operator(&mut self) -> Result<Step, SyntaxError> {
        match self.token.kind {
            TokenKind::Op(op) => {
                self.make_room(op.level, op.grouping)?;
                let span = self.take()?.span();
                self.frames.put(Frame::Infix { op, span })?;
                Ok(Step::Operand)
            }
            TokenKind::Arrow => {
                self.make_room(ARROW_LEVEL, Grouping::Right)?;
                let span = self.take()?.span();
                self.frames.put(Frame::Guard { span })?;
                Ok(Step::Operand)
            }
            TokenKind::Bar => self.bar(),
            TokenKind::Close | TokenKind::CloseCurly | TokenKind::CloseSquare => self.close(),
            TokenKind::Dot | TokenKind::Eof => {
                self.finish_inside()?;
                match self.frames.is_empty() {
                    true => Ok(Step::Finished),
                    false => Err(self.mismatch()),
                }
            }
            _ => self.argument(),
        }
    }

    /// Records the token if it is a name at the beginning of a line, outside of brackets.
    pub(super) fn note_apart(&mut self) -> Result<(), Stop> {
        let start = self.token.start;
        let bracket = |frame: &Frame| matches!(frame, Frame::Bracket { .. });
        if matches!(self.token.kind, TokenKind::Lower(_))
            && start > 0
            && self.lexer.slice(start - 1, start) == "\n"
            && !self.frames.iter().any(bracket)
        {
            self.apart.put(self.token.span())?;
        }
        Ok(())
    }

    /// Reads an argument of the innermost open application, if there is one.
    fn argument(&mut self) -> Result<Step, SyntaxError> {
        if !matches!(self.frames.last(), Some(Frame::Apply { .. })) {
            return Err(self.operator_expected());
        }
        if self.token.kind == TokenKind::Open {
            return self.open('(');
        }
        self.note_apart()?;
        match self.simple()? {
            Some(Head::Name(atom, span)) => {
                let node = self.add(Node::Atom(atom), span)?;
                self.operands.put(node)?;
            }
            Some(Head::Term(node)) => self.operands.put(node)?,
            None => return Err(self.operator_expected()),
        }
        Ok(Step::Operator)
    }

    /// Finishes the operators that bind more tightly than this one; they belong to its left
    /// operand.
    fn make_room(&mut self, level: u8, grouping: Grouping) -> Result<(), SyntaxError> {
        loop {
            let tighter = match self.frames.last() {
                Some(Frame::Apply { .. }) => true,
                Some(Frame::Infix { op, .. }) => {
                    op.level > level || op.level == level && grouping == Grouping::Left
                }
                Some(Frame::Else { .. }) => BAR_LEVEL > level,
                _ => false,
            };
            if !tighter {
                return Ok(());
            }
            self.finish_top()?;
        }
    }

    /// Reads the `|` of the innermost open guard.
    fn bar(&mut self) -> Result<Step, SyntaxError> {
        loop {
            match self.frames.last_mut() {
                Some(Frame::Guard { .. }) => {
                    let span = self.take()?.span();
                    self.frames.pop();
                    self.frames.put(Frame::Else { span })?;
                    return Ok(Step::Operand);
                }
                Some(
                    Frame::Apply { .. }
                    | Frame::Infix { .. }
                    | Frame::Else { .. }
                    | Frame::Quantifier { .. },
                ) => self.finish_top()?,
                _ => return Err(self.stray_bar()),
            }
        }
    }

    /// Finishes all open constructs inside the innermost bracket.
    fn finish_inside(&mut self) -> Result<(), SyntaxError> {
        loop {
            match self.frames.last() {
                None | Some(Frame::Bracket { .. }) => return Ok(()),
                Some(&Frame::Guard { span }) => return Err(self.guard_without_else(span)),
                Some(_) => self.finish_top()?,
            }
        }
    }

    fn close(&mut self) -> Result<Step, SyntaxError> {
        self.finish_inside()?;
        let opened = match self.token.kind {
            TokenKind::Close => '(',
            TokenKind::CloseCurly => '{',
            _ => '[',
        };
        let start = match self.frames.last() {
            Some(&Frame::Bracket { open, start }) if open == opened => start,
            _ => return Err(self.mismatch()),
        };
        let span = Span::new(start, self.take()?.end);
        self.frames.pop();
        if opened == '(' {
            self.finish_parentheses(span)?;
            return Ok(Step::Operator);
        }
        let inside = self.pop_operand();
        let node = match opened {
            '{' => self.compound(atoms::CURLY, &[inside], span),
            _ => self.named_compound(SQUARE, &[inside], span),
        };
        self.operands.put(node?)?;
        Ok(Step::Operator)
    }

    /// Finishes a term in parentheses, which is an argument or the head of an application.
    fn finish_parentheses(&mut self, span: Span) -> Result<(), Stop> {
        if let Some(&inside) = self.operands.last() {
            self.ast.spans[inside.0 as usize] = span;
        }
        if !matches!(self.frames.last(), Some(Frame::Apply { .. })) {
            let head = Head::Term(self.pop_operand());
            let base = self.operands.len();
            self.frames.put(Frame::Apply { head, base })?;
        }
        Ok(())
    }

    // --- Finished terms ---

    /// Builds the term of the innermost open construct, which is no bracket and no guard without
    /// `|`.
    fn finish_top(&mut self) -> Result<(), SyntaxError> {
        match self.frames.pop() {
            Some(Frame::Apply { head, base }) => self.finish_application(head, base)?,
            Some(Frame::Infix { op, .. }) => {
                let right = self.pop_operand();
                let left = self.pop_operand();
                let span = Span {
                    start: self.ast.span(left).start,
                    end: self.ast.span(right).end,
                };
                let (name, swapped) = op.term;
                let args = if swapped {
                    [right, left]
                } else {
                    [left, right]
                };
                let node = self.named_compound(name, &args, span)?;
                self.operands.put(node)?;
            }
            Some(Frame::Else { .. }) => {
                let otherwise = self.pop_operand();
                let then = self.pop_operand();
                let test = self.pop_operand();
                let span = Span {
                    start: self.ast.span(test).start,
                    end: self.ast.span(otherwise).end,
                };
                let node = self.named_compound(GUARD, &[test, then, otherwise], span);
                self.operands.put(node?)?;
            }
            Some(Frame::Quantifier {
                quantifier,
                bound,
                name_span,
                start,
            }) => {
                if let Some(count) = self.bound.get_mut(&bound) {
                    *count -= 1;
                    if *count == 0 {
                        self.bound.remove(&bound);
                    }
                }
                let body = self.pop_operand();
                let end = self.ast.span(body).end;
                let name = self.add(Node::Atom(bound), name_span)?;
                let inner = Span {
                    start: name_span.start,
                    end,
                };
                let inner = self.named_compound(ABSTRACTION, &[name, body], inner)?;
                let whole = Span::new(start, end as usize);
                let node = self.named_compound(quantifier, &[inner], whole);
                self.operands.put(node?)?;
            }
            _ => unreachable!("brackets and guards are finished by what closes them"),
        }
        Ok(())
    }

    fn finish_application(&mut self, head: Head, base: usize) -> Result<(), SyntaxError> {
        if self.operands.len() == base {
            let node = match head {
                Head::Name(atom, span) => self.add(Node::Atom(atom), span),
                Head::Term(node) => Ok(node),
            }?;
            self.operands.put(node)?;
            return Ok(());
        }
        let start = match head {
            Head::Name(_, span) => span.start,
            Head::Term(node) => self.ast.span(node).start,
        };
        let end = match self.operands.last() {
            Some(&arg) => self.ast.span(arg).end,
            None => start,
        };
        let span = Span { start, end };
        let (name, first) = self.applied(head)?;
        self.ast.args.put_all(self.operands.drain(base..))?;
        let arity = self.ast.args.len() - first;
        if arity > MAX_ARITY {
            return Err(error_at(span, LolliSyntax::MaxArity));
        }
        let functor = match arity {
            1 if self.symbols.text(name) == BANG => functors::CURLY1,
            _ => self.symbols.functor_read(name, arity)?,
        };
        let first = first as u32;
        let node = self.add(Node::Compound { functor, first }, span);
        self.operands.put(node?)?;
        Ok(())
    }

    /// Returns the name of the term that `head` and further arguments form. Also returns the index
    /// where the arguments of `head` itself begin. They are the last ones so far.
    fn applied(&mut self, head: Head) -> Result<(Atom, usize), Stop> {
        let next = self.ast.args.len();
        let node = match head {
            Head::Name(atom, _) => return Ok((atom, next)),
            Head::Term(node) => node,
        };
        let (functor, first) = match *self.ast.node(node) {
            Node::Atom(atom) => return Ok((atom, next)),
            Node::Compound { functor, first }
                if self.symbols.text(self.symbols.name(functor)) != BOUND =>
            {
                (functor, first as usize)
            }
            _ => {
                self.ast.args.put(node)?;
                self.symbols.applications = true;
                return Ok((self.symbols.intern(APPLICATION)?, next));
            }
        };
        let name = match functor {
            functors::CURLY1 => self.symbols.intern(BANG)?,
            _ => self.symbols.name(functor),
        };
        // The term of the head alone is not part of the whole.
        self.ast.nodes[node.0 as usize] = Node::Atom(atoms::NIL);
        if first + functor.arity() == next {
            return Ok((name, first));
        }
        for at in first..first + functor.arity() {
            let arg = self.ast.args[at];
            self.ast.args.put(arg)?;
        }
        Ok((name, next))
    }
}
