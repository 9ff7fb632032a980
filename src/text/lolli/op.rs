//! The infix operators of Lolli. They are fixed: no program changes them.

/// How operators of the same level group.
#[derive(Copy, Clone, Debug, PartialEq, Eq)]
pub(super) enum Grouping {
    /// `a - b - c` is `(a - b) - c`.
    Left,
    /// `a , b , c` is `a , (b , c)`.
    Right,
}

/// An infix operator with two operands. A guard has three and is not among them.
#[derive(Copy, Clone, Debug, PartialEq, Eq)]
pub(super) struct Op {
    /// As it is written.
    pub(super) text: &'static str,
    /// How tightly it binds; operators of greater levels bind more tightly.
    pub(super) level: u8,
    /// Among operators of its level.
    pub(super) grouping: Grouping,
    /// The name of the term, and whether its operands change places in it.
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

/// All of them.
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

/// The operator written so.
pub(super) fn find(text: &str) -> Option<Op> {
    OPS.iter().copied().find(|op| op.text == text)
}
