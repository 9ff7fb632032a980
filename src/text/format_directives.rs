//! The directives of `format/2,3`, with the meaning they have in SWI-Prolog.
//!
//! A run executes everything that needs no machine. If it needs one, to call a goal or to evaluate
//! an expression, it stops with a request. It continues after the result has been supplied. It
//! holds no terms in between: each step receives the arguments.

use super::bounded_text::{WriteStop, write_steps};
use super::format_columns::ColumnText;
use super::write_options::{WriteEnv, WriteOptions};
use super::writer::{message_text, write_term};
use crate::arith::error::ArithError;
use crate::arith::format::{
    decimal_text, exponent_text, fixed_text, general_text, number_text, push_grouped, radix_text,
};
use crate::base::atom_table::atoms;
use crate::base::growth::GrowText;
use crate::base::number::{Decimal, Number};
use crate::base::stop::Stop;
use crate::store::cell::Cell;
use crate::store::heap::{Store, View};
use std::fmt;

/// Maximum count, width and precision.
const MAX_COUNT: usize = 1 << 24;

/// An error of the format or its arguments.
#[derive(Clone, Debug, PartialEq)]
pub(crate) enum FormatError {
    /// There are fewer arguments than directives that take one.
    NotEnoughArguments,
    /// There are more arguments than directives that take one.
    TooManyArguments,
    /// The directive is unknown; a null character denotes the end of the text.
    UnknownDirective(char),
    /// An argument has the wrong type for its directive.
    BadArgument {
        /// The directive.
        directive: char,
        /// The argument.
        culprit: Cell,
    },
    /// The argument for `*` is not a nonnegative integer.
    BadStar,
    /// The radix is not in the range from 2 to 36.
    BadRadix(usize),
    /// The argument of `~c` is greater than the greatest character code.
    NoCharacter,
    /// A count, a width or a number is too large to be written.
    TooLarge,
    /// Writing the text of a term was stopped.
    Stopped(WriteStop),
}

impl From<Stop> for FormatError {
    fn from(_: Stop) -> FormatError {
        FormatError::Stopped(WriteStop::TooLong)
    }
}

/// The state of a run at its present stop.
#[derive(Copy, Clone, Debug, PartialEq)]
pub(crate) enum FormatStep {
    /// The run has ended.
    Done,
    /// The run requests the output of this goal (`~@`): see [`FormatRun::insert`].
    Goal(Cell),
    /// The run requests the output of `print/1` for this term (`~p`): see [`FormatRun::insert`].
    Print(Cell),
    /// The run requests the output of `write_term/2` for this term with these options (`~W`).
    WriteTerm(Cell, Cell),
    /// The run requests the output of a directive that the program defines (`format_predicate/2`): its
    /// character, its numeric argument and its argument.
    Own(char, Option<usize>, Cell),
    /// The run requests the value of this expression: see [`FormatRun::supply`].
    Evaluate(Cell),
}

/// The data passed to each step of a run.
#[derive(Copy, Clone)]
struct Given<'a> {
    env: &'a WriteEnv<'a>,
    arguments: &'a [Cell],
}

/// A directive that waits for the value of its argument.
#[derive(Clone, Debug)]
struct Waiting {
    directive: char,
    count: Option<usize>,
    value: Option<Number>,
}

/// The state of one formatting operation.
#[derive(Clone, Debug)]
pub(crate) struct FormatRun {
    format: String,
    at: usize,
    next_argument: usize,
    text: ColumnText,
    waiting: Option<Waiting>,
    ask_print: bool,
    message: bool,
    /// Directives that the program defines.
    own: String,
}

impl FormatRun {
    /// Creates a run of `format` from this column on, with its text in this block of memory. With `ask_print` it
    /// stops at each `~p`, because the program defines `portray/1`. Otherwise `~p` writes as `print/1` does without
    /// `portray/1`.
    pub(crate) fn new(format: String, column: usize, ask_print: bool, block: String) -> FormatRun {
        FormatRun {
            format,
            at: 0,
            next_argument: 0,
            text: ColumnText::at_column(column, block),
            waiting: None,
            ask_print,
            message: false,
            own: String::new(),
        }
    }

    /// Sets the directives that the program defines.
    pub(crate) fn with_own(&mut self, directives: &str) {
        directives.clone_into(&mut self.own);
    }

    /// Returns the format.
    pub(crate) fn into_format(self) -> String {
        self.format
    }

    /// Sets whether the text is a message. A message contains only the beginnings of terms.
    pub(crate) fn for_message(&mut self, message: bool) {
        self.message = message;
    }

    /// Adds the requested text.
    pub(crate) fn insert(&mut self, text: &str) -> Result<(), Stop> {
        self.text.push_str(text)?;
        Ok(())
    }

    /// Supplies the requested value.
    pub(crate) fn supply(&mut self, value: Number) {
        if let Some(waiting) = &mut self.waiting {
            waiting.value = Some(value);
        }
    }

    /// Removes and returns the finished text.
    pub(crate) fn take_text(&mut self) -> Result<String, Stop> {
        self.text.take()
    }

    /// Returns the current column, for goals that need the column where their output begins.
    #[cfg(test)]
    pub(crate) fn column(&self) -> usize {
        self.text.column()
    }

    /// Continues until the end or the next request. The arguments are the same at each call.
    ///
    /// # Errors
    /// Returns an error for wrong directives and wrong arguments.
    pub(crate) fn run(
        &mut self,
        env: &WriteEnv<'_>,
        arguments: &[Cell],
    ) -> Result<FormatStep, FormatError> {
        let given = Given { env, arguments };
        if let Some(Waiting {
            directive,
            count,
            value: Some(value),
        }) = self.waiting.take()
        {
            let culprit = self.last_argument(given)?;
            self.number(given, (directive, count), &value, culprit)?;
        }
        loop {
            let rest = self.format.get(self.at..).unwrap_or_default();
            let tilde = rest.bytes().position(|byte| byte == b'~');
            let plain = tilde.unwrap_or(rest.len());
            self.text.push_str(&rest[..plain])?;
            self.at += plain;
            if plain == rest.len() {
                let all_used = self.next_argument >= given.arguments.len();
                return if all_used {
                    Ok(FormatStep::Done)
                } else {
                    Err(FormatError::TooManyArguments)
                };
            }
            self.at += 1;
            // Most directives have no count.
            let (count, directive) = match rest.as_bytes().get(plain + 1) {
                Some(&byte) if byte.is_ascii_alphabetic() => {
                    self.at += 1;
                    (None, char::from(byte))
                }
                _ => {
                    let count = self.count(given)?;
                    (count, self.next_char().unwrap_or('\0'))
                }
            };
            if let Some(step) = self.directive(directive, count, given)? {
                return Ok(step);
            }
        }
    }

    fn peek(&self) -> Option<char> {
        self.format.get(self.at..)?.chars().next()
    }

    fn next_char(&mut self) -> Option<char> {
        let char = self.peek()?;
        self.at += char.len_utf8();
        Some(char)
    }

    /// Parses the numeric argument of a directive: digits, `*`, or a character after a back quote.
    /// A colon, which requests the separators of a locale, is accepted without effect.
    fn count(&mut self, given: Given<'_>) -> Result<Option<usize>, FormatError> {
        let mut count = None;
        match self.peek() {
            Some('*') => {
                self.at += 1;
                let argument = self.argument(given)?;
                let View::Int(value) = given.env.store.view(argument) else {
                    return Err(FormatError::BadStar);
                };
                count = Some(usize::try_from(value).map_err(|_| FormatError::BadStar)?);
            }
            Some('`') => {
                self.at += 1;
                count = self.next_char().map(|char| u32::from(char) as usize);
            }
            _ => {
                while let Some(digit) = self.peek().and_then(|char| char.to_digit(10)) {
                    self.at += 1;
                    count = Some(count.unwrap_or(0) * 10 + digit as usize);
                    if count > Some(MAX_COUNT) {
                        return Err(FormatError::TooLarge);
                    }
                }
            }
        }
        if self.peek() == Some(':') {
            self.at += 1;
        }
        if count > Some(MAX_COUNT) {
            Err(FormatError::TooLarge)
        } else {
            Ok(count)
        }
    }

    fn argument(&mut self, given: Given<'_>) -> Result<Cell, FormatError> {
        let argument = given.arguments.get(self.next_argument).copied();
        self.next_argument += 1;
        argument.ok_or(FormatError::NotEnoughArguments)
    }

    fn last_argument(&self, given: Given<'_>) -> Result<Cell, FormatError> {
        let index = self.next_argument.wrapping_sub(1);
        given
            .arguments
            .get(index)
            .copied()
            .ok_or(FormatError::NotEnoughArguments)
    }

    fn directive(
        &mut self,
        directive: char,
        count: Option<usize>,
        given: Given<'_>,
    ) -> Result<Option<FormatStep>, FormatError> {
        match directive {
            _ if self.own.contains(directive) => {
                let argument = self.argument(given)?;
                return Ok(Some(FormatStep::Own(directive, count, argument)));
            }
            'W' => {
                let term = self.argument(given)?;
                let options = self.argument(given)?;
                return Ok(Some(FormatStep::WriteTerm(term, options)));
            }
            'w' => self.write(given, &WriteOptions::write())?,
            'q' => self.write(given, &WriteOptions::writeq())?,
            'k' => self.write(given, &WriteOptions::write_canonical())?,
            'p' if self.ask_print => return Ok(Some(FormatStep::Print(self.argument(given)?))),
            'p' => self.write(given, &WriteOptions::print())?,
            '@' => return Ok(Some(FormatStep::Goal(self.argument(given)?))),
            'a' => {
                let culprit = self.argument(given)?;
                match given.env.store.view(culprit) {
                    View::Var(_) | View::List(_) | View::Struct(..) => {
                        return Err(FormatError::BadArgument { directive, culprit });
                    }
                    _ => self.push_term(given, culprit, &WriteOptions::default())?,
                }
            }
            's' => {
                let culprit = self.argument(given)?;
                self.text
                    .push_with(|text| match put_text_of(given.env, culprit, text)? {
                        true => Ok(()),
                        false => Err(FormatError::BadArgument { directive, culprit }),
                    })?;
            }
            'c' => self.character(count, given)?,
            'd' | 'D' | 'I' | 'e' | 'f' | 'g' | 'r' | 'R' => {
                return self.numeric(directive, count, given);
            }
            'n' => self.text.push_times('\n', count.unwrap_or(1))?,
            'i' => {
                self.argument(given)?;
            }
            '~' => self.text.push_str("~")?,
            't' => {
                let code = count.and_then(|code| u32::try_from(code).ok());
                let fill = code.map_or(Some(' '), char::from_u32);
                self.text
                    .fill_point(fill.ok_or(FormatError::NoCharacter)?)?;
            }
            '|' => self.text.stop_at(count.unwrap_or(self.text.column()))?,
            '+' => self.text.stop_after(count.unwrap_or(8))?,
            _ => return Err(FormatError::UnknownDirective(directive)),
        }
        Ok(None)
    }

    fn write(&mut self, given: Given<'_>, options: &WriteOptions) -> Result<(), FormatError> {
        let argument = self.argument(given)?;
        self.push_term(given, argument, options)
    }

    fn push_term(
        &mut self,
        given: Given<'_>,
        term: Cell,
        options: &WriteOptions,
    ) -> Result<(), FormatError> {
        // Most terms need no writer.
        match given.env.store.view(term) {
            View::Int(value) => {
                self.text.push_str(Decimal::of(value).text())?;
                return Ok(());
            }
            View::Atom(atom) if !options.quoted => {
                self.text.push_str(given.env.symbols.text(atom))?;
                return Ok(());
            }
            _ => {}
        }
        if self.message {
            self.text
                .push_str(&message_text(given.env, term, options)?)?;
            return Ok(());
        }
        let before = self.text.mark();
        let mut bounded = Bounded {
            text: &mut self.text,
            store: given.env.store,
            stop: None,
        };
        let written = write_term(&mut bounded, given.env, term, options);
        let stop = match (written, bounded.stop) {
            (Ok(()), None) => return Ok(()),
            (_, stop) => stop.unwrap_or(WriteStop::TooLong),
        };
        // Remove the incomplete text.
        self.text.return_to(before);
        Err(FormatError::Stopped(stop))
    }

    fn character(&mut self, count: Option<usize>, given: Given<'_>) -> Result<(), FormatError> {
        let culprit = self.argument(given)?;
        match given.env.store.view(culprit) {
            View::Int(code) if code >= 0 => {
                let char = u32::try_from(code).ok().and_then(char::from_u32);
                let char = char.ok_or(FormatError::NoCharacter)?;
                self.text.push_times(char, count.unwrap_or(1))?;
                Ok(())
            }
            _ => Err(FormatError::BadArgument {
                directive: 'c',
                culprit,
            }),
        }
    }

    /// Executes a directive whose argument is a number, or an expression to be evaluated first.
    fn numeric(
        &mut self,
        directive: char,
        count: Option<usize>,
        given: Given<'_>,
    ) -> Result<Option<FormatStep>, FormatError> {
        let argument = self.argument(given)?;
        let Some(value) = given.env.store.number(argument)? else {
            self.waiting = Some(Waiting {
                directive,
                count,
                value: None,
            });
            return Ok(Some(FormatStep::Evaluate(argument)));
        };
        self.number(given, (directive, count), &value, argument)?;
        Ok(None)
    }

    fn number(
        &mut self,
        given: Given<'_>,
        (directive, count): (char, Option<usize>),
        value: &Number,
        culprit: Cell,
    ) -> Result<(), FormatError> {
        if let (Number::Int(value), 'd', None) = (value, directive, count) {
            self.text.push_str(Decimal::of(*value).text())?;
            return Ok(());
        }
        let watch = &given.env.store.events.watch;
        let bad = FormatError::BadArgument { directive, culprit };
        let precision = count.unwrap_or(6);
        let text = match directive {
            'd' if count.is_none() && value.is_integer() => number_text(value, watch),
            'd' => decimal_text(value, count.unwrap_or(0), "", watch).ok_or(bad)?,
            'D' => decimal_text(value, count.unwrap_or(0), ",", watch).ok_or(bad)?,
            'I' if value.is_integer() => {
                number_text(value, watch).and_then(|text| Ok(grouped(&text, count.unwrap_or(3))?))
            }
            'I' => return Err(bad),
            'e' => exponent_text(value, precision, watch),
            'f' => fixed_text(value, precision, watch),
            'g' => general_text(value, precision, watch),
            _ => {
                let radix = count.unwrap_or(8);
                if !(2..=36).contains(&radix) {
                    return Err(FormatError::BadRadix(radix));
                }
                radix_text(value, radix as u32, directive == 'R', watch).ok_or(bad)?
            }
        };
        self.text.push_str(&text.map_err(|error| match error {
            ArithError::Stopped => Stop.into(),
            _ => FormatError::TooLarge,
        })?)?;
        Ok(())
    }
}

/// Returns the text of an integer with `_` between groups of `size` digits.
fn grouped(text: &str, size: usize) -> Result<String, Stop> {
    let digits = text.trim_start_matches('-');
    let mut grouped = text[..text.len() - digits.len()].to_owned();
    push_grouped(&mut grouped, digits, size, "_")?;
    Ok(grouped)
}

/// Receives the text of a term as long as there is room for it.
struct Bounded<'a> {
    text: &'a mut ColumnText,
    store: &'a Store,
    stop: Option<WriteStop>,
}

impl fmt::Write for Bounded<'_> {
    fn write_str(&mut self, piece: &str) -> fmt::Result {
        self.stop = if self
            .store
            .events
            .watch
            .stop_wanted_after(write_steps(piece))
        {
            Some(WriteStop::Interrupted)
        } else if self.text.has_room_for(piece.len(), self.store) {
            self.text.push_str(piece)?;
            return Ok(());
        } else {
            Some(WriteStop::TooLong)
        };
        Err(fmt::Error)
    }
}

/// Returns the text of a string, an atom or a list of characters or codes.
#[cfg(test)]
pub(crate) fn text_of(env: &WriteEnv<'_>, cell: Cell) -> Result<Option<String>, Stop> {
    let mut text = String::new();
    Ok(put_text_of(env, cell, &mut text)?.then_some(text))
}

/// Adds the text of a string, an atom or a list of characters or codes. Returns false for other terms.
pub(crate) fn put_text_of(env: &WriteEnv<'_>, cell: Cell, text: &mut String) -> Result<bool, Stop> {
    match env.store.view(cell) {
        View::String(addr) => text.put_str(env.store.text(addr))?,
        View::Atom(atom) if atom != atoms::NIL => text.put_str(env.symbols.text(atom))?,
        _ => return Ok(env.store.text_of_list(cell, env.symbols, text).is_ok()),
    }
    Ok(true)
}
