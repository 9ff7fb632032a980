//! Circuits: each variable is the number of the node after its own, counted from 1, and the way from any node leads
//! through all nodes.

use crate::base::growth::{Grow, GrowAt, with_room};
use crate::fd::number::Num;
use crate::fd::propagator::{Propagator, Vector};
use crate::fd::work::{Fd, Halt, R};
use crate::store::cell::Cell;

/// Returns the index of a node with this number.
fn index_of<N: Num>(number: &N, size: usize) -> R<usize> {
    let index = number
        .small()
        .and_then(|number| usize::try_from(number - 1).ok());
    index.filter(|&index| index < size).ok_or(Halt::Fail)
}

/// Returns the number of a node.
fn number_of<N: Num>(index: usize) -> N {
    N::of(index as i64 + 1)
}

/// Keeps every chain of known successors from ending at its own beginning before it has all nodes (Caseau, Laburthe,
/// "Solving small TSPs with constraints", 1997). Arguments: Successors, Order and State. Order has the indexes of
/// nodes, those with open successors first. State has the number of the latter. Then it has three numbers for each
/// node: the first node of the chain that it ends, the last node of the chain that it begins, and the length of this
/// chain.
pub(crate) fn chains<N: Num>(fd: &mut Fd<'_>, p: Propagator) -> R {
    let [successors, order, state] = p.args()?;
    let (successors, order) = (Vector::of(successors)?, Vector::of(order)?);
    let mut state = Vector::of(state)?;
    let size = successors.len;
    let (first_of, last_of, length_of) = (1, 1 + size, 1 + 2 * size);
    let mut open = usize::try_from(state.int(0)).unwrap_or(0).min(size);
    let mut index = 0;
    while index < open {
        let node = order.int(index) as usize;
        let Some(next) = fd.value::<N>(successors.get(node))? else {
            index += 1;
            continue;
        };
        open -= 1;
        order.swap(index, open);
        for other in 0..open {
            let other = successors.get(order.int(other) as usize);
            fd.remove(other, &next)?;
        }
        let next = index_of(&next, size)?;
        state = fd.own_vector(p, 2)?;
        state.set(0, Cell::int(open as i64));
        let first = state.int(first_of + node);
        let last = state.int(last_of + next);
        let length = state.int(length_of + first as usize) + state.int(length_of + next);
        match first as usize == next {
            true if open > 0 => return Err(Halt::Fail),
            true => {}
            false if length < size as i64 => {
                fd.remove(
                    successors.get(last as usize),
                    &number_of::<N>(first as usize),
                )?;
            }
            false => {}
        }
        state.set(first_of + last as usize, Cell::int(first));
        state.set(last_of + first as usize, Cell::int(last));
        state.set(length_of + first as usize, Cell::int(length));
        fd.look()?;
        // The removal may have made other variables known.
        index = 0;
    }
    match open {
        0 => fd.kill(p),
        _ => Ok(()),
    }
}

/// No node: it has not been reached.
const NONE: u32 = u32::MAX;

/// The graph of the nodes and those that may follow them.
struct Graph {
    /// Start of the successors of each node in `edges`, and the end of the last ones.
    starts: Vec<u32>,
    edges: Vec<u32>,
}

impl Graph {
    fn of<N: Num>(fd: &mut Fd<'_>, successors: Vector) -> R<Graph> {
        let mut starts = with_room(successors.len + 1)?;
        let mut edges = with_room(4 * successors.len)?;
        for x in successors.iter() {
            starts.put(edges.len() as u32)?;
            for (low, high) in fd.ranges::<N>(x)? {
                let (low, high) = (
                    index_of(&low, successors.len)?,
                    index_of(&high, successors.len)?,
                );
                edges.put_all(low as u32..=high as u32)?;
            }
            fd.look()?;
        }
        starts.put(edges.len() as u32)?;
        Ok(Graph { starts, edges })
    }

    fn edges_of(&self, node: u32) -> std::ops::Range<usize> {
        self.starts[node as usize] as usize..self.starts[node as usize + 1] as usize
    }
}

/// The results of a search through a graph.
#[derive(Default)]
struct Found {
    /// Edges that no circuit has.
    removals: Vec<(u32, u32)>,
    /// Edges that every circuit has.
    required: Vec<(u32, u32)>,
}

/// A depth-first search from one node. Nodes that one edge of the root reaches and earlier edges do not form a part.
/// Edges lead from a part to itself, to earlier parts or to the root. So a circuit leads from the root to the last
/// part, through all of it to the part before, and so on. Source: Francis, Stuckey, "Explaining circuit propagation",
/// 2014.
struct Walk<'g> {
    graph: &'g Graph,
    /// The time when each node was reached.
    order: Vec<u32>,
    /// The earliest node that each node and the nodes after it reach.
    low: Vec<u32>,
    /// Number of nodes reached so far.
    reached: u32,
    /// Start of the part before, and of this part.
    before: u32,
    begin: u32,
    /// An edge to the part before, and the number of such edges.
    way: (u32, u32),
    ways: u32,
    found: Found,
}

impl Walk<'_> {
    /// Visits all nodes that this node reaches. Returns false if no edge leaves some of them.
    fn part(&mut self, from: u32, path: &mut Vec<(u32, usize)>) -> R<bool> {
        self.enter(from, path)?;
        while let Some(&mut (node, ref mut edge)) = path.last_mut() {
            let n = node as usize;
            if *edge < self.graph.edges_of(node).end {
                let to = self.graph.edges[*edge];
                *edge += 1;
                let order = self.order[to as usize];
                if order == NONE {
                    self.enter(to, path)?;
                } else if order >= self.begin {
                    self.low[n] = self.low[n].min(order);
                } else if order >= self.before {
                    self.low[n] = self.low[n].min(order);
                    self.way = (node, to);
                    self.ways += 1;
                } else {
                    self.found.removals.put((node, to))?;
                }
                continue;
            }
            path.pop();
            if self.low[n] == self.order[n] {
                return Ok(false);
            }
            if let Some(&(above, _)) = path.last() {
                self.low[above as usize] = self.low[above as usize].min(self.low[n]);
            }
        }
        Ok(true)
    }

    fn enter(&mut self, node: u32, path: &mut Vec<(u32, usize)>) -> R {
        self.order[node as usize] = self.reached;
        self.low[node as usize] = self.reached;
        self.reached += 1;
        path.put((node, self.graph.edges_of(node).start))?;
        Ok(())
    }
}

/// Returns the results of a search from a node; `None` if there is no circuit.
fn search(graph: &Graph, root: u32) -> R<Option<Found>> {
    let size = graph.starts.len() - 1;
    let (mut order, mut low): (Vec<u32>, Vec<u32>) = (with_room(size)?, with_room(size)?);
    order.fill_to(size, NONE)?;
    low.fill_to(size, NONE)?;
    order[root as usize] = 0;
    let mut walk = Walk {
        graph,
        order,
        low,
        reached: 1,
        before: 0,
        begin: 1,
        way: (root, root),
        ways: 0,
        found: Found::default(),
    };
    let mut path = with_room(size)?;
    for edge in graph.edges_of(root) {
        let to = graph.edges[edge];
        if walk.order[to as usize] != NONE {
            continue;
        }
        walk.ways = 0;
        if !walk.part(to, &mut path)? || walk.ways == 0 {
            return Ok(None);
        }
        if walk.ways == 1 {
            walk.found.required.put(walk.way)?;
        }
        walk.before = walk.begin;
        walk.begin = walk.reached;
    }
    if (walk.reached as usize) < size {
        return Ok(None);
    }
    // Edges of the root must lead to the last part.
    for edge in graph.edges_of(root) {
        let to = graph.edges[edge];
        if walk.order[to as usize] < walk.before {
            walk.found.removals.put((root, to))?;
        }
    }
    Ok(Some(walk.found))
}

/// Keeps every node reachable from every other one. Argument: Successors.
pub(crate) fn connected<N: Num>(fd: &mut Fd<'_>, p: Propagator) -> R {
    let successors = Vector::of(p.arg(0)?)?;
    let root = (0..successors.len).find(|&node| successors.get(node).is_var());
    let graph = Graph::of::<N>(fd, successors)?;
    let Some(found) = search(&graph, root.unwrap_or(0) as u32)? else {
        return Err(Halt::Fail);
    };
    if root.is_none() {
        return fd.kill(p);
    }
    for (node, to) in found.removals {
        fd.remove(successors.get(node as usize), &number_of::<N>(to as usize))?;
    }
    for (node, to) in found.required {
        fd.assign(successors.get(node as usize), &number_of::<N>(to as usize))?;
    }
    Ok(())
}
