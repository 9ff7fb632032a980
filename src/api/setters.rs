//! A macro for the setters of builders.

/// Defines methods of a type. Each method takes the whole value and returns it with one field
/// changed:
///
/// ```text
/// setters! { Settings:
///     /// Limits the answers of a query.
///     pub max_answers(answers: usize) answers = answers.max(1);
/// }
/// ```
macro_rules! setters {
    ($whole:ident: $($(#[$doc:meta])* $vis:vis $name:ident($value:ident: $type:ty) $($field:tt).+ = $to:expr;)*) => {
        impl $whole {
            $($(#[$doc])*
            #[must_use]
            $vis fn $name(mut self, $value: $type) -> $whole {
                self.$($field).+ = $to;
                self
            })*
        }
    };
}

pub(crate) use setters;
