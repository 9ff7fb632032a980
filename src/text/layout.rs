//! The layout of a term in its text, recorded on request: every subterm with its brackets and its
//! functor, and the comments.

use crate::base::source::Span;

/// The form of a subterm in the text.
#[derive(Copy, Clone, Debug, PartialEq, Eq)]
pub(crate) enum Shape {
    /// A variable, a number or an atom.
    Simple,
    /// A text in double or back quotes.
    Text,
    /// A compound term with `arity` arguments and its functor at `name`.
    Compound {
        /// The place of the functor.
        name: Span,
        /// The number of arguments.
        arity: u32,
    },
    /// A list in brackets.
    List {
        /// The number of elements that are written.
        elements: u32,
        /// Whether a tail follows after `|`.
        has_tail: bool,
    },
    /// A term in braces.
    Braces,
    /// Another term in parentheses.
    Parentheses,
}

/// A subterm in the text.
#[derive(Copy, Clone, Debug, PartialEq, Eq)]
pub(crate) struct Placed {
    /// The place of the subterm.
    pub(crate) span: Span,
    /// The form of the subterm.
    pub(crate) shape: Shape,
}

/// The recorded layout of a term.
#[derive(Debug, Default)]
pub(crate) struct Layout {
    /// The subterms. Each comes after its parts, which are in the order of the text.
    pub(crate) subterms: Vec<Placed>,
    /// The comments from the start of reading to the end of the term.
    pub(crate) comments: Vec<Span>,
}

impl Layout {
    /// Clears the layout.
    pub(super) fn clear(&mut self) {
        self.subterms.clear();
        self.comments.clear();
    }

    /// Replaces every place by the result of `place`.
    pub(crate) fn map_spans(&mut self, place: impl Fn(Span) -> Span) {
        for placed in &mut self.subterms {
            placed.span = place(placed.span);
            if let Shape::Compound { name, .. } = &mut placed.shape {
                *name = place(*name);
            }
        }
        for comment in &mut self.comments {
            *comment = place(*comment);
        }
    }
}
