//! The errors of Lolli texts, with their messages.

use crate::text::error_rows::{error_rows, mismatched, term_expected};

error_rows! {
    /// An error of a Lolli text. Texts in it are quoted from the source.
    LolliSyntax;
    /// The text ends before the term does. More text could make it correct.
    EndOfText {
        /// The unfinished construct.
        open: Unfinished,
    } = "end_of_file", { open.message("text") };
    /// A quoted item is not closed. More text could make it correct.
    UnclosedQuote {
        /// The quote of the item.
        quote: char,
    } = "unterminated_quoted", "the text in {quote} quotes is not closed";
    /// A term is missing.
    TermExpected {
        /// The token found instead.
        found: Box<str>,
        /// The operator that lacks its right operand.
        after: Option<Box<str>>,
    } = "cannot_start_term", { term_expected(found, after.as_deref()) };
    /// The final `.` comes where a term is missing.
    EarlyDot {
        /// The unfinished construct.
        open: Unfinished,
    } = match open {
        Unfinished::Bracket(_) => "unclosed_bracket",
        _ => "end_of_clause",
    }, { open.message("clause") };
    /// `()`.
    EmptyParentheses = "cannot_start_term", "`()` is empty";
    /// A term in braces or brackets, or a quantified term, is used as an argument.
    NotAnArgument {
        /// The beginning of the term.
        found: Box<str>,
    } = "not_an_argument", "a term that begins with `{found}` cannot be an argument without parentheses";
    /// A term in braces or brackets has an argument.
    NotAHead {
        /// The beginning of the argument.
        found: Box<str>,
    } = "operator_expected", "expected an operator or the end of the clause before `{found}`";
    /// A `->` has no `|`.
    GuardWithoutElse {
        /// The token found instead of the `|`.
        found: Box<str>,
    } = "guard_without_else", "expected the `|` of this `->` before `{found}`";
    /// A `|` belongs to no `->`.
    BarWithoutGuard {
        /// Whether the `|` is in square brackets.
        in_list: bool,
    } = "bar_without_guard", "this `|` belongs to no `->`";
    /// A closing bracket does not match the open bracket, or no bracket is open.
    MismatchedBracket {
        /// The open bracket.
        open: Option<char>,
        /// The closing bracket.
        close: char,
    } = "mismatched_bracket", { mismatched(*open, *close) };
    /// A quantifier lacks the name that it binds.
    BoundNameExpected {
        /// `forall` or `exists`.
        quantifier: &'static str,
        /// The token found instead.
        found: Box<str>,
    } = "bound_name_expected", "expected a name after `{quantifier}`, found `{found}`";
    /// A quantifier and its name lack the `\`.
    BackslashExpected {
        /// `forall` or `exists`.
        quantifier: &'static str,
        /// The name.
        name: Box<str>,
        /// The token found instead.
        found: Box<str>,
    } = "backslash_expected", "expected `\\` after `{quantifier} {name}`, found `{found}`";
    /// A `\` belongs to no quantifier.
    StrayBackslash = "stray_backslash", "this `\\` belongs to no quantifier";
    /// A keyword of module files is inside a term.
    KeywordInTerm {
        /// The keyword.
        found: &'static str,
    } = "end_of_clause_expected", "`{found}` is not allowed in a term";
    /// A module does not begin with `MODULE`.
    ModuleExpected {
        /// The token found instead.
        found: Box<str>,
    } = "module_expected", "a module must begin with `MODULE`, found `{found}`";
    /// A name is missing in the head of a module or among its local names.
    NameExpected {
        /// The keyword before the missing name.
        after: &'static str,
        /// The token found instead.
        found: Box<str>,
    } = "name_expected", "expected a name or `.` after `{after}`, found `{found}`";
    /// `LOCAL` or `COUNT_MEMO` comes after a clause.
    LateHead {
        /// The keyword.
        word: &'static str,
    } = "late_head", "`{word}` must come before the first clause of a module";
    /// A module has no clauses.
    NoClauses = "no_clauses", "the module has no clauses";
    /// There is text after the `.` of a query.
    TextAfterQuery {
        /// Whether the `.` seems to be part of a number with a fraction.
        fraction: bool,
    } = "end_of_query", "there is text after the `.` of the query";
    /// A term has too many arguments.
    MaxArity = "max_arity", "a term has too many arguments";
}

/// The construct that is unfinished when a text or a clause ends.
#[derive(Clone, Debug, PartialEq)]
pub(crate) enum Unfinished {
    /// A term that has not begun.
    Nothing,
    /// A clause that lacks its `.`.
    Clause,
    /// An open bracket.
    Bracket(char),
    /// An operator that lacks its right operand.
    Operator(Box<str>),
    /// A `->` that lacks its `|`.
    Guard,
    /// A quantifier that lacks its name or its `\`.
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
    /// Returns whether more text could make it correct.
    pub(crate) fn is_unfinished(&self) -> bool {
        matches!(self, Self::EndOfText { .. } | Self::UnclosedQuote { .. })
    }

    /// Returns the hint.
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

/// Returns the hint for an operator in place of a term, and for other frequent causes.
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
