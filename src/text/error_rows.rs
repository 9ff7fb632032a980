//! Tables of what can be wrong with a text.

/// Makes the type of errors of rows: what it is about, variant, parts, the argument of `syntax_error/1`, and the
/// message. That is a text with parts in it, or in braces the value of an expression over the parts.
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
            /// The argument of `syntax_error/1`.
            pub(crate) fn name(&self) -> &'static str {
                match self {
                    $(Self::$variant $({ $($part,)* })? $(($inner))? => $name,)*
                }
            }

            /// What is wrong, in plain words.
            pub(crate) fn message(&self) -> String {
                match self {
                    $(Self::$variant $({ $($part,)* })? $(($inner))? => $(format!($text))? $($message)?,)*
                }
            }
        }
    };
}
pub(super) use error_rows;

/// The message where a term is missing, perhaps as the right operand of an operator.
pub(super) fn term_expected(found: &str, after: Option<&str>) -> String {
    match after {
        Some(op) => format!("expected the right operand of `{op}`, found `{found}`"),
        None => format!("expected a term, found `{found}`"),
    }
}

/// The message of a closing bracket that does not belong to the open one, if there is one.
pub(super) fn mismatched(open: Option<char>, close: char) -> String {
    match open {
        Some(open) => format!("`{close}` cannot close `{open}`"),
        None => format!("`{close}` has no opening bracket"),
    }
}
