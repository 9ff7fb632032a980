//! Information on clauses by their references: their places in predicates and in files.

use super::predicates::{general_head, head_functor};
use super::updates::{clause_reference, find_clause, readable_predicate};
use crate::base::atom_table::{atoms, functors};
use crate::base::growth::{Gather, Grow, with_room};
use crate::machine::builtin::builtins;
use crate::machine::state::Machine;
use crate::program::predicate::PredId;
use crate::store::cell::Cell;

/// Returns `Module:Indicator` of a predicate.
fn indicator_of(m: &mut Machine, id: PredId) -> Cell {
    let (module, functor) = m.world.predicates.home(id);
    let indicator = m.indicator(functor);
    m.store
        .new_struct(functors::COLON, &[Cell::atom(module), indicator])
}

builtins! { CLAUSE_INFO =
    /// Returns the references of the clauses of a predicate in order. A head names the predicate.
    iso "$clause_references"(":head", "-list") needs history = |m, [head, references]| {
        let (head, module) = m.in_module(head);
        if head.is_var() {
            return Err(m.instantiation_error());
        }
        let Some(functor) = head_functor(m, head)? else {
            return Err(m.type_error(atoms::CALLABLE, head));
        };
        let Some(id) = readable_predicate(m, module, functor)? else {
            return Ok(false);
        };
        let clauses = m.world.predicates.get(id).clauses.iter();
        let positions: Vec<i64> = clauses.map(|(position, _)| position).gather()?;
        m.store.reserve(6 * positions.len())?;
        let mut made = with_room(positions.len())?;
        for position in positions {
            made.put(clause_reference(m, id, position)?)?;
        }
        m.unify_items(references, &made)
    };
    /// Returns the predicate of a clause, as its module and a head, and the number of the clause in it.
    iso "$clause_place"("+reference", "-module", "-head", "-integer") needs history =
        |m, [reference, module, head, number]| {
            let Some((id, position)) = find_clause(m, reference)? else { return Ok(false) };
            let predicate = m.world.predicates.get(id);
            let (home, functor) = (predicate.module, predicate.functor);
            let before = predicate.clauses.iter().take_while(|&(other, _)| other != position);
            let found = before.count() + 1;
            let general = general_head(m, functor)?;
            Ok(m.unify_atom(module, home)? && m.unify(head, general)? && m.unify_size(number, found)?)
        };
    /// Returns the properties of a clause.
    iso "$clause_properties"("+reference", "-list") needs history = |m, [reference, properties]| {
        let Some((id, position)) = find_clause(m, reference)? else {
            let erased = Cell::atom(m.world.symbols.intern("erased")?);
            return m.unify_items(properties, &[erased]);
        };
        let Some(clause) = m.world.predicates.get(id).clauses.get(position) else { return Ok(false) };
        let (file, line, fact) = (clause.file(), clause.line(), clause.is_fact());
        let size = clause.size();
        let module = m.world.predicates.get(id).module;
        let mut found = Vec::new();
        if fact {
            found.put(Cell::atom(m.world.symbols.intern("fact")?))?;
        }
        if file != 0 {
            let name = m.path_atom(file)?;
            found.put(m.new_term("line_count", &[Cell::int(i64::from(line))])?)?;
            found.put(m.new_term("file", &[name])?)?;
            let source = &m.world.files.get(m.world.files.source(file)?).path;
            let source = Cell::atom(m.world.symbols.intern_passing(source)?);
            found.put(m.new_term("source", &[source])?)?;
        }
        found.put(m.new_term("size", &[Cell::int(8 * size as i64)])?)?;
        let indicator = indicator_of(m, id);
        found.put(m.new_term("predicate", &[indicator])?)?;
        found.put(m.new_term("module", &[Cell::atom(module)])?)?;
        m.unify_items(properties, &found)
    };
}
