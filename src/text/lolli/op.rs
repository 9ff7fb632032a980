//! The infix operators of Lolli. They are fixed; programs cannot change them.

/// The associativity of operators of the same level.
#[derive(Copy, Clone, Debug, PartialEq, Eq)]
pub(super) enum Grouping {
    /// `a - b - c` is `(a - b) - c`.
    Left,
    /// `a , b , c` is `a , (b , c)`.
    Right,
}

/// An infix operator with two operands. A guard has three and is not one of these.
#[derive(Copy, Clone, Debug, PartialEq, Eq)]
pub(super) struct Op {
    /// The text of the operator.
    pub(super) text: &'static str,
    /// The binding strength: operators of higher levels bind more tightly.
    pub(super) level: u8,
    /// The associativity among operators of its level.
    pub(super) grouping: Grouping,
    /// The name of the term, and whether its operands are swapped in it.
    pub(super) term: (&'static str, bool),
}

/// The level of the `->` of a guard.
pub(super) const ARROW_LEVEL: u8 = 8;
/// The level of the `|` of a guard.
pub(super) const BAR_LEVEL: u8 = 9;

const fn op(text: &'static str, level: u8, grouping: Grouping) -> Op {
    Op {
        text,
        level,
        grouping,
        term: (text, false),
    }
}

const fn swapped(text: &'static str, level: u8, name: &'static str) -> Op {
    Op {
        text,
        level,
        grouping: Grouping::Left,
        term: (name, true),
    }
}

/// All infix operators.
pub(super) const OPS: &[Op] = &[
    swapped(":-", 2, "-o"),
    swapped("<=", 2, "=>"),
    swapped("-->", 2, "-->"),
    op(";", 3, Grouping::Right),
    op("&", 4, Grouping::Right),
    op(",", 5, Grouping::Right),
    op("-o", 6, Grouping::Right),
    op("=>", 6, Grouping::Right),
    op("--o", 7, Grouping::Right),
    op("=", 10, Grouping::Left),
    op("=:=", 10, Grouping::Left),
    op("=\\=", 10, Grouping::Left),
    op("=<", 10, Grouping::Left),
    op(">=", 10, Grouping::Left),
    op("<", 10, Grouping::Left),
    op(">", 10, Grouping::Left),
    op("is", 10, Grouping::Left),
    op("+", 11, Grouping::Left),
    op("-", 11, Grouping::Left),
    op("*", 11, Grouping::Left),
    op("/", 11, Grouping::Left),
    op("::", 12, Grouping::Right),
];

/// Returns the operator with this text.
pub(super) fn find(text: &str) -> Option<Op> {
    OPS.iter().copied().find(|op| op.text == text)
}
