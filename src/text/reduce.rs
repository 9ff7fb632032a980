//! The stacks of the parser, and the construction of terms from finished operands. The stacks are
//! kept in the tree so that their memory is reused.

use super::ast::{Ast, Node, NodeId};
use super::layout::Shape;
use super::syntax_error::{SyntaxError, SyntaxErrorKind as Kind};
use crate::base::atom_table::{Atom, Functor, MAX_ARITY, Symbols, atoms, functors};
use crate::base::growth::Grow;
use crate::base::source::Span;
use crate::base::stop::Stop;

/// The kind of an open construct: a bracket, or an operator that waits for its right operand.
#[derive(Copy, Clone, Debug, PartialEq, Eq)]
pub(super) enum FrameKind {
    /// The clause itself.
    Clause,
    /// `(`.
    Paren,
    /// `{`.
    Curly,
    /// The arguments of a term.
    Args,
    /// The elements of a list.
    List,
    /// The tail of a list.
    Tail,
    /// A prefix operator.
    Prefix,
    /// An infix operator whose left operand is finished.
    Infix,
}

/// An entry of the stack of open constructs.
#[derive(Copy, Clone, Debug)]
pub(super) struct Frame {
    /// The kind of the construct.
    pub(super) kind: FrameKind,
    /// The innermost open bracket at this entry, or the clause.
    pub(super) bracket: FrameKind,
    /// Maximum priority of a term inside.
    pub(super) limit: u16,
    /// The operator, or the name of the term with these arguments.
    pub(super) name: Atom,
    /// The place of the name or the bracket of the frame.
    pub(super) place: Span,
    /// For a bracket: the number of operands finished before it. For an operator: its priority.
    pub(super) base: u32,
}

impl Frame {
    /// Returns whether the frame is an operator, which the following token can finish.
    pub(super) fn is_operator(self) -> bool {
        matches!(self.kind, FrameKind::Prefix | FrameKind::Infix)
    }

    /// Returns the opening bracket of the frame.
    pub(super) fn bracket(self) -> Option<char> {
        match self.kind {
            FrameKind::Paren | FrameKind::Args => Some('('),
            FrameKind::Curly => Some('{'),
            FrameKind::List | FrameKind::Tail => Some('['),
            _ => None,
        }
    }
}

/// A finished subterm.
#[derive(Copy, Clone, Debug)]
pub(super) struct Operand {
    /// The node.
    pub(super) node: NodeId,
    /// The priority.
    pub(super) priority: u16,
}

/// The last functor, which is usually also the functor of the next term.
#[derive(Copy, Clone, Debug)]
pub(super) struct LastFunctor {
    name: Atom,
    functor: Functor,
}

impl LastFunctor {
    /// Creates a memory with an arbitrary functor.
    pub(super) fn new() -> LastFunctor {
        LastFunctor {
            name: atoms::DOT,
            functor: functors::LIST,
        }
    }

    fn get(&mut self, symbols: &mut Symbols, name: Atom, arity: usize) -> Result<Functor, Stop> {
        if self.name != name || self.functor.arity() != arity {
            *self = LastFunctor {
                name,
                functor: symbols.functor_read(name, arity)?,
            };
        }
        Ok(self.functor)
    }
}

impl Ast {
    /// Returns the innermost open frame. The clause is always open.
    pub(super) fn top(&self) -> Frame {
        match self.frames.last() {
            Some(&frame) => frame,
            None => unreachable!("the clause is open until it is read"),
        }
    }

    /// Returns the innermost open bracket, or the clause.
    pub(super) fn innermost_bracket(&self) -> Frame {
        match self.frames.iter().rev().find(|frame| !frame.is_operator()) {
            Some(&frame) => frame,
            None => unreachable!("the clause is open until it is read"),
        }
    }

    pub(super) fn push_operand(
        &mut self,
        node: Node,
        span: Span,
        priority: u16,
    ) -> Result<(), Stop> {
        let node = self.add(node, span)?;
        self.operands.put(Operand { node, priority })?;
        Ok(())
    }

    pub(super) fn pop_operand(&mut self) -> Operand {
        match self.operands.pop() {
            Some(operand) => operand,
            None => unreachable!("every operator that is finished has its operands"),
        }
    }

    /// Returns the priority of the operand on the left of the current token.
    pub(super) fn left_priority(&self) -> u16 {
        self.operands.last().map_or(0, |operand| operand.priority)
    }

    /// Builds the term of the innermost open operator.
    pub(super) fn finish_operator(
        &mut self,
        symbols: &mut Symbols,
        last: &mut LastFunctor,
    ) -> Result<(), Stop> {
        let Some(frame) = self.frames.pop() else {
            return Ok(());
        };
        let right = self.pop_operand();
        let end = self.span(right.node).end;
        let priority = frame.base as u16;
        let first = self.args.len() as u32;
        let start = if frame.kind == FrameKind::Infix {
            let left = self.pop_operand();
            self.args.put(left.node)?;
            self.span(left.node).start
        } else {
            frame.place.start
        };
        self.args.put(right.node)?;
        let functor = last.get(symbols, frame.name, self.args.len() - first as usize)?;
        let span = Span { start, end };
        self.push_compound(functor, first, span, frame.place, priority)?;
        Ok(())
    }

    fn push_compound(
        &mut self,
        functor: Functor,
        first: u32,
        span: Span,
        name: Span,
        priority: u16,
    ) -> Result<(), Stop> {
        let arity = functor.arity() as u32;
        self.note(span, Shape::Compound { name, arity })?;
        self.push_operand(Node::Compound { functor, first }, span, priority)?;
        Ok(())
    }

    /// Builds the term of a postfix operator at `name`.
    pub(super) fn finish_postfix(
        &mut self,
        functor: Functor,
        name: Span,
        priority: u16,
    ) -> Result<(), Stop> {
        let left = self.pop_operand();
        let first = self.args.len() as u32;
        self.args.put(left.node)?;
        let start = self.span(left.node).start;
        let span = Span { start, ..name };
        self.push_compound(functor, first, span, name, priority)?;
        Ok(())
    }

    /// Builds the term of the innermost open arguments, which end with `)` at `end`.
    pub(super) fn finish_arguments(
        &mut self,
        symbols: &mut Symbols,
        last: &mut LastFunctor,
        end: usize,
    ) -> Result<(), SyntaxError> {
        let Some(frame) = self.frames.pop() else {
            return Ok(());
        };
        let base = frame.base as usize;
        let arity = self.operands.len() - base;
        let start = frame.place.start as usize;
        if arity > MAX_ARITY {
            return Err(SyntaxError::new(start, end, Kind::MaxArity));
        }
        let first = self.args.len() as u32;
        let Ast { args, operands, .. } = self;
        args.put_all(operands.drain(base..).map(|operand| operand.node))?;
        let functor = last.get(symbols, frame.name, arity)?;
        let span = Span::new(start, end);
        self.push_compound(functor, first, span, frame.place, 0)?;
        Ok(())
    }

    /// Builds the innermost open list, which ends with `]` at `end`.
    pub(super) fn finish_list(&mut self, end: usize) -> Result<(), Stop> {
        let Some(frame) = self.frames.pop() else {
            return Ok(());
        };
        let base = frame.base as usize;
        let mut tail = if frame.kind == FrameKind::Tail {
            self.pop_operand().node
        } else {
            self.add(Node::Atom(atoms::NIL), Span::new(end - 1, end))?
        };
        let span = Span::new(frame.place.start as usize, end);
        let shape = Shape::List {
            elements: (self.operands.len() - base) as u32,
            has_tail: frame.kind == FrameKind::Tail,
        };
        self.note(span, shape)?;
        let end = span.end;
        while self.operands.len() > base {
            let element = self.pop_operand().node;
            let first = self.args.len() as u32;
            self.args.put(element)?;
            self.args.put(tail)?;
            let start = match self.operands.len() == base {
                true => span.start,
                false => self.span(element).start,
            };
            let node = Node::Compound {
                functor: functors::LIST,
                first,
            };
            tail = self.add(node, Span { start, end })?;
        }
        self.operands.put(Operand {
            node: tail,
            priority: 0,
        })?;
        Ok(())
    }

    /// Builds the term in parentheses or braces that end at `end`.
    pub(super) fn finish_enclosed(&mut self, end: usize) -> Result<(), Stop> {
        let Some(frame) = self.frames.pop() else {
            return Ok(());
        };
        let inside = self.pop_operand().node;
        let span = Span::new(frame.place.start as usize, end);
        if frame.kind == FrameKind::Curly {
            self.note(span, Shape::Braces)?;
            let first = self.args.len() as u32;
            self.args.put(inside)?;
            let node = Node::Compound {
                functor: functors::CURLY1,
                first,
            };
            self.push_operand(node, span, 0)?;
        } else {
            self.note(span, Shape::Parentheses)?;
            self.spans[inside.0 as usize] = span;
            self.operands.put(Operand {
                node: inside,
                priority: 0,
            })?;
        }
        Ok(())
    }
}
