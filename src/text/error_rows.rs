//! A macro for tables of syntax errors.

/// Defines an error type from rows. A row has the doc comment, the variant, its parts, the argument of
/// `syntax_error/1`, and the message. The message is a text that contains parts, or in braces an expression over
/// the parts.
macro_rules! error_rows {
    ($(#[$about:meta])* $type:ident; $($(#[$doc:meta])* $variant:ident
        $({ $($(#[$about_part:meta])* $part:ident: $kind:ty,)* })? $(($inner:ident: $inner_kind:ty))?
        = $name:expr, $($text:literal)? $({ $message:expr })?;)*) => {
        $(#[$about])*
        #[derive(Clone, Debug, PartialEq)]
        pub(crate) enum $type {
            $($(#[$doc])* $variant $({ $($(#[$about_part])* $part: $kind,)* })? $(($inner_kind))?,)*
        }

        #[allow(unused_variables, reason = "few names and messages use all parts")]
        impl $type {
            /// Returns the argument of `syntax_error/1`.
            pub(crate) fn name(&self) -> &'static str {
                match self {
                    $(Self::$variant $({ $($part,)* })? $(($inner))? => $name,)*
                }
            }

            /// Returns the message.
            pub(crate) fn message(&self) -> String {
                match self {
                    $(Self::$variant $({ $($part,)* })? $(($inner))? => $(format!($text))? $($message)?,)*
                }
            }
        }
    };
}
pub(super) use error_rows;

/// Returns the message for a missing term, which may be the right operand of an operator.
pub(super) fn term_expected(found: &str, after: Option<&str>) -> String {
    match after {
        Some(op) => format!("expected the right operand of `{op}`, found `{found}`"),
        None => format!("expected a term, found `{found}`"),
    }
}

/// Returns the message for a closing bracket that does not match the open one, if there is one.
pub(super) fn mismatched(open: Option<char>, close: char) -> String {
    match open {
        Some(open) => format!("`{close}` cannot close `{open}`"),
        None => format!("`{close}` has no opening bracket"),
    }
}
