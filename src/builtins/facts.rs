//! Facts without the passes of the compiler: one whose arguments are constants, different variables
//! and ground terms is the list of its arguments. Loading and `assertz/1` make them alike.

use crate::base::grow::Grow;
use crate::base::symbol::{Atom, functors};
use crate::code::instruction::{Op, REGISTERS, encode};
use crate::machine::state::Machine;
use crate::machine::throw::Throw;
use crate::program::clause::{Clause, Parts, Scratch, literal_mark};
use crate::program::predicate::PredId;
use crate::store::cell::{Cell, WORD, tag};
use crate::store::copy::Attrs;
use crate::store::heap::View;
use crate::store::unify::SMALL_GROUND_WORDS;

/// Code that makes larger terms asks for room first.
const UNCHECKED_WORDS: usize = 512;

/// Compiles a fact, given as a term that stands in `module`. `None` of a clause that needs the
/// compiler.
///
/// # Errors
/// A resource error.
pub(super) fn fact(
    m: &mut Machine,
    term: Cell,
    module: Atom,
    (file, line): (u32, u32),
) -> Result<Option<(PredId, Clause)>, Throw> {
    let View::Struct(functor, args) = m.store.view(term) else {
        return Ok(None);
    };
    let arity = functor.arity();
    let is_fact = !matches!(
        functor,
        functors::NECK | functors::DIRECTIVE | functors::QUERY | functors::COLON
    );
    if !is_fact || arity >= REGISTERS || (1..arity).any(|index| repeats(m, args, index)) {
        return Ok(None);
    }
    let mut scratch = std::mem::take(&mut m.scratch);
    scratch.clear();
    let made = fact_with(m, term, arity, (file, line), &mut scratch);
    scratch.give_back(&mut m.scratch);
    let Some(clause) = made? else {
        return Ok(None);
    };
    Ok(Some((m.intern_predicate(module, functor), clause)))
}

/// Is the argument a variable that stood before it?
fn repeats(m: &Machine, args: u64, index: usize) -> bool {
    let arg = m.store.arg(args, index);
    arg.is_var() && (0..index).any(|before| m.store.arg(args, before) == arg)
}

fn fact_with(
    m: &mut Machine,
    term: Cell,
    arity: usize,
    (file, line): (u32, u32),
    scratch: &mut Scratch,
) -> Result<Option<Clause>, Throw> {
    let root = m.store.copy_out(term, &mut scratch.source, Attrs::Drop)?;
    let source = scratch.source.as_slice();
    let (head, rest) = source.split_at(arity + 1);
    let code = &mut scratch.code;
    if rest.len() > UNCHECKED_WORDS {
        code.put(Op::EnsureHeap as u64);
        code.put(rest.len() as u64);
    }
    let mut shares = false;
    let mut ground = None;
    for (index, &word) in head[1..].iter().enumerate() {
        let cell = Cell(word);
        let op = match cell.tag() {
            tag::REF if cell.addr() == (index as u64 + 1) * WORD => continue,
            tag::REF => return Ok(None),
            _ if cell.is_simple() => {
                code.put(encode(Op::GetConstant, index as u16, 0, 0));
                code.put(word);
                continue;
            }
            tag::BOX => Op::GetLiteral,
            _ => {
                if !*ground.get_or_insert_with(|| !has_variables(rest)) {
                    return Ok(None);
                }
                if is_small(source, cell) {
                    Op::GetGround
                } else {
                    Op::GetLiteral
                }
            }
        };
        shares |= op == Op::GetLiteral;
        code.put(encode(op, index as u16, 0, 0));
        code.put(literal_mark(scratch.literals.len()).0);
        scratch.literals.put(word);
    }
    code.put(Op::Proceed as u64);
    let parts = Parts {
        code,
        source,
        root,
        literals: &scratch.literals,
        shares,
        is_fact: true,
        file,
        line,
    };
    Ok(Some(Clause::new(&parts)?))
}

/// Is there a variable in these words of a block?
fn has_variables(words: &[u64]) -> bool {
    let mut at = 0;
    while let Some(&word) = words.get(at) {
        let cell = Cell(word);
        if cell.is_var() {
            return true;
        }
        at += 1 + if cell.is_box_header() {
            cell.box_words()
        } else {
            0
        };
    }
    false
}

/// Is the term of a block so small that copies of it are made?
fn is_small(block: &[u64], term: Cell) -> bool {
    let mut words = 0;
    let mut todo = [term; SMALL_GROUND_WORDS as usize];
    let mut open = 1;
    while open > 0 {
        open -= 1;
        let cell = todo[open];
        let at = (cell.addr() / WORD) as usize;
        let inner = match cell.tag() {
            tag::LST => &block[at..at + 2],
            tag::STR => {
                words += 1;
                &block[at + 1..at + 1 + Cell(block[at]).as_functor().arity()]
            }
            _ => continue,
        };
        words += inner.len();
        if words > SMALL_GROUND_WORDS as usize {
            return false;
        }
        for &word in inner.iter().filter(|&&word| Cell(word).is_compound()) {
            todo[open] = Cell(word);
            open += 1;
        }
    }
    true
}
