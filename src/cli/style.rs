//! Colours: only on a terminal, and not where `NO_COLOR` is set (no-color.org).

use std::io::IsTerminal;

/// Dim text.
pub(crate) const DIM: &str = "\x1b[2m";
/// Ends all of them.
pub(crate) const PLAIN: &str = "\x1b[0m";

/// May colours be shown on the standard output?
pub(crate) fn on_output() -> bool {
    std::io::stdout().is_terminal() && wanted()
}

/// May colours be shown on the standard error output?
pub(crate) fn on_errors() -> bool {
    std::io::stderr().is_terminal() && wanted()
}

fn wanted() -> bool {
    let set = |name: &str| std::env::var_os(name).filter(|value| !value.is_empty());
    set("NO_COLOR").is_none() && set("TERM").is_some_and(|term| term != "dumb")
}

/// The text in this style, if styles are wanted.
pub(crate) fn styled(text: &str, style: &str, wanted: bool) -> String {
    if wanted {
        format!("{style}{text}{PLAIN}")
    } else {
        text.to_owned()
    }
}
