//! The warning `nonstandard`: clauses that the default reader accepts and the reader of the standard (flag `iso`)
//! refuses.

use crate::base::source::Span;
use crate::base::stop::Stop;
use crate::base::warning::Warning;
use crate::builtins::term_io::clause_reader::{read_tree, with_ast};
use crate::machine::state::Machine;
use crate::source::loading::skipping;
use crate::source::report::warn_at;
use crate::text::syntax_error::{SyntaxError, SyntaxErrorKind as Kind, describe};

/// Warns of the first place where a clause leaves the standard. The clause begins at byte `from` of the present
/// text and was read without error.
pub(super) fn check(m: &mut Machine, text: &str, from: usize) -> Result<(), Stop> {
    if !m.world.flags.warnings.wants(Warning::Nonstandard) || m.world.flags.iso || skipping(m) {
        return Ok(());
    }
    m.set_iso(true)?;
    let mut at = from;
    let read = with_ast(m, |m, ast| read_tree(m, text, &mut at, true, ast));
    m.set_iso(false)?;
    let error = match read {
        Err(error) if !error.is_out_of_memory() => error,
        _ => return Ok(()),
    };
    let mut span = error.span;
    let message = match operator(m, &error, text, &mut span)?.or_else(|| form(&error, text)) {
        Some(form) => format!("{form} is not standard Prolog"),
        None => format!("this is not standard Prolog: {}", error.message()),
    };
    let hint = match &error.kind {
        Kind::OperatorClash { .. } => Some("put it in parentheses".to_owned()),
        Kind::OperatorAsOperand { .. } | Kind::EmptyArguments { .. } => error.kind.hint(),
        _ => None,
    };
    warn_at(m, Warning::Nonstandard, span, message, hint)?;
    Ok(())
}

/// Returns the operator that the standard does not have: the unexpected token, or the one before it. `span` becomes
/// its place.
fn operator(
    m: &Machine,
    error: &SyntaxError,
    text: &str,
    span: &mut Span,
) -> Result<Option<String>, Stop> {
    let Kind::OperatorExpected { found, .. } = &error.kind else {
        return Ok(None);
    };
    let ops = m.ops()?;
    let name = |text: &str| m.world.symbols.find(text);
    if name(found).is_some_and(|name| ops.is_op(name)) {
        return Ok(Some(format!("operator `{found}`")));
    }
    let before = text.get(..span.start as usize).unwrap_or_default();
    let before = before.trim_end();
    let word = |c: char| !(c.is_alphanumeric() || c == '_');
    let left = before.rsplit(word).next().unwrap_or_default();
    if name(left).is_none_or(|name| ops.prefix(name).is_none()) {
        return Ok(None);
    }
    *span = Span::new(before.len() - left.len(), before.len());
    Ok(Some(format!("operator `{left}`")))
}

/// Returns the name of the nonstandard form, if it is known.
fn form(error: &SyntaxError, text: &str) -> Option<String> {
    let before = text.get(..error.span.start as usize).unwrap_or_default();
    let after_digit = before.ends_with(|c: char| c.is_ascii_alphanumeric())
        && before
            .rsplit(|c: char| !c.is_ascii_alphanumeric())
            .next()
            .is_some_and(|word| word.starts_with(|c: char| c.is_ascii_digit()));
    Some(match &error.kind {
        Kind::UnterminatedQuoted { quote: '\'' } if after_digit => {
            "a number with a radix before a quote".to_owned()
        }
        Kind::UnterminatedQuoted { .. } => "a line break in quoted text".to_owned(),
        Kind::IllegalInQuoted { found } => format!("{} in quoted text", describe(*found)),
        Kind::UndefinedEscape { found } => {
            format!("the escape sequence `\\{}`", found.escape_debug())
        }
        Kind::UnterminatedEscape => "a numeric escape sequence without a closing `\\`".to_owned(),
        Kind::OperatorExpected { found, .. } => number(found, before, after_digit)?,
        Kind::OperatorClash { name, limit, .. } if &**name == "|" && *limit < 1000 => {
            "`|` between terms in an argument".to_owned()
        }
        Kind::OperatorClash { name, limit, .. } if *limit < 1000 => {
            format!("operator `{name}` in an argument without parentheses")
        }
        Kind::OperatorAsOperand { name } => {
            format!("operator `{name}` as an atom without parentheses")
        }
        Kind::EmptyArguments { name } => format!("the compound `{name}()` without arguments"),
        Kind::VariableFunctor { name } => format!("variable `{name}` as the name of a term"),
        _ => return None,
    })
}

/// Returns the name of the part of a number that was not expected.
fn number(found: &str, before: &str, after_digit: bool) -> Option<String> {
    let digit = |c: Option<char>| c.is_some_and(|c| c.is_ascii_digit());
    let number_before = digit(before.trim_end().chars().next_back());
    let first = found.chars().next();
    if after_digit && found.starts_with("''") {
        Some("the character code `0''`".to_owned())
    } else if after_digit && first.is_some_and(|c| matches!(c, 'e' | 'E')) {
        Some("an exponent without a fraction before it".to_owned())
    } else if number_before && (digit(first) || first == Some('_')) {
        Some("a number with digit groups".to_owned())
    } else {
        None
    }
}
