//! Generator of `docs/instructions.md` from the table of instructions. The test fails if the page is out of date.
//! With `UPDATE_GOLDEN` set, it rewrites the page.

use crate::code::instruction::{Op, Operand, ROWS};
use crate::code::pairs::{FIRST_PAIR, FIRST_THREE, PAIRS, THREES};
use crate::data_tests::check_page;
use std::fmt::Write;

const HEAD: &str = "\
# Instructions

This page lists the instructions of the machine, so you can read the output of `wamlet --listing`. It is generated from
the table in `src/code/instruction.rs`; do not edit it.

An instruction is one word `op:16 | a:16 | b:16 | c:16`, least significant first, and a few optional words `w1`, `w2`, ….
`op` is a number of 11 bits and two marks. One mark says that the instruction begins a goal that is compiled in place. The
other says that the instruction evaluates an operand of a later instruction.

`X` is a register, `Y` a slot of the environment. The letter or word after an operand gives its position in the
instruction: `bc` means the slots b and c together.

| Number | Instruction | Words | Operands | Meaning |
|-------:|-------------|------:|----------|---------|
";

const PAIRS_HEAD: &str = "
## Pairs and threes

The first instruction of a pair has the number of the pair in place of its own. One handler runs both instructions
without a dispatch in between. The second instruction is unchanged, and listings show both under their own names.
Threes work the same way.

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
