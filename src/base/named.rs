//! Values that have names.
#![forbid(unsafe_code)]

/// Defines enumerations. Each row has a value with its doc comment, its number if that matters, and its name. Other
/// names may follow that also find the value.
macro_rules! named {
    ($($(#[$about:meta])* $type:ident {
        $($(#[$doc:meta])* $value:ident $(= $number:literal)? $name:literal $(| $other:literal)*,)*
    })*) => {$(
        $(#[$about])*
        #[derive(Copy, Clone, Debug, PartialEq, Eq)]
        pub(crate) enum $type {
            $($(#[$doc])* $value $(= $number)?,)*
        }

        #[allow(dead_code, reason = "few types need all of these")]
        impl $type {
            /// All values, in order.
            pub(crate) const ALL: &'static [$type] = &[$($type::$value,)*];

            /// Returns the name of the value.
            pub(crate) const fn name(self) -> &'static str {
                match self {
                    $($type::$value => $name,)*
                }
            }

            /// Returns the value of this name.
            pub(crate) fn from_name(name: &str) -> Option<$type> {
                match name {
                    $($name $(| $other)* => Some($type::$value),)*
                    _ => None,
                }
            }
        }
    )*};
}
pub(crate) use named;
