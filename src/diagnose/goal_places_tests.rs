//! The numbers that the compiler gives to goals, compared with the goals that the terms and the texts of clauses have
//! under them.

use super::goal_places::{goal_of, place};
use super::origin::{calls, is_of_user};
use crate::base::stop::Stop;
use crate::machine::state::Machine;
use crate::program::clauses::clause_list::Clause;
use crate::source::program_names::is_lolli;

/// Compares the calls of all loaded clauses with the goals that they have the numbers of. Gives what the texts have at
/// their places.
pub(crate) fn compare_calls(m: &mut Machine) -> Result<Vec<String>, Stop> {
    let mut found = Vec::new();
    for id in m.world.predicates.ids() {
        // The one clause of a tabled predicate is made by the system.
        if m.world.predicates.get(id).traits.tabled {
            continue;
        }
        let clauses: Vec<Clause> = m.world.predicates.get(id).clauses.all().cloned().collect();
        for clause in clauses {
            if clause.file() == 0
                || is_lolli(&m.world.files.get(clause.file()).name)
                || !is_of_user(m, id, &clause)
            {
                continue;
            }
            for (address, callee, _) in calls(&clause)? {
                let called = m.world.predicates.get(callee).functor;
                let name = m.world.symbols.name_text(called).to_owned();
                // The front end makes up calls of the system's own.
                if name.starts_with('$') || name == "from_prolog" {
                    continue;
                }
                let goal = goal_of(m, &clause, address)
                    .unwrap()
                    .expect("a call has a goal");
                let has = m.world.symbols.name_text(goal.functor);
                let line = clause.line();
                assert_eq!(
                    (has, goal.functor.arity()),
                    (&*name, called.arity()),
                    "line {line}"
                );
                let place = place(m, id, &clause, Some(goal))?.expect("a call has a place");
                let text = place
                    .source_line
                    .get(place.span.clone())
                    .unwrap_or_default();
                found.push(format!("{}: {text}", place.line));
            }
        }
    }
    Ok(found)
}
