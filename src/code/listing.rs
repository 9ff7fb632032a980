//! Listings of code: the instructions of a clause or of an index as text, one on each line.
//!
//! The table of instructions gives the form of each line. The caller passes a function that returns names that only an
//! engine knows, such as those of atoms and predicates.

use super::frame_map::{BARRIER, level_slots, live_slots};
use super::instruction::{
    NO_OWN_FRAME, Op, Operand, ROWS, decode, halves, slot_a, slot_b, slot_c, wide,
};
use crate::base::growth::{Grow, GrowText};
use crate::base::stop::Stop;
use crate::ir::key::BOXED_TABLE;
use std::fmt::Write;

/// A symbol in code that only the engine can name.
#[derive(Copy, Clone, Debug, PartialEq, Eq)]
pub(crate) enum Symbol {
    /// A constant cell, or a pointer to a ground term.
    Constant(u64),
    /// A functor cell.
    Functor(u64),
    /// A predicate, by its index.
    Predicate(u32),
    /// A builtin, by its index.
    Builtin(u32),
    /// An evaluable functor, by its number.
    Evaluable(u64),
    /// An address outside of the listed code.
    Address(u64),
}

/// A function that returns the name of a symbol.
type Names<'a> = dyn Fn(Symbol) -> Result<String, Stop> + 'a;

/// A listing of one piece of code.
struct Listing<'a> {
    words: &'a [u64],
    names: &'a Names<'a>,
    text: String,
}

/// Returns the instructions in `words`, one on each line: offset in words, mnemonic, operands. Registers are
/// written `x3` and `y2`, labels and addresses within the code as `@offset`.
pub(crate) fn listing(words: &[u64], names: &Names<'_>) -> Result<String, Stop> {
    let mut listing = Listing {
        words,
        names,
        text: String::new(),
    };
    let mut at = 0;
    while at < words.len() {
        at += listing.instruction(at)?.max(1);
    }
    Ok(listing.text)
}

impl Listing<'_> {
    /// Returns word `nth` of the instruction at `at`, or 0 if the code ends before it.
    fn word(&self, at: usize, nth: u8) -> u64 {
        self.words.get(at + usize::from(nth)).copied().unwrap_or(0)
    }

    fn add(&mut self, text: std::fmt::Arguments<'_>) {
        // Writing to a string does not fail.
        let _ = self.text.write_fmt(text);
    }

    /// Lists the instruction at `at` and returns its length.
    fn instruction(&mut self, at: usize) -> Result<usize, Stop> {
        let word = self.word(at, 0);
        let Some(op) = decode(word) else {
            self.add(format_args!("{at:5}  {word:#x}\n"));
            return Ok(1);
        };
        let row = &ROWS[op as usize];
        self.add(format_args!("{at:5}  {}", row.name));
        for (index, &operand) in row.operands.iter().enumerate() {
            let operand = self.operand(at, operand)?;
            let separator = if index == 0 { " " } else { ", " };
            self.add(format_args!("{separator}{operand}"));
        }
        self.text.put('\n')?;
        match op {
            Op::SwitchOnConstant | Op::SwitchOnStructure => self.table(at, op, row.words),
            _ => Ok(row.words),
        }
    }

    /// Lists the table of a switch and returns the length of the instruction with its table. The rows are in the order
    /// of names, because the order of the slots depends on the numbers of atoms.
    fn table(&mut self, at: usize, op: Op, words: usize) -> Result<usize, Stop> {
        let mask = self.word(at, 1);
        let slots = usize::try_from(mask & !BOXED_TABLE)
            .unwrap_or(0)
            .saturating_add(1);
        let end = at
            .saturating_add(words)
            .saturating_add(slots.saturating_mul(2));
        let end = end.min(self.words.len());
        let mut place = at + words;
        let mut rows = Vec::new();
        while place + 1 < end {
            let (key, address) = (self.words[place], self.words[place + 1]);
            if key != 0 {
                let key = match op {
                    Op::SwitchOnConstant => (self.names)(Symbol::Constant(key))?,
                    _ if mask & BOXED_TABLE != 0 => format!("{key:#x}"),
                    _ => (self.names)(Symbol::Functor(key))?,
                };
                let address = self.address(address)?;
                rows.put(format!("         {key} -> {address}\n"))?;
            }
            place += 2;
        }
        rows.sort_unstable();
        for row in rows {
            self.text.put_str(&row)?;
        }
        Ok(end - at)
    }

    fn slot(&self, at: usize, slot: u8) -> usize {
        let word = self.word(at, 0);
        match slot {
            0 => slot_a(word),
            1 => slot_b(word),
            _ => slot_c(word),
        }
    }

    fn operand(&self, at: usize, operand: Operand) -> Result<String, Stop> {
        Ok(match operand {
            Operand::X(slot) => format!("x{}", self.slot(at, slot)),
            Operand::Y(slot) => format!("y{}", self.slot(at, slot)),
            Operand::Number(slot) => match self.slot(at, slot) {
                0xffff => "-".to_owned(),
                number => number.to_string(),
            },
            Operand::Signed(slot) => (self.slot(at, slot) as u16 as i16).to_string(),
            Operand::Predicate => (self.names)(Symbol::Predicate(wide(self.word(at, 0))))?,
            Operand::Builtin => (self.names)(Symbol::Builtin(wide(self.word(at, 0))))?,
            Operand::Back => format!("@{}", at.wrapping_sub(wide(self.word(at, 0)) as usize)),
            Operand::Wide => wide(self.word(at, 0)).to_string(),
            Operand::Constant(nth) => (self.names)(Symbol::Constant(self.word(at, nth)))?,
            Operand::Functor(nth) => (self.names)(Symbol::Functor(self.word(at, nth)))?,
            Operand::Evaluable(nth) => (self.names)(Symbol::Evaluable(self.word(at, nth)))?,
            Operand::Label(nth) => match self.word(at, nth) as i64 {
                0 => "fail".to_owned(),
                distance => format!("@{}", (at as i64).wrapping_add(distance)),
            },
            Operand::Address(nth) => self.address(self.word(at, nth))?,
            Operand::Site(nth) => {
                let site = self.word(at, nth);
                let barrier = if site & BARRIER == 0 { "" } else { " barrier" };
                format!("{}{barrier}", frame(site))
            }
            Operand::Frame(nth) => match self.word(at, nth) {
                NO_OWN_FRAME => "-".to_owned(),
                own => frame(own),
            },
            Operand::Packed(slot) => {
                let (to, from) = halves(self.slot(at, slot));
                let (x, y) = match decode(self.word(at, 0)) {
                    Some(Op::LoadTwo | Op::LoadThree) => ("x", "y"),
                    Some(Op::StoreTwo | Op::StoreThree) => ("y", "x"),
                    _ => ("x", "x"),
                };
                format!("{x}{to} {y}{from}")
            }
            Operand::Word(nth) => self.word(at, nth).to_string(),
        })
    }

    fn address(&self, address: u64) -> Result<String, Stop> {
        let base = self.words.as_ptr() as u64;
        let offset = address.wrapping_sub(base) / 8;
        if address >= base && offset < self.words.len() as u64 {
            return Ok(format!("@{offset}"));
        }
        (self.names)(Symbol::Address(address))
    }
}

/// Returns the text of a frame map: the size of the frame, its live slots and the cut levels among them, if any.
fn frame(map: u64) -> String {
    let levels = match level_slots(map) {
        0 => String::new(),
        levels => format!(" levels {levels:b}"),
    };
    format!("{}/{:b}{levels}", map & 0xffff, live_slots(map))
}

#[cfg(test)]
mod tests {
    use super::{Symbol, listing};
    use crate::base::stop::Stop;
    use crate::code::instruction::{Op, encode, encode_wide};

    fn name(symbol: Symbol) -> Result<String, Stop> {
        Ok(match symbol {
            Symbol::Constant(word) => format!("c{word}"),
            Symbol::Functor(word) => format!("f{word}/2"),
            Symbol::Predicate(index) => format!("p{index}/1"),
            Symbol::Builtin(index) => format!("b{index}/1"),
            Symbol::Evaluable(word) => format!("e{word}/2"),
            Symbol::Address(_) => "elsewhere".to_owned(),
        })
    }

    #[test]
    fn lists_one_instruction_on_each_line() {
        let words = [
            encode(Op::GetStructure, 1, 0, 0),
            7,
            5,
            encode(Op::UnifyVariableX, 3, 0, 0),
            encode_wide(Op::Execute, 0, 9),
            encode(Op::Fail, 0, 0, 0),
        ];
        let expected = "    0  get_structure x1, f7/2, @5\n    \
                        3  u_variable x3\n    \
                        4  execute p9/1\n    \
                        5  fail\n";
        assert_eq!(listing(&words, &name).unwrap(), expected);
    }

    #[test]
    fn lists_the_table_of_a_switch() {
        let words = [
            encode(Op::SwitchOnConstant, 0, 0, 0),
            1,
            8,
            0,
            0,
            3,
            16,
            Op::Proceed as u64,
        ];
        let expected = "    0  switch_on_constant x0, 1, elsewhere\n         \
                        c3 -> elsewhere\n    \
                        7  proceed\n";
        assert_eq!(listing(&words, &name).unwrap(), expected);
    }

    #[test]
    fn listing_ends_at_invalid_words() {
        for word in [
            0xffff,
            u64::MAX,
            Op::SwitchOnStructure as u64,
            Op::GetStructure as u64,
        ] {
            assert!(!listing(&[word], &name).unwrap().is_empty());
        }
    }
}
