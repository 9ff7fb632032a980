//! Methods of builders, made of rows.

/// Makes methods of a type, each of which takes the whole and gives it back with one field set:
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
