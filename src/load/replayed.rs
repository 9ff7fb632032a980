//! Adding the items that an image has for the file that is being loaded.

use super::consult::{Item, report_error, self_check};
use crate::base::atom_table::{Atom, atoms};
use crate::base::source::Span;
use crate::builtins::database::clauses::load_clause;
use crate::builtins::database::stored::{
    Block, present_clause, stored_fact, stored_rule, wait_for_code,
};
use crate::image::items::Kind;
use crate::image::record::has_lambda;
use crate::image::replay::read_next;
use crate::machine::control::throw::Throw;
use crate::machine::state::Machine;
use crate::program::predicate::Kind as PredicateKind;
use crate::source::loading::loader;
use crate::store::cell::Cell;

/// Adds clauses of the present load of an image, up to the next directive or clause with lambda expressions.
pub(super) fn next_replayed(m: &mut Machine) -> Result<Item, Throw> {
    let mut room = Vec::new();
    loop {
        m.go_on()?;
        let top = m.store.heap_top;
        let Some(next) = read_next(m, room)? else {
            return Ok(Item::End);
        };
        let file = loader(m).stack.last().map_or(0, |loading| loading.file);
        let found = Block {
            words: &next.block,
            root: next.root,
        };
        let module = next.module.unwrap_or(m.world.source_module);
        match next.kind {
            Kind::End => return Ok(Item::End),
            Kind::Directive => {
                let goal = m.store.copy_in(found.words, next.root)?;
                return Ok(Item::Directive(goal, Cell::atom(atoms::NIL)));
            }
            Kind::Rule | Kind::PresentRule
                if module == m.world.source_module && has_lambda(&next.block) =>
            {
                return Ok(Item::Clause(m.store.copy_in(found.words, next.root)?));
            }
            _ => {
                let added = add(m, (next.kind, found), (module, file, next.line), next.span);
                report_error(m, added)?;
            }
        }
        m.store.heap_top = top;
        room = next.block;
    }
}

/// Adds a clause.
fn add(
    m: &mut Machine,
    (kind, block): (Kind, Block<'_>),
    context: (Atom, u32, u32),
    span: Span,
) -> Result<(), Throw> {
    let (id, mut clause) = match kind {
        Kind::Fact => stored_fact(m, block, context)?,
        Kind::Rule => stored_rule(m, block, context)?,
        _ => present_clause(m, block, context)?,
    };
    self_check(m, id, span)?;
    if !clause.has_code() && m.world.predicates.get(id).kind == PredicateKind::Dynamic {
        clause = present_clause(m, block, context)?.1;
    }
    let waits = !clause.has_code();
    load_clause(m, id, clause)?;
    if waits {
        wait_for_code(m, id)?;
    }
    Ok(())
}
