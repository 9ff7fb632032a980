//! Constraints defined by tables, automata and numbers of occurrences. The algorithms are in `fd`.

use super::posting::{check_variable, post, variables_arg};
use crate::base::growth::{Grow, with_room};
use crate::fd::Halt;
use crate::fd::propagators::Automaton;
use crate::machine::builtin::builtins;
use crate::machine::control::throw::Throw;
use crate::machine::state::Machine;
use crate::store::cell::Cell;
use crate::store::heap::deref;

/// Returns a list of lists, and checks each element with a function.
fn lists_arg(
    m: &mut Machine,
    list: Cell,
    check: impl Fn(&mut Machine, Cell) -> Result<(), Throw>,
) -> Result<Vec<Vec<Cell>>, Throw> {
    let items = m.list_arg(list)?;
    let mut lists = with_room(items.len())?;
    for item in items {
        lists.put(m.list_arg(item)?)?;
    }
    for &item in lists.iter().flatten() {
        check(m, item)?;
    }
    Ok(lists)
}

/// Posts that each of some tuples is a row of a table.
fn post_tuples(m: &mut Machine, tuples: Cell, relation: Cell) -> Result<bool, Throw> {
    let tuples = lists_arg(m, tuples, check_variable)?;
    let rows = lists_arg(m, relation, |m, item| m.integer_arg(item).map(drop))?;
    post(m, |fd| {
        let mut table = None;
        for tuple in &tuples {
            if !matches!(&table, Some((length, _)) if *length == tuple.len()) {
                let mut fitting: Vec<&[Cell]> = with_room(rows.len())?;
                fitting.put_all(
                    rows.iter()
                        .map(|row| &row[..])
                        .filter(|row| row.len() == tuple.len()),
                )?;
                if fitting.is_empty() {
                    return Err(Halt::Fail.into());
                }
                table = Some((tuple.len(), fd.new_table(&fitting, relation)?));
            }
            if let Some((_, table)) = &table {
                fd.post_tuple(tuple, table)?;
            }
        }
        Ok(())
    })
}

/// Returns the numbers of nodes in a list, and raises `nodes` above the greatest of them.
fn nodes_arg(m: &mut Machine, list: Cell, nodes: &mut usize) -> Result<Vec<usize>, Throw> {
    let items = m.list_arg(list)?;
    let mut numbers = with_room(items.len())?;
    for item in items {
        let number = m.size_arg(item)?;
        *nodes = (*nodes).max(number + 1);
        numbers.put(number)?;
    }
    Ok(numbers)
}

/// Posts that an automaton accepts a list. The numbers of its nodes are small, because the callers count from 0.
fn post_automaton(m: &mut Machine, args: [Cell; 5]) -> Result<bool, Throw> {
    let [list, arcs, sources, sinks, shown] = args;
    let xs = variables_arg(m, list)?;
    let mut nodes = 0;
    let sources = nodes_arg(m, sources, &mut nodes)?;
    let sinks = nodes_arg(m, sinks, &mut nodes)?;
    let parts = m.list_arg(arcs)?;
    let mut arcs = with_room(parts.len() / 3)?;
    for part in parts.chunks_exact(3) {
        let (from, to) = (m.size_arg(part[0])?, m.size_arg(part[2])?);
        m.integer_arg(part[1])?;
        nodes = nodes.max(from + 1).max(to + 1);
        arcs.put((from, deref(part[1]), to))?;
    }
    let automaton = Automaton {
        arcs,
        nodes,
        sources,
        sinks,
    };
    post(m, |fd| Ok(fd.post_automaton(&xs, &automaton, shown)?))
}

builtins! { RELATIONS =
    /// Posts that the elements of a list have a number of different values.
    library "$fd_nvalue"("?integer", "+list") = |m, [number, list]| {
        check_variable(m, number)?;
        let xs = variables_arg(m, list)?;
        post(m, |fd| Ok(fd.post_nvalue(number, &xs)?))
    };

    /// Posts that each tuple of a list of lists is an element of a list of lists of integers.
    library "$fd_tuples"("+list", "+list") = |m, [tuples, relation]| post_tuples(m, tuples, relation);

    /// Posts that an automaton accepts a list. The arguments are the list, the arcs as a list of node, label, node,
    /// …, the sources, the sinks, and a term for printing. Nodes are numbers from 0.
    library "$fd_automaton"("+list", "+list", "+list", "+list", "+term") = |m, [list, arcs, sources, sinks, shown]| {
        post_automaton(m, [list, arcs, sources, sinks, shown])
    };

    /// Posts that each key occurs in a list as often as its count says. The keys are different integers. The last
    /// arguments are a term for printing, and the way to narrow domains: by a flow (1) or by counting alone (0).
    library "$fd_cardinality"("+list", "+list", "+list", "+term", "+integer") = |m, [list, keys, counts, shown, flow]| {
        let xs = variables_arg(m, list)?;
        let keys = m.list_arg(keys)?;
        let counts = variables_arg(m, counts)?;
        for &key in &keys {
            m.integer_arg(key)?;
        }
        let flow = m.i64_arg(flow)? == 1;
        post(m, |fd| Ok(fd.post_cardinality(&xs, &keys, &counts, shown, flow)?))
    };
}
