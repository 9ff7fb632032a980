//! Strongly connected components of a graph (Tarjan, "Depth-first search and linear graph algorithms", 1972).

use crate::base::growth::{Grow, GrowAt, with_room};
use crate::base::stop::Stop;
use crate::base::watch::Watch;

/// No node.
const NONE: u32 = u32::MAX;

/// Number of steps that a node with its edges counts as.
pub(super) const NODE: usize = 64;

/// Returns the number of the component of each of `count` nodes. `successor` returns the nth successor of a node, or
/// `None` after the last one.
pub(super) fn components(
    count: usize,
    successor: impl Fn(u32, usize) -> Option<u32>,
    watch: &Watch,
) -> Result<Vec<u32>, Stop> {
    let mut order = with_room(count)?;
    order.fill_to(count, NONE)?;
    let mut low = with_room(count)?;
    low.fill_to(count, NONE)?;
    let mut component = with_room(count)?;
    component.fill_to(count, NONE)?;
    let (mut next, mut components) = (0, 0);
    let mut open: Vec<u32> = with_room(count)?;
    let mut path: Vec<(u32, usize)> = with_room(count)?;
    for root in 0..count as u32 {
        if order[root as usize] != NONE {
            continue;
        }
        path.put((root, 0))?;
        while let Some(&mut (node, ref mut edge)) = path.last_mut() {
            let at = node as usize;
            if order[at] == NONE {
                (order[at], low[at]) = (next, next);
                next += 1;
                watch.go_on_at(next as usize * NODE)?;
                open.put(node)?;
            }
            if let Some(to) = successor(node, *edge) {
                *edge += 1;
                if order[to as usize] == NONE {
                    path.put((to, 0))?;
                } else if component[to as usize] == NONE {
                    low[at] = low[at].min(order[to as usize]);
                }
                continue;
            }
            path.pop();
            if let Some(&(above, _)) = path.last() {
                low[above as usize] = low[above as usize].min(low[at]);
            }
            if low[at] == order[at] {
                while let Some(member) = open.pop() {
                    component[member as usize] = components;
                    if member == node {
                        break;
                    }
                }
                components += 1;
            }
        }
    }
    Ok(component)
}
