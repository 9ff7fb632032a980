//! Syntax errors (ISO 13211-1, 7.12.2 h): their kinds, places and messages.

use super::error_rows::{error_rows, mismatched, term_expected};
use super::lolli::error::LolliSyntax;
use super::syntax_hints::{found_hint, linear_hint, plain_quote, wide_hint, word_hint};
use crate::base::growth::Gather;
use crate::base::source::Span;
use crate::base::stop::Stop;

/// A syntax error and its place.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct SyntaxError {
    /// The wrong token.
    pub(crate) span: Span,
    /// The kind of the error.
    pub(crate) kind: SyntaxErrorKind,
    /// Another place that explains it: the open bracket, the end of the clause that lacks its `.`,
    /// or the beginning of an unfinished clause.
    pub(crate) related: Option<Span>,
}

impl SyntaxError {
    /// Creates an error at the bytes from `start` up to `end`.
    pub(crate) fn new(start: usize, end: usize, kind: SyntaxErrorKind) -> SyntaxError {
        SyntaxError {
            span: Span::new(start, end),
            kind,
            related: None,
        }
    }

    /// Sets the place that explains it.
    pub(crate) fn related_to(mut self, span: Span) -> SyntaxError {
        self.related = Some(span);
        self
    }

    /// Returns the argument of `syntax_error/1`.
    pub(crate) fn name(&self) -> &'static str {
        self.kind.name()
    }

    /// Returns the place of the bracket that should be closed.
    pub(crate) fn open_bracket(&self) -> Option<Span> {
        match (&self.kind, self.related) {
            (
                SyntaxErrorKind::UnclosedBracket { .. }
                | SyntaxErrorKind::MismatchedBracket { open: Some(_), .. }
                | SyntaxErrorKind::EndOfFile { open: Some(_) },
                Some(with_name),
            ) => Some(Span {
                start: with_name.end.saturating_sub(1),
                end: with_name.end,
            }),
            _ => None,
        }
    }

    /// Returns whether the text, right or wrong, is too large for the memory.
    pub(crate) fn is_out_of_memory(&self) -> bool {
        self.kind == SyntaxErrorKind::NoMemory
    }

    /// Returns the place of the missing `.`, if the text ends inside a clause.
    pub(crate) fn missing_end(&self) -> Option<Span> {
        let missing = matches!(self.kind, SyntaxErrorKind::EndOfFile { open: None });
        let end = self.related.filter(|_| missing)?.end;
        Some(Span { start: end, end })
    }

    /// Returns whether more text could make a Lolli text correct.
    pub(crate) fn is_unfinished(&self) -> bool {
        matches!(&self.kind, SyntaxErrorKind::Lolli(kind) if kind.is_unfinished())
    }

    /// Returns the message.
    pub(crate) fn message(&self) -> String {
        self.kind.message()
    }

    /// Returns the hint.
    pub(crate) fn hint(&self) -> Option<String> {
        if matches!(self.kind, SyntaxErrorKind::OperatorClash { .. }) && self.related.is_some() {
            return Some(BEFORE_LACKS_END.to_owned());
        }
        self.kind.hint()
    }
}

impl From<Stop> for SyntaxError {
    /// This error has no place, since none is needed.
    #[cold]
    fn from(_: Stop) -> SyntaxError {
        SyntaxError::new(0, 0, SyntaxErrorKind::NoMemory)
    }
}

/// The kind of the term before an unexpected token.
#[derive(Copy, Clone, Debug, PartialEq)]
pub(crate) enum Before {
    /// Any term.
    Term,
    /// A term at the beginning of the clause, which may be the head of a rule.
    Head,
    /// A variable with no blank after it.
    Variable,
    /// A number with no blank after it.
    Number,
    /// An item in these quotes, with no blank after it.
    Quoted(char),
    /// Another atom with no blank after it.
    Beside,
}

error_rows! {
    /// The kind of a syntax error. Texts in it are quoted from the source.
    SyntaxErrorKind;
    /// A term is followed by a token that is no operator.
    OperatorExpected {
        /// The token that follows.
        found: Box<str>,
        /// The term, if it is an atom.
        left: Option<Box<str>>,
        /// The blank between them, if it is an unusual one.
        blank: Option<char>,
        /// The kind of the term, if it helps.
        before: Before,
    } = "operator_expected", "expected an operator or the end of the clause before `{found}`";
    /// A term is followed by the beginning of a line that looks like another clause.
    MissingEnd {
        /// The first token of the line.
        found: Box<str>,
        /// Whether a comment ends the line before.
        comment: bool,
    } = "end_of_clause_expected", "the clause before `{found}` has no final `.`";
    /// A blank is between a name and the bracket of its arguments.
    BlankBeforeArguments {
        /// The name.
        name: Box<str>,
        /// The blank, if it is an unusual one.
        blank: Option<char>,
    } = "operator_expected", "`(` must follow `{name}` directly, without a space";
    /// A term is missing.
    CannotStartTerm {
        /// The token found instead.
        found: Box<str>,
        /// The operator that waits for its operand.
        after: Option<Box<str>>,
    } = "cannot_start_term", { term_expected(found, after.as_deref()) };
    /// The clause ends where a term is missing, or is empty.
    EndOfClause {
        /// The operator that waits for its operand.
        after: Option<Box<str>>,
    } = "end_of_clause", { match after {
        Some(op) => format!("the clause ends before the right operand of `{op}`"),
        None => "the clause ends where a term is expected".to_owned(),
    } };
    /// The clause ends with an open bracket.
    UnclosedBracket {
        /// The bracket.
        open: char,
    } = "unclosed_bracket", "the clause ends before its `{open}` is closed";
    /// A closing bracket does not match the open bracket, or no bracket is open.
    MismatchedBracket {
        /// The open bracket.
        open: Option<char>,
        /// The closing bracket.
        close: char,
    } = "mismatched_bracket", { mismatched(*open, *close) };
    /// A token other than `]` follows the tail of a list.
    ListTail {
        /// The token.
        found: Box<str>,
    } = "list_tail", "expected `]` after the tail of the list, found `{found}`";
    /// The text ends inside a clause.
    EndOfFile {
        /// The open bracket, if there is one.
        open: Option<char>,
    } = "end_of_file", { match open {
        Some(open) => format!("the text ends before `{open}` is closed"),
        None => "the text ends before the final `.` of a clause".to_owned(),
    } };
    /// An operator does not fit because of its priority.
    OperatorClash {
        /// The operator.
        name: Box<str>,
        /// The priority of the operator.
        priority: u16,
        /// The maximum priority at this place. If it is not less than `priority`, the priority of
        /// the left operand is too high.
        limit: u16,
    } = "operator_clash", { match limit < priority {
        true => format!("operator `{name}` has priority {priority}, but the maximum here is {limit}"),
        false => format!("the left operand of `{name}` has too high a priority for this operator (priority {priority})"),
    } };
    /// An operator is used as an operand without parentheses.
    OperatorAsOperand {
        /// The operator.
        name: Box<str>,
    } = "operator_as_operand", "expected an operand, found operator `{name}`";
    /// `foo()`.
    EmptyArguments {
        /// The name.
        name: Box<str>,
    } = "empty_arguments", "`{name}()` has no arguments";
    /// `X(a)`.
    VariableFunctor {
        /// The variable.
        name: Box<str>,
    } = "variable_functor", "variable `{name}` cannot be the name of a term";
    /// A term has too many arguments.
    MaxArity = "max_arity", "a term has too many arguments";
    /// A quoted item is not closed on its line, or at all.
    UnterminatedQuoted {
        /// The quote of the item.
        quote: char,
    } = "unterminated_quoted", "the text in {quote} quotes is not closed on its line";
    /// A character in quoted text must be written as an escape.
    IllegalInQuoted {
        /// The character.
        found: char,
    } = "illegal_character_in_quoted", { format!("{} is not allowed in quoted text", describe(*found)) };
    /// A block comment is not closed.
    UnterminatedComment = "unterminated_comment", "the comment is not closed";
    /// A backslash is before a character that has no meaning there.
    UndefinedEscape {
        /// The character.
        found: char,
    } = "undefined_char_escape", { format!("`\\{}` is not an escape sequence", found.escape_debug()) };
    /// A numeric escape is not closed by a backslash, or has no digits.
    UnterminatedEscape = "unterminated_char_escape",
        "a numeric escape sequence needs digits and a closing `\\`";
    /// A numeric escape has the code of no character.
    IllegalCharacterCode = "illegal_character_code", "no character has this code";
    /// A number cannot be represented, or the text is no number.
    IllegalNumber = "illegal_number", "this is not a number, or it is too large for a float";
    /// A typographic quotation mark.
    TypographicQuote {
        /// The mark.
        found: char,
    } = "typographic_quote", "`{found}` is a typographic quotation mark";
    /// A character is not allowed unquoted in a program.
    IllegalCharacter {
        /// The character.
        found: char,
    } = "illegal_character", { format!("unexpected {}", describe(*found)) };
    /// The term is too large for the memory.
    NoMemory = "out_of_memory", "out of memory";
    /// An error of a Lolli text.
    Lolli(kind: Box<LolliSyntax>) = kind.name(), { kind.message() };
}

impl SyntaxErrorKind {
    /// Returns the hint.
    pub(crate) fn hint(&self) -> Option<String> {
        Some(match self {
            Self::OperatorExpected {
                found,
                left,
                blank,
                before,
            } => {
                let hint = found_hint(found, left.as_deref(), *before);
                let blank = blank.map(|blank| format!("there is {} before it", describe(blank)));
                return match (hint, blank) {
                    (Some(hint), Some(blank)) => Some(format!("{hint} ({blank})")),
                    (hint, blank) => hint.or(blank),
                };
            }
            Self::CannotStartTerm { found, after }
                if **found == *"|" && after.as_deref() == Some("|") =>
            {
                "write `;` for `or`".to_owned()
            }
            Self::CannotStartTerm { found, .. } if **found == *"{|" => {
                "quasi quotations are not supported; write the text in quotes".to_owned()
            }
            Self::EndOfClause { after } if after.as_deref() == Some(",") => {
                "remove the comma before the `.`, or add a goal after it".to_owned()
            }
            Self::BlankBeforeArguments { name, blank: None } => {
                word_hint(name).unwrap_or_else(|| format!("write `{name}(`"))
            }
            Self::BlankBeforeArguments {
                name,
                blank: Some(blank),
            } => format!("write `{name}(` without {}", describe(*blank)),
            Self::EmptyArguments { name } => format!("write `{name}`"),
            Self::VariableFunctor { name } => {
                let call = format!("to call the value of `{name}`, write call({name}, …)");
                match small(name) {
                    Some(small) => format!("a name begins with a small letter: `{small}(`; {call}"),
                    None => call,
                }
            }
            Self::OperatorAsOperand { name } if matches!(&**name, "/" | "//") => {
                format!("a comment begins with `%`; for the atom write `({name})`")
            }
            Self::MissingEnd { comment: true, .. } => {
                "`%` begins a comment; for the remainder of a division write X mod Y".to_owned()
            }
            Self::OperatorAsOperand { name } if matches!(&**name, ";" | "->" | "*->") => {
                format!("a goal is missing before `{name}`; for the atom write `({name})`")
            }
            Self::OperatorAsOperand { name } => format!("write `({name})`"),
            Self::OperatorClash { name, .. } if **name == *";" => {
                "use parentheses; separate elements and arguments with `,`".to_owned()
            }
            Self::OperatorClash { name, .. } if **name == *"=>" => return linear_hint(name),
            Self::OperatorClash {
                name,
                priority: 700,
                limit: 700..,
            } => format!("write two comparisons, as in A {name} B, B {name} C, or use parentheses"),
            Self::OperatorClash { .. } => "use parentheses".to_owned(),
            Self::UnterminatedQuoted { quote } => {
                format!("close it with {quote}, or write \\n for a line break")
            }
            Self::IllegalInQuoted { found: '\t' } => "write \\t".to_owned(),
            Self::IllegalInQuoted { found } => format!("write \\x{:x}\\", u32::from(*found)),
            Self::UndefinedEscape { found: 'e' } => "write \\x1b\\ for an escape".to_owned(),
            Self::UndefinedEscape { found: 's' | ' ' } => "write a space without `\\`".to_owned(),
            Self::UndefinedEscape { .. } => "write \\\\ for a backslash".to_owned(),
            Self::TypographicQuote { found } => format!("write {}", plain_quote(*found)),
            Self::IllegalCharacter { found } => return wide_hint(*found),
            Self::Lolli(kind) => return kind.hint(),
            _ => return None,
        })
    }
}

/// The hint on an operator at the beginning of a line.
const BEFORE_LACKS_END: &str = "the clause before this line may lack its final `.`";

pub(crate) fn describe(found: char) -> String {
    match found {
        '\t' => "a tab".to_owned(),
        '\n' => "a line break".to_owned(),
        _ if found.is_control() || found.is_whitespace() || !found.is_ascii() => {
            let name = invisible(found).map_or_else(String::new, |name| format!(" ({name})"));
            format!("character U+{:04X}{name}", u32::from(found))
        }
        _ => format!("character `{found}`"),
    }
}

/// Returns the name of an invisible character that other programs insert into texts.
fn invisible(c: char) -> Option<&'static str> {
    Some(match c {
        '\u{a0}' => "no-break space",
        '\u{ad}' => "soft hyphen",
        '\u{2002}'..='\u{200a}' => "typographic space",
        '\u{200b}' => "zero width space",
        '\u{200c}' | '\u{200d}' => "zero width joiner",
        '\u{200e}' | '\u{200f}' => "direction mark",
        '\u{202f}' => "narrow no-break space",
        '\u{2060}' => "word joiner",
        '\u{3000}' => "ideographic space",
        '\u{feff}' => "byte order mark",
        _ => return None,
    })
}

/// Returns the name with a small first letter, for a capitalized name that was not meant as a
/// variable.
pub(crate) fn small(name: &str) -> Option<String> {
    let mut letters = name.chars();
    let first = letters.next().filter(|first| first.is_alphabetic())?;
    first.to_lowercase().chain(letters).gather_text().ok()
}
