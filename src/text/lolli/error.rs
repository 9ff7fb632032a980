//! What can be wrong with a Lolli text, in plain words.

use crate::text::error_rows::{error_rows, mismatched, term_expected};

error_rows! {
    /// What is wrong with a Lolli text. Texts inside are what stands there.
    LolliSyntax;
    /// The text ends before the term does: more text could make it right.
    EndOfText {
        /// What is not finished.
        open: Unfinished,
    } = "end_of_file", { open.message("text") };
    /// A quoted item is not closed: more text could make it right.
    UnclosedQuote {
        /// Its quote.
        quote: char,
    } = "unterminated_quoted", "the text in {quote} quotes is not closed";
    /// A term should begin here.
    TermExpected {
        /// What stands instead.
        found: Box<str>,
        /// The operator that waits for its right operand.
        after: Option<Box<str>>,
    } = "cannot_start_term", { term_expected(found, after.as_deref()) };
    /// A term should begin here, and the `.` ends everything.
    EarlyDot {
        /// What is not finished.
        open: Unfinished,
    } = match open {
        Unfinished::Bracket(_) => "unclosed_bracket",
        _ => "end_of_clause",
    }, { open.message("clause") };
    /// `()`
    EmptyParentheses = "cannot_start_term", "`()` is empty";
    /// A term in braces or brackets, or a quantified one, as an argument.
    NotAnArgument {
        /// What it begins with.
        found: Box<str>,
    } = "not_an_argument", "a term that begins with `{found}` cannot be an argument without parentheses";
    /// A term in braces or brackets has an argument.
    NotAHead {
        /// What the argument begins with.
        found: Box<str>,
    } = "operator_expected", "expected an operator or the end of the clause before `{found}`";
    /// A `->` has no `|`.
    GuardWithoutElse {
        /// What stands where the `|` should.
        found: Box<str>,
    } = "guard_without_else", "expected the `|` of this `->` before `{found}`";
    /// A `|` that belongs to no `->`.
    BarWithoutGuard {
        /// Whether it stands in square brackets.
        in_list: bool,
    } = "bar_without_guard", "this `|` belongs to no `->`";
    /// A closing bracket of another kind than the one that is open, if any is.
    MismatchedBracket {
        /// The open one.
        open: Option<char>,
        /// The closing one.
        close: char,
    } = "mismatched_bracket", { mismatched(*open, *close) };
    /// A quantifier without the name that it binds.
    BoundNameExpected {
        /// `forall` or `exists`.
        quantifier: &'static str,
        /// What stands instead.
        found: Box<str>,
    } = "bound_name_expected", "expected a name after `{quantifier}`, found `{found}`";
    /// A quantifier and its name without the `\`.
    BackslashExpected {
        /// `forall` or `exists`.
        quantifier: &'static str,
        /// The name.
        name: Box<str>,
        /// What stands instead.
        found: Box<str>,
    } = "backslash_expected", "expected `\\` after `{quantifier} {name}`, found `{found}`";
    /// A `\` that belongs to no quantifier.
    StrayBackslash = "stray_backslash", "this `\\` belongs to no quantifier";
    /// A word of module files inside a term.
    KeywordInTerm {
        /// The word.
        found: &'static str,
    } = "end_of_clause_expected", "`{found}` is not allowed in a term";
    /// A module that does not begin with `MODULE`.
    ModuleExpected {
        /// What it begins with.
        found: Box<str>,
    } = "module_expected", "a module must begin with `MODULE`, found `{found}`";
    /// A name should stand in the head of a module or among its local names.
    NameExpected {
        /// The word before it.
        after: &'static str,
        /// What stands instead.
        found: Box<str>,
    } = "name_expected", "expected a name or `.` after `{after}`, found `{found}`";
    /// `LOCAL` or `COUNT_MEMO` after a clause.
    LateHead {
        /// The word.
        word: &'static str,
    } = "late_head", "`{word}` must come before the first clause of a module";
    /// A module without clauses.
    NoClauses = "no_clauses", "the module has no clauses";
    /// Text after the `.` of a query.
    TextAfterQuery {
        /// The `.` seems to be that of a number with a fraction.
        fraction: bool,
    } = "end_of_query", "there is text after the `.` of the query";
    /// Too many arguments.
    MaxArity = "max_arity", "a term has too many arguments";
}

/// What is not finished when a text or a clause ends.
#[derive(Clone, Debug, PartialEq)]
pub(crate) enum Unfinished {
    /// A term has not even begun.
    Nothing,
    /// The clause lacks its `.`.
    Clause,
    /// This bracket is not closed.
    Bracket(char),
    /// This operator lacks its right operand.
    Operator(Box<str>),
    /// This `->` lacks its `|`.
    Guard,
    /// A quantifier lacks its name or its `\`.
    Quantifier,
    /// The head or the local names of a module.
    Head,
}

impl Unfinished {
    fn message(&self, what: &str) -> String {
        match self {
            Self::Nothing => format!("the {what} ends where a term is expected"),
            Self::Clause => format!("the {what} ends before the final `.` of the clause"),
            Self::Bracket(open) => format!("the {what} ends before its `{open}` is closed"),
            Self::Operator(name) => {
                format!("the {what} ends before the right operand of `{name}`")
            }
            Self::Guard => format!("the {what} ends before the `|` of its `->`"),
            Self::Quantifier => format!("the {what} ends before the term of the quantifier"),
            Self::Head => format!("the {what} ends in the head of the module"),
        }
    }

    fn hint(&self) -> Option<String> {
        match self {
            Self::Guard => Some(GUARD.to_owned()),
            Self::Quantifier => Some(QUANTIFIER.to_owned()),
            _ => None,
        }
    }
}

const GUARD: &str =
    "write a guard as `Test -> Then | Else`, or with `| fail` if it has no other case";
const QUANTIFIER: &str = "write a quantified term as `forall x \\ term` or `exists x \\ term`";

impl LolliSyntax {
    /// Could more text make it right?
    pub(crate) fn is_unfinished(&self) -> bool {
        matches!(self, Self::EndOfText { .. } | Self::UnclosedQuote { .. })
    }

    /// What may help.
    pub(crate) fn hint(&self) -> Option<String> {
        Some(match self {
            Self::EndOfText { open } | Self::EarlyDot { open } => return open.hint(),
            Self::UnclosedQuote { .. } => {
                "Lolli has no escape sequences; quoted text ends at the next quote of the same kind".to_owned()
            }
            Self::TermExpected { found, .. } => return term_hint(found),
            Self::EmptyParentheses => {
                "write `true` for an empty goal; write a predicate without arguments by its name alone"
                    .to_owned()
            }
            Self::NotAnArgument { found } if &**found == "[" => {
                "write a list as `a :: b :: nil`, and in parentheses as an argument: `f (a :: b :: nil)`"
                    .to_owned()
            }
            Self::NotAnArgument { .. } => {
                "put the argument in parentheses, as in `f ({a})`".to_owned()
            }
            Self::NotAHead { .. } => "a `,` or the final `.` may be missing before it".to_owned(),
            Self::GuardWithoutElse { .. } => GUARD.to_owned(),
            Self::BarWithoutGuard { in_list: true } => {
                "write a list as `a :: b :: nil`, and with the tail `T` as `a :: b :: T`".to_owned()
            }
            Self::BarWithoutGuard { in_list: false } => {
                format!("{GUARD}; separate alternatives with `;`")
            }
            Self::BoundNameExpected { .. } => QUANTIFIER.to_owned(),
            Self::BackslashExpected { quantifier, .. } => format!(
                "each quantifier binds one name; write `{quantifier} x \\ {quantifier} y \\ term`"
            ),
            Self::StrayBackslash => QUANTIFIER.to_owned(),
            Self::KeywordInTerm { .. } => {
                "the clause before it may lack its final `.`".to_owned()
            }
            Self::ModuleExpected { .. } => {
                "begin with the line `MODULE name parameters .`, where the name is that of the file".to_owned()
            }
            Self::NameExpected { .. } => {
                "the `.` after the names may be missing; names that are operators need quotes"
                    .to_owned()
            }
            Self::LateHead { .. } => "move the line up, directly below the line of `MODULE`".to_owned(),
            Self::NoClauses => {
                "a module needs at least one clause; write `dummy.` if it has none".to_owned()
            }
            Self::TextAfterQuery { fraction: true } => {
                "Lolli has no numbers with fractions, so this `.` ends the query".to_owned()
            }
            Self::TextAfterQuery { fraction: false } => {
                "write one query on a line; Wamlet ran nothing of this line".to_owned()
            }
            _ => return None,
        })
    }
}

/// Operators where a term should be, and other frequent causes.
fn term_hint(found: &str) -> Option<String> {
    Some(match found {
        ":-" => "a module has no directives; run the goal as a query".to_owned(),
        "]" => "write the empty list as `nil`, and a list as `a :: b :: nil`".to_owned(),
        "}" => "write `true` for an empty goal".to_owned(),
        "\\" | "|" | ")" => return None,
        "-" => "write a negative number with `~`, as in `~5`".to_owned(),
        _ if super::op::find(found).is_some() => {
            format!("for the name `{found}` write '{found}' in quotes")
        }
        _ => return None,
    })
}
