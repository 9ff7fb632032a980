//! `docs/instructions.md`, made from the table of instructions. The test fails when the page is
//! stale; with `UPDATE_GOLDEN` set it is written anew.

use crate::code::instruction::{Op, Operand, ROWS};
use crate::code::pairs::{FIRST_PAIR, FIRST_THREE, PAIRS, THREES};
use crate::data_tests::check_page;
use std::fmt::Write;

const HEAD: &str = "\
# Instructions

Generated from the table in `src/code/instruction.rs`; do not edit.

An instruction is one word `op:16 | a:16 | b:16 | c:16`, least significant first, where `op` is a number of 11 bits
and two marks (the goal of the instruction is done in place; an operand follows that is evaluated), and up to a few further words `w1`, `w2`, …. `X` is a register, `Y` a slot of the environment; the letter or word
after an operand says where it stands.

| Number | Instruction | Words | Operands | Meaning |
|-------:|-------------|------:|----------|---------|
";

const PAIRS_HEAD: &str = "
## Pairs and threes

An instruction that one of these follows has the number of the pair in place of its own: both are done
without a dispatch in between. The second stays as it is, and listings show both as they would be
without. Likewise three instructions.

| Number | First | Second | Third |
|-------:|-------|--------|-------|
";

fn slot(number: u8) -> &'static str {
    ["a", "b", "c"][usize::from(number)]
}

fn operand(operand: Operand) -> String {
    match operand {
        Operand::X(at) => format!("X {}", slot(at)),
        Operand::Y(at) => format!("Y {}", slot(at)),
        Operand::Number(at) => format!("number {}", slot(at)),
        Operand::Signed(at) => format!("signed {}", slot(at)),
        Operand::Predicate => "predicate bc".to_owned(),
        Operand::Builtin => "builtin bc".to_owned(),
        Operand::Wide => "number bc".to_owned(),
        Operand::Back => "back bc".to_owned(),
        Operand::Constant(at) => format!("constant w{at}"),
        Operand::Functor(at) => format!("functor w{at}"),
        Operand::Label(at) => format!("label w{at}"),
        Operand::Address(at) => format!("address w{at}"),
        Operand::Evaluable(at) => format!("evaluable w{at}"),
        Operand::Site(at) => format!("site w{at}"),
        Operand::Frame(at) => format!("frame w{at}"),
        Operand::Packed(at) => format!("packed {}", slot(at)),
        Operand::Word(at) => format!("word w{at}"),
    }
}

fn manual() -> String {
    let mut text = HEAD.to_owned();
    for (&op, row) in Op::ALL.iter().zip(ROWS) {
        let operands: Vec<String> = row.operands.iter().map(|&it| operand(it)).collect();
        let (number, name, words) = (op as u16, row.name, row.words);
        let (operands, doc) = (operands.join(", "), row.doc.trim());
        writeln!(
            text,
            "| {number} | `{name}` | {words} | {operands} | {doc} |"
        )
        .unwrap();
    }
    text.push_str(PAIRS_HEAD);
    let name = |op: Op| ROWS[op as usize].name;
    for (index, &(first, second)) in PAIRS.iter().enumerate() {
        let number = FIRST_PAIR + index;
        writeln!(
            text,
            "| {number} | `{}` | `{}` | |",
            name(first),
            name(second)
        )
        .unwrap();
    }
    for (index, &(first, second, third)) in THREES.iter().enumerate() {
        let number = FIRST_THREE + index;
        let names = [first, second, third].map(|op| format!("`{}`", name(op)));
        writeln!(text, "| {number} | {} |", names.join(" | ")).unwrap();
    }
    text
}

#[test]
fn instructions_page_is_up_to_date() {
    check_page("docs/instructions.md", &manual());
}
