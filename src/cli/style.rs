//! Colours: only on a terminal, and not if `NO_COLOR` is set (no-color.org).

use std::io::IsTerminal;

/// The code for dim text.
pub(crate) const DIM: &str = "\x1b[2m";
/// The code that ends all styles.
pub(crate) const PLAIN: &str = "\x1b[0m";

/// Returns whether the standard output may show colours.
pub(crate) fn on_output() -> bool {
    std::io::stdout().is_terminal() && wanted()
}

/// Returns whether the standard error output may show colours.
pub(crate) fn on_errors() -> bool {
    std::io::stderr().is_terminal() && wanted()
}

fn wanted() -> bool {
    let set = |name: &str| std::env::var_os(name).filter(|value| !value.is_empty());
    set("NO_COLOR").is_none() && set("TERM").is_some_and(|term| term != "dumb")
}

/// Returns the text in this style, if styles are wanted.
pub(crate) fn styled(text: &str, style: &str, wanted: bool) -> String {
    if wanted {
        format!("{style}{text}{PLAIN}")
    } else {
        text.to_owned()
    }
}
