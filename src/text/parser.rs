//! The parser: from tokens to a term (ISO 13211-1, 6.3). It is an operator precedence parser with
//! its own stack, so that deep nesting cannot overflow the stack of the program.
//!
//! Invariant: when an operand is expected, the innermost open frame has the maximum priority of the
//! operand. When an operator is expected, the last finished operand fits the open frames.
//! Long because the open frames, from operand to bracket, are one state.

use super::ast::{Ast, Node};
use super::char_class::is_alphanumeric;
use super::conversion::read_converted;
use super::layout::Shape;
use super::lexer::Lexer;
use super::numeral::negate;
use super::reduce::{Frame, FrameKind, LastFunctor};
use super::resume::recover;
use super::syntax_error::{SyntaxError, SyntaxErrorKind as Kind};
use super::token::{Token, TokenKind};
use crate::base::atom_table::{Atom, FastMap, Symbols, atoms};
use crate::base::flags::{Flags, QuoteMode};
use crate::base::growth::{Grow, require_memory};
use crate::base::number::Number;
use crate::base::op_table::{OpDef, OpTable, OpType};
use crate::base::source::Span;
use crate::base::stop::Stop;
use crate::base::watch::{self, Watch};
use std::mem::{replace, take};

/// Maximum priority of a clause, and of a term in parentheses or braces.
pub(super) const MAX_PRIORITY: u16 = 1200;
/// Maximum priority of an argument and of a list element in the standard.
const ARGUMENT_PRIORITY: u16 = 999;
/// Priority of an operator used as an atom in the standard.
const BARE_OPERATOR_PRIORITY: u16 = 1201;
/// The comma as an operator; programs cannot change it.
const COMMA: OpDef = OpDef {
    priority: 1000,
    op_type: OpType::Xfy,
};

/// The tables and settings for reading.
pub(crate) struct ReadContext<'a> {
    /// The names; new ones are added.
    pub(crate) symbols: &'a mut Symbols,
    /// The operators.
    pub(crate) ops: &'a OpTable,
    /// The flags: the meaning of quoted items, and whether characters are converted.
    pub(crate) flags: &'a Flags,
    /// The conversions of `char_conversion/2`.
    pub(crate) char_conversions: Option<&'a FastMap<char, char>>,
    /// Maximum number of subterms, finished or open; see [`Ast::NODE_BYTES`].
    pub(crate) room: usize,
    /// Whether new names may be collected when they are no longer used. Otherwise they are
    /// permanent.
    pub(crate) passing: bool,
    /// The watch that says whether reading must stop; it then ends as if there were no memory.
    pub(crate) watch: &'a Watch,
}

/// Reads the term that begins at byte `*pos` of `text` and ends with `.`, and moves `*pos` after
/// its end token. Returns `Ok(false)` if only layout is left. After a syntax error, `*pos` is after
/// the clause that contains the error, so that reading can continue.
pub(crate) fn read_term(
    text: &str,
    pos: &mut usize,
    ctx: &mut ReadContext<'_>,
    ast: &mut Ast,
) -> Result<bool, SyntaxError> {
    let before = ctx.symbols.read_passing(ctx.passing);
    let result = match ctx.char_conversions {
        Some(conversions) if ctx.flags.char_conversion && !conversions.is_empty() => {
            read_converted(text, pos, conversions, ctx, ast)
        }
        _ => read_unconverted(text, pos, ctx, ast),
    };
    ctx.symbols.read_passing(before);
    result
}

/// Reads a term of a text without character conversion.
pub(super) fn read_unconverted(
    text: &str,
    pos: &mut usize,
    ctx: &mut ReadContext<'_>,
    ast: &mut Ast,
) -> Result<bool, SyntaxError> {
    ast.clear();
    let start = *pos;
    let module_goals = ctx.ops.is_op(atoms::MODULE_GOAL);
    let lexis = ctx.flags.lexis().with_module_goals(module_goals);
    let mut lexer = Lexer::new(text, start, lexis).watched(ctx.watch);
    // The list belongs to the tree, and the parser borrows the rest of the tree.
    let mut comments = ast.layout.as_mut().map(|layout| take(&mut layout.comments));
    lexer.comments = comments.as_mut();
    let mut result = lexer.next_token().and_then(|token| {
        if token.kind == TokenKind::Eof {
            *pos = text.len();
            return Ok(false);
        }
        let clause_start = token.start;
        let mut parser = Parser {
            lexer,
            previous_end: token.start,
            token,
            symbols: &mut *ctx.symbols,
            ops: ctx.ops,
            flags: ctx.flags,
            ast: &mut *ast,
            last_functor: LastFunctor::new(),
            clause_start,
            line_begin: None,
            bare: Span::default(),
            argument_priority: match ctx.flags.iso {
                true => ARGUMENT_PRIORITY,
                false => MAX_PRIORITY,
            },
            room: ctx.room,
            free: ctx.room.min(watch::STEPS),
            watch: ctx.watch,
        };
        *pos = parser.clause()?;
        ast.span = Span::new(clause_start, *pos);
        Ok(true)
    });
    if let (Some(layout), Some(comments)) = (&mut ast.layout, comments) {
        layout.comments = comments;
    }
    let stopped = |error: &SyntaxError| error.is_out_of_memory() && ctx.watch.stop_wanted();
    if result.as_ref().is_err_and(stopped) {
        // Reading was stopped, so nothing reads on from here.
        *pos = start;
    } else if let Err(error) = &mut result {
        *pos = recover(text, start, error, lexis);
    }
    result
}

/// The next step.
enum Step {
    Operand,
    Operator,
    Finished,
}

/// The state of reading one clause.
pub(super) struct Parser<'p, 't> {
    pub(super) lexer: Lexer<'t>,
    /// The current token.
    pub(super) token: Token<'t>,
    /// The end of the token before the present one.
    pub(super) previous_end: usize,
    pub(super) symbols: &'p mut Symbols,
    ops: &'p OpTable,
    flags: &'p Flags,
    pub(super) ast: &'p mut Ast,
    last_functor: LastFunctor,
    pub(super) clause_start: usize,
    /// The last token at the beginning of a line.
    pub(super) line_begin: Option<Span>,
    /// The last operator that was read as an atom because it could not be an operator.
    pub(super) bare: Span,
    /// Maximum priority of an argument and of a list element.
    argument_priority: u16,
    room: usize,
    /// Number of subterms up to which no limit is checked.
    free: usize,
    watch: &'p Watch,
}

impl<'t> Parser<'_, 't> {
    /// Reads a clause and returns the offset after its end token.
    fn clause(&mut self) -> Result<usize, SyntaxError> {
        self.open(
            FrameKind::Clause,
            MAX_PRIORITY,
            atoms::NIL,
            Span::new(self.clause_start, self.clause_start),
        )?;
        let mut step = Step::Operand;
        loop {
            let size = self.ast.size();
            if size > self.free {
                if size > self.room || self.watch.stop_wanted_after(watch::STEPS) {
                    return Err(self.error_here(Kind::NoMemory));
                }
                self.free = self.room.min(size + watch::STEPS);
            }
            step = match step {
                Step::Operand => self.operand()?,
                Step::Operator => self.operator()?,
                Step::Finished => {
                    self.ast.root = self.ast.pop_operand().node;
                    return Ok(self.token.end);
                }
            }
        }
    }

    /// Takes the current token and reads the next one.
    fn take(&mut self) -> Result<Token<'t>, SyntaxError> {
        let next = self.lexer.next_token()?;
        self.previous_end = self.token.end;
        if next.start > self.previous_end && self.lexer.begins_line(next.start) {
            self.line_begin = Some(next.span());
        }
        Ok(replace(&mut self.token, next))
    }

    fn open(&mut self, kind: FrameKind, limit: u16, name: Atom, place: Span) -> Result<(), Stop> {
        let base = self.ast.operands.len() as u32;
        self.ast.frames.put(Frame {
            kind,
            bracket: kind,
            limit,
            name,
            place,
            base,
        })?;
        Ok(())
    }

    /// Returns whether `(` immediately follows the token that was taken.
    fn arguments_follow(&self) -> bool {
        self.token.kind == TokenKind::Open && self.token.start == self.previous_end
    }

    // --- Where an operand is expected ---

    fn operand(&mut self) -> Result<Step, SyntaxError> {
        if matches!(
            self.token.kind,
            TokenKind::Close
                | TokenKind::CloseList
                | TokenKind::CloseCurly
                | TokenKind::Comma
                | TokenKind::Bar
                | TokenKind::End
                | TokenKind::Eof
        ) {
            return Err(self.operand_expected());
        }
        let token = self.take()?;
        let span = token.span();
        match token.kind {
            TokenKind::Name(text) => {
                let atom = self.symbols.intern_read(text)?;
                self.atom(atom, false, token.start, token.end)
            }
            TokenKind::Quoted(text) => {
                let atom = self.symbols.intern_read(&text);
                self.atom(atom?, true, token.start, token.end)
            }
            TokenKind::Var(name) => {
                if self.arguments_follow() && self.flags.variable_functors {
                    let atom = self.symbols.intern_read(name);
                    return self.atom(atom?, false, token.start, token.end);
                }
                if self.arguments_follow() {
                    let kind = Kind::VariableFunctor { name: name.into() };
                    return Err(SyntaxError::new(token.start, self.token.end, kind));
                }
                let var = self.ast.occurrence(name, span)?;
                Ok(self.finished(Node::Var(var), span)?)
            }
            TokenKind::Number(number) => Ok(self.finished(number_node(number), span)?),
            TokenKind::LongNumber(number) => {
                let (number, span) = self.before_operator(number, span)?;
                Ok(self.finished(number_node(number), span)?)
            }
            TokenKind::DoubleQuoted(text) => {
                Ok(self.text(&text, self.flags.double_quotes, span)?)
            }
            TokenKind::BackQuoted(text) => Ok(self.text(&text, self.flags.back_quotes, span)?),
            TokenKind::OpenList if self.token.kind == TokenKind::CloseList => {
                let end = self.take()?.end;
                self.atom(atoms::NIL, false, token.start, end)
            }
            TokenKind::OpenCurly if self.token.kind == TokenKind::CloseCurly => {
                let end = self.take()?.end;
                self.atom(atoms::CURLY, false, token.start, end)
            }
            kind => {
                let (frame, limit) = match kind {
                    TokenKind::OpenList => (FrameKind::List, self.argument_priority),
                    TokenKind::OpenCurly => (FrameKind::Curly, MAX_PRIORITY),
                    _ => (FrameKind::Paren, MAX_PRIORITY),
                };
                self.open(frame, limit, atoms::NIL, span)?;
                Ok(Step::Operand)
            }
        }
    }

    /// Returns the number that was taken and its place. If an operator follows the shorter number that the
    /// standard reads there, returns that number; the operator is then the next token.
    fn before_operator(
        &mut self,
        number: Number,
        span: Span,
    ) -> Result<(Number, Span), SyntaxError> {
        let start = span.start as usize;
        let Some((short, end, name)) = self.lexer.short_number(start) else {
            return Ok((number, span));
        };
        if !self.ops.continues(self.symbols, &name) {
            return Ok((number, span));
        }
        self.lexer.go_back(end);
        self.token = self.lexer.next_token()?;
        self.previous_end = end;
        Ok((short, Span::new(start, end)))
    }

    fn finished(&mut self, node: Node, span: Span) -> Result<Step, Stop> {
        self.ast.note(span, Shape::Simple)?;
        self.ast.push_operand(node, span, 0)?;
        Ok(Step::Operator)
    }

    fn text(&mut self, text: &str, mode: QuoteMode, span: Span) -> Result<Step, Stop> {
        require_memory(text.len())?;
        let node = match mode {
            QuoteMode::Atom => Node::Atom(self.symbols.intern_read(text)?),
            QuoteMode::String => Node::String(text.into()),
            _ if text.is_empty() => Node::Atom(atoms::NIL),
            QuoteMode::Codes => Node::Codes(text.into()),
            QuoteMode::Chars => Node::Chars(text.into()),
        };
        self.ast.note(span, Shape::Text)?;
        self.ast.push_operand(node, span, 0)?;
        Ok(Step::Operator)
    }

    /// Reads an atom where an operand is expected: the name of a term with arguments, the sign of a
    /// number, a prefix operator, or an atom. With the flag `iso`, an operator used as an atom needs
    /// parentheses unless it is a whole argument.
    fn atom(
        &mut self,
        atom: Atom,
        quoted: bool,
        start: usize,
        end: usize,
    ) -> Result<Step, SyntaxError> {
        let span = Span::new(start, end);
        if self.arguments_follow() {
            return self.arguments(atom, span);
        }
        let top = self.ast.top();
        let is_argument = matches!(
            top.kind,
            FrameKind::Args | FrameKind::List | FrameKind::Tail
        );
        if is_argument && self.argument_ends() {
            return Ok(self.finished(Node::Atom(atom), span)?);
        }
        if atom == atoms::MINUS
            && matches!(
                self.token.kind,
                TokenKind::Number(_) | TokenKind::LongNumber(_)
            )
        {
            let token = self.take()?;
            let place = token.span();
            let number = match token.kind {
                TokenKind::Number(number) => Some((number, place)),
                TokenKind::LongNumber(number) => Some(self.before_operator(number, place)?),
                _ => None,
            };
            if let Some((number, place)) = number {
                let span = Span {
                    end: place.end,
                    ..span
                };
                return Ok(self.finished(number_node(negate(number)), span)?);
            }
        }
        let prefix = self.ops.prefix(atom);
        if let Some(def) = prefix
            && match self.starts_term(&self.token) {
                true => !(quoted && self.is_left_operand(def)),
                false => !quoted && self.takes_operator(atom, def),
            }
        {
            if def.priority > top.limit {
                return Err(self.clash(atom, def.priority, top.limit, span));
            }
            self.shift(FrameKind::Prefix, atom, def, span)?;
            return Ok(Step::Operand);
        }
        let is_operator =
            prefix.is_some_and(|def| !self.is_directive_word(atom, def)) || self.continues(atom);
        if !is_operator || (quoted && !self.flags.iso) {
            return Ok(self.finished(Node::Atom(atom), span)?);
        }
        if !self.flags.iso {
            self.bare = span;
            return Ok(self.finished(Node::Atom(atom), span)?);
        }
        if top.is_operator() || is_argument || !self.encloses() {
            let name = self.symbols.text(atom).into();
            return Err(self.at_span(span, Kind::OperatorAsOperand { name }));
        }
        self.ast.note(span, Shape::Simple)?;
        self.ast
            .push_operand(Node::Atom(atom), span, BARE_OPERATOR_PRIORITY)?;
        Ok(Step::Operator)
    }

    /// Reads the arguments of a term with this name; their bracket is the next token.
    fn arguments(&mut self, name: Atom, span: Span) -> Result<Step, SyntaxError> {
        self.take()?;
        if self.token.kind != TokenKind::Close {
            self.open(FrameKind::Args, self.argument_priority, name, span)?;
            return Ok(Step::Operand);
        }
        if self.flags.iso {
            let name = self.symbols.text(name).into();
            return Err(self.error_here(Kind::EmptyArguments { name }));
        }
        let end = self.take()?.end;
        self.open(FrameKind::Args, self.argument_priority, name, span)?;
        self.ast
            .finish_arguments(self.symbols, &mut self.last_functor, end)?;
        Ok(Step::Operator)
    }

    /// Returns whether a quoted prefix operator is the left operand of the next operator; `def` is its
    /// definition. This is so if the next operator binds too loosely to begin the operand of the prefix
    /// operator. Standard texts never contain this.
    fn is_left_operand(&self, def: OpDef) -> bool {
        self.next_name().is_some_and(|next| {
            self.ops.infix(next).is_some()
                && self.ops.prefix(next).is_some_and(|prefix| prefix.priority > def.right_max())
                && !self.lexer.opens_arguments(self.token.end)
                // The minus may be the sign of a number.
                && next != atoms::MINUS
        })
    }

    /// Returns whether the next operator is the operand of this prefix operator. This is so if the prefix
    /// operator cannot be its left operand. It is also so if the next operator is quoted and another operator
    /// or nothing follows it. Standard texts never contain this.
    fn takes_operator(&mut self, atom: Atom, def: OpDef) -> bool {
        let Some(next) = self.next_name() else {
            return false;
        };
        let quoted = matches!(self.token.kind, TokenKind::Quoted(_));
        let (infix, postfix) = (self.ops.infix(next), self.ops.postfix(next));
        let looser = |next: OpDef| next.left_max() > def.right_max();
        if def.priority > self.ast.top().limit || !quoted && infix.or(postfix).is_none_or(looser) {
            return false;
        }
        let at = self.lexer.place();
        let takes = match self.is_directive_word(atom, def) {
            true => postfix.is_none() && self.is_operand_of_word(),
            false => !quoted || self.is_quoted_operand(),
        };
        self.lexer.go_back(at);
        takes
    }

    /// Returns whether the current token, an operator, is the operand of the word before it. The word is
    /// an atom in `dynamic = a` and `dynamic = *`, and an operator in `dynamic mod/2`. Moves the lexer.
    fn is_operand_of_word(&mut self) -> bool {
        let Ok(second) = self.lexer.next_token() else {
            return false;
        };
        if self.starts_term(&second) {
            return false;
        }
        let name = self.name_of(&second);
        if name.is_none_or(|name| self.ops.infix(name).is_none()) {
            return true;
        }
        let third = self.lexer.next_token();
        third.is_ok_and(|third| self.starts_term(&third))
    }

    /// Returns whether the current token, a quoted operator, is an operand because no operand follows it.
    /// Moves the lexer.
    fn is_quoted_operand(&mut self) -> bool {
        let Ok(second) = self.lexer.next_token() else {
            return false;
        };
        let name = self.name_of(&second);
        name.is_some_and(|name| self.continues(name)) || !self.starts_term(&second)
    }

    /// Returns the atom that the next token names, if there is one. Returns none with the flag
    /// `iso`.
    fn next_name(&self) -> Option<Atom> {
        match self.flags.iso {
            true => None,
            false => self.name_of(&self.token),
        }
    }

    /// Returns whether a name is an operator that follows an operand.
    fn continues(&self, name: Atom) -> bool {
        self.ops.infix(name).is_some() || self.ops.postfix(name).is_some()
    }

    /// Returns the atom that a token names, if there is one.
    fn name_of(&self, token: &Token<'_>) -> Option<Atom> {
        match &token.kind {
            TokenKind::Name(text) => self.symbols.find(text),
            TokenKind::Quoted(text) => self.symbols.find(text),
            _ => None,
        }
    }

    /// Returns whether an atom is a prefix operator such as `dynamic`, which is an operator only at the
    /// beginning of a directive. Elsewhere it is an ordinary atom.
    fn is_directive_word(&self, atom: Atom, def: OpDef) -> bool {
        def.priority > ARGUMENT_PRIORITY && self.symbols.text(atom).starts_with(is_alphanumeric)
    }

    fn argument_ends(&self) -> bool {
        matches!(
            self.token.kind,
            TokenKind::Comma | TokenKind::Close | TokenKind::CloseList | TokenKind::Bar
        )
    }

    /// Returns whether the token ends a clause or a term in parentheses or braces.
    fn encloses(&self) -> bool {
        matches!(
            self.token.kind,
            TokenKind::Close | TokenKind::CloseCurly | TokenKind::CloseList | TokenKind::End
        )
    }

    /// Returns whether the token can begin the operand of a prefix operator. An infix operator
    /// cannot: then the prefix operator is an atom.
    fn starts_term(&self, token: &Token<'_>) -> bool {
        let atom = match &token.kind {
            TokenKind::Name(_) | TokenKind::Quoted(_) => self.name_of(token),
            TokenKind::Var(_)
            | TokenKind::Number(_)
            | TokenKind::LongNumber(_)
            | TokenKind::DoubleQuoted(_)
            | TokenKind::BackQuoted(_)
            | TokenKind::Open
            | TokenKind::OpenList
            | TokenKind::OpenCurly => return true,
            _ => return false,
        };
        let Some(atom) = atom else { return true };
        self.ops.prefix(atom).is_some()
            || !self.continues(atom)
            || self.lexer.opens_arguments(token.end)
            // The sign of a number is not an operator.
            || (atom == atoms::MINUS && self.lexer.digit_follows(token.end))
    }

    // --- Where an operator is expected ---

    fn operator(&mut self) -> Result<Step, SyntaxError> {
        let atom = match self.token.kind {
            TokenKind::Comma => return self.comma(),
            TokenKind::Bar => return self.bar(),
            TokenKind::Close | TokenKind::CloseList | TokenKind::CloseCurly => {
                return self.close();
            }
            TokenKind::End => return self.end(),
            _ => self.name_of(&self.token),
        };
        let Some(atom) = atom else {
            return Err(self.operator_expected());
        };
        match (self.ops.infix(atom), self.ops.postfix(atom)) {
            (None, None) => Err(self.operator_expected()),
            (Some(def), None) => self.infix(atom, def),
            (None, Some(def)) => {
                let token = self.take()?;
                self.postfix(atom, def, token.span())
            }
            (Some(infix), Some(postfix)) => {
                let span = self.take()?.span();
                if !self.starts_term(&self.token) {
                    return self.postfix(atom, postfix, span);
                }
                self.make_room(atom, infix, span)?;
                self.shift(FrameKind::Infix, atom, infix, span)?;
                Ok(Step::Operand)
            }
        }
    }

    fn infix(&mut self, atom: Atom, def: OpDef) -> Result<Step, SyntaxError> {
        let span = self.token.span();
        self.make_room(atom, def, span)?;
        self.take()?;
        self.shift(FrameKind::Infix, atom, def, span)?;
        Ok(Step::Operand)
    }

    /// Opens an operator that waits for its right operand.
    fn shift(&mut self, kind: FrameKind, name: Atom, def: OpDef, place: Span) -> Result<(), Stop> {
        let frame = Frame {
            kind,
            bracket: self.ast.top().bracket,
            limit: def.right_max(),
            name,
            place,
            base: u32::from(def.priority),
        };
        self.ast.frames.put(frame)?;
        Ok(())
    }

    fn postfix(&mut self, atom: Atom, def: OpDef, span: Span) -> Result<Step, SyntaxError> {
        self.make_room(atom, def, span)?;
        let functor = self.symbols.functor_read(atom, 1)?;
        self.ast.finish_postfix(functor, span, def.priority)?;
        Ok(Step::Operator)
    }

    fn finish_operator(&mut self) -> Result<(), Stop> {
        self.ast
            .finish_operator(self.symbols, &mut self.last_functor)?;
        Ok(())
    }

    /// Finishes the operators that bind more tightly than this one; they belong to its left
    /// operand.
    fn make_room(&mut self, atom: Atom, def: OpDef, span: Span) -> Result<(), SyntaxError> {
        loop {
            let top = self.ast.top();
            if def.priority <= top.limit {
                break;
            }
            if !top.is_operator() {
                return Err(self.clash(atom, def.priority, top.limit, span));
            }
            self.finish_operator()?;
        }
        if self.ast.left_priority() > def.left_max() {
            return Err(self.clash(atom, def.priority, def.priority, span));
        }
        Ok(())
    }

    fn finish_operators(&mut self) -> Result<(), Stop> {
        while self.ast.top().is_operator() {
            self.finish_operator()?;
        }
        Ok(())
    }

    /// Reads a comma that ends an argument or an element, even after operators with a higher priority
    /// than the comma.
    fn comma(&mut self) -> Result<Step, SyntaxError> {
        match self.ast.top().bracket {
            FrameKind::Args | FrameKind::List => {
                self.finish_operators()?;
                self.take()?;
                Ok(Step::Operand)
            }
            FrameKind::Tail => {
                self.finish_operators()?;
                Err(self.list_tail(self.ast.top()))
            }
            _ => self.infix(atoms::COMMA, COMMA),
        }
    }

    fn bar(&mut self) -> Result<Step, SyntaxError> {
        match (self.ast.top().bracket, self.ops.infix(atoms::BAR)) {
            (FrameKind::List, _) => {
                self.finish_operators()?;
                if let Some(frame) = self.ast.frames.last_mut() {
                    frame.kind = FrameKind::Tail;
                    frame.bracket = FrameKind::Tail;
                }
                self.take()?;
                Ok(Step::Operand)
            }
            (FrameKind::Tail, _) => {
                self.finish_operators()?;
                Err(self.list_tail(self.ast.top()))
            }
            (_, Some(def)) => self.infix(atoms::BAR, def),
            (_, None) => Err(self.operator_expected()),
        }
    }

    fn close(&mut self) -> Result<Step, SyntaxError> {
        self.finish_operators()?;
        let top = self.ast.top();
        match (&self.token.kind, top.kind) {
            (TokenKind::Close, FrameKind::Args) => {
                let end = self.take()?.end;
                self.ast
                    .finish_arguments(self.symbols, &mut self.last_functor, end)?;
            }
            (TokenKind::CloseList, FrameKind::List | FrameKind::Tail) => {
                let end = self.take()?.end;
                self.ast.finish_list(end)?;
            }
            (TokenKind::Close, FrameKind::Paren) | (TokenKind::CloseCurly, FrameKind::Curly) => {
                let end = self.take()?.end;
                self.ast.finish_enclosed(end)?;
            }
            _ => return Err(self.mismatch(top)),
        }
        Ok(Step::Operator)
    }

    fn end(&mut self) -> Result<Step, SyntaxError> {
        self.finish_operators()?;
        let top = self.ast.top();
        match top.bracket() {
            Some(open) => {
                let error = self.error_here(Kind::UnclosedBracket { open });
                Err(error.related_to(self.bracket_span(top)))
            }
            None => Ok(Step::Finished),
        }
    }
}

fn number_node(number: Number) -> Node {
    match number {
        Number::Int(n) => Node::Int(n),
        Number::Big(big) => Node::Big(Box::new(big)),
        Number::Float(f) => Node::Float(f),
    }
}
