//! Sequences that an automaton accepts. The automaton is unrolled, so that every element of the sequence has arcs of
//! its own (Pesant, "A regular language membership constraint for finite sequences of variables", 2004).
//!
//! For every element the state has the number of its values in the last run, and the number of arcs that are left. An
//! arc is left if it lies on a path from a source to a sink. Such arcs come first in the order of the arcs. The order
//! of the other arcs has no meaning, so backtracking need not restore it.

use super::table::put_value;
use crate::base::growth::{Grow, GrowAt, with_room};
use crate::fd::kinds::Kinds;
use crate::fd::number::{Large, Num};
use crate::fd::propagator::{Propagator, Vector};
use crate::fd::variable::Wait;
use crate::fd::work::{Fd, Halt, R};
use crate::store::cell::Cell;
use crate::store::heap::deref;

/// An automaton whose nodes have numbers.
pub(crate) struct Automaton {
    /// The arcs: from node, label, to node.
    pub(crate) arcs: Vec<(usize, Cell, usize)>,
    /// The number of nodes.
    pub(crate) nodes: usize,
    /// Nodes where sequences may begin and end.
    pub(crate) sources: Vec<usize>,
    pub(crate) sinks: Vec<usize>,
}

/// The data that a run reads and writes. Arguments: Variables, State, Order, start of the arcs of each element in it,
/// Arcs, Labels in ascending order, number of nodes, term that is printed.
struct Run {
    variables: Vector,
    state: Vector,
    order: Vector,
    starts: Vector,
    /// For each arc its node, the number of its label, and the next node.
    arcs: Vector,
    labels: Vector,
    /// For each node the last number that it was marked with.
    marks: Vec<u32>,
    mark: u32,
}

impl Run {
    fn of(p: Propagator) -> R<Run> {
        let [variables, state, order, starts, arcs, labels, nodes] = p.args()?;
        let labels = Vector::of(labels)?;
        let count = (nodes.int_value() as usize).max(labels.len);
        let mut marks = with_room(count)?;
        marks.fill_to(count, 0)?;
        Ok(Run {
            variables: Vector::of(variables)?,
            state: Vector::of(state)?,
            order: Vector::of(order)?,
            starts: Vector::of(starts)?,
            arcs: Vector::of(arcs)?,
            labels,
            marks,
            mark: 0,
        })
    }

    fn count(&self, layer: usize) -> usize {
        self.state.int(2 * layer + 1) as usize
    }

    /// Returns a part of an arc: 0 its node, 1 the number of its label, 2 the next node.
    fn part(&self, place: usize, part: usize) -> usize {
        self.arcs.int(3 * self.order.int(place) as usize + part) as usize
    }

    /// Marks a part of all arcs of a layer. Returns the number of different parts.
    fn mark(&mut self, layer: usize, part: usize) -> usize {
        self.mark += 1;
        let start = self.starts.int(layer) as usize;
        let mut different = 0;
        for place in start..start + self.count(layer) {
            let mark =
                &mut self.marks[self.arcs.int(3 * self.order.int(place) as usize + part) as usize];
            different += usize::from(*mark != self.mark);
            *mark = self.mark;
        }
        different
    }

    /// Keeps the arcs of a layer that fulfill a condition. Returns whether there are others.
    fn keep(
        &mut self,
        fd: &mut Fd<'_>,
        p: Propagator,
        layer: usize,
        mut kept: impl FnMut(&Fd<'_>, &Run, usize) -> R<bool>,
    ) -> R<bool> {
        let start = self.starts.int(layer) as usize;
        let before = self.count(layer);
        let (mut at, mut left) = (0, before);
        while at < left {
            if kept(fd, self, start + at)? {
                at += 1;
            } else {
                left -= 1;
                self.order.swap(start + at, start + left);
            }
        }
        fd.look()?;
        if left == before {
            return Ok(false);
        }
        if left == 0 {
            return Err(Halt::Fail);
        }
        self.state = fd.own_vector(p, 1)?;
        self.state.set(2 * layer + 1, Cell::int(left as i64));
        Ok(true)
    }

    /// Removes the values of an element that none of its arcs has. The element had `size` values when the run began.
    /// A variable that occurs as several elements may have fewer by now; the next run handles that.
    fn filter<N: Num>(&mut self, fd: &mut Fd<'_>, p: Propagator, layer: usize, size: i64) -> R {
        let x = self.variables.get(layer);
        let supported = self.mark(layer, 1);
        if size != supported as i64 {
            let mut ranges: Vec<(N, N)> = Vec::new();
            for label in (0..self.labels.len).filter(|&label| self.marks[label] == self.mark) {
                put_value(&mut ranges, N::of_cell(fd.store, self.labels.get(label))?)?;
            }
            fd.restrict(x, &ranges)?;
        }
        self.state = fd.own_vector(p, 1)?;
        self.state.set(2 * layer, Cell::int(supported as i64));
        Ok(())
    }
}

/// Keeps values of variables that are labels on a path of an automaton from a source to a sink.
pub(crate) fn automaton<N: Num>(fd: &mut Fd<'_>, p: Propagator) -> R {
    let mut run = Run::of(p)?;
    let layers = run.variables.len;
    let mut sizes = with_room(layers)?;
    for x in run.variables.iter() {
        sizes.put(fd.size::<N>(x)?.small().unwrap_or(i64::MAX))?;
    }
    let is_changed = |run: &Run, layer: usize| sizes[layer] != run.state.int(2 * layer);
    let Some(first) = (0..layers).find(|&layer| is_changed(&run, layer)) else {
        return match sizes.iter().all(|&size| size == 1) {
            true => fd.kill(p),
            false => Ok(()),
        };
    };
    // For each layer, whether arcs of it are gone.
    let mut gone = with_room(layers)?;
    gone.fill_to(layers, false)?;
    for layer in first..layers {
        let x = run.variables.get(layer);
        let by_value = is_changed(&run, layer);
        let by_node = layer > 0 && gone[layer - 1];
        if by_node {
            run.mark(layer - 1, 2);
        } else if !by_value {
            continue;
        }
        gone[layer] = run.keep(fd, p, layer, |fd, run, place| {
            if by_node && run.marks[run.part(place, 0)] != run.mark {
                return Ok(false);
            }
            if !by_value {
                return Ok(true);
            }
            let label = run.labels.get(run.part(place, 1));
            // A restart would lose the arcs removed from other layers. So only this step is repeated.
            match N::of_cell(fd.store, label).and_then(|label| fd.contains(x, &label)) {
                Err(Halt::Wide) => fd.contains(x, &Large::of_cell(fd.store, label)?),
                found => found,
            }
        })?;
    }
    for layer in (1..layers).rev() {
        if gone[layer] {
            run.mark(layer, 0);
            gone[layer - 1] |= run.keep(fd, p, layer - 1, |_, run, place| {
                Ok(run.marks[run.part(place, 2)] == run.mark)
            })?;
        }
    }
    for layer in 0..layers {
        if gone[layer] || is_changed(&run, layer) {
            match run.filter::<N>(fd, p, layer, sizes[layer]) {
                Err(Halt::Wide) => run.filter::<Large>(fd, p, layer, sizes[layer])?,
                done => done?,
            }
        }
    }
    Ok(())
}

impl Automaton {
    /// Returns, for each of `length` elements, the numbers of the arcs that lie on paths from sources to sinks.
    fn unroll(&self, fd: &mut Fd<'_>, length: usize) -> R<Vec<Vec<usize>>> {
        let mut reached = with_room(self.nodes)?;
        reached.fill_to(self.nodes, false)?;
        self.sources.iter().for_each(|&node| reached[node] = true);
        let mut layers: Vec<Vec<usize>> = with_room(length)?;
        for _ in 0..length {
            let mut layer = Vec::new();
            for (number, arc) in self.arcs.iter().enumerate() {
                if reached[arc.0] {
                    layer.put(number)?;
                }
            }
            reached.fill(false);
            layer
                .iter()
                .for_each(|&arc| reached[self.arcs[arc].2] = true);
            layers.put(layer)?;
            fd.look()?;
        }
        reached.fill(false);
        self.sinks.iter().for_each(|&node| reached[node] = true);
        for layer in layers.iter_mut().rev() {
            layer.retain(|&arc| reached[self.arcs[arc].2]);
            reached.fill(false);
            layer
                .iter()
                .for_each(|&arc| reached[self.arcs[arc].0] = true);
            fd.look()?;
        }
        Ok(layers)
    }
}

impl Fd<'_> {
    /// Posts that an automaton accepts a sequence. `shown` is the term that is printed for the automaton.
    pub(crate) fn post_automaton(&mut self, xs: &[Cell], automaton: &Automaton, shown: Cell) -> R {
        if xs.is_empty() {
            let accepted = automaton
                .sources
                .iter()
                .any(|node| automaton.sinks.contains(node));
            return if accepted { Ok(()) } else { Err(Halt::Fail) };
        }
        let layers = automaton.unroll(self, xs.len())?;
        let mut labels: Vec<(Large, Cell)> = with_room(automaton.arcs.len())?;
        for &(_, label, _) in &automaton.arcs {
            labels.put((self.integer(label)?, label))?;
        }
        labels.sort_unstable_by(|a, b| a.0.cmp(&b.0));
        labels.dedup_by(|a, b| a.0 == b.0);
        let mut ranges = Vec::new();
        for (value, _) in &labels {
            put_value(&mut ranges, value.clone())?;
        }
        for &x in xs {
            self.restrict(x, &ranges)?;
        }
        let mut variables = with_room(xs.len())?;
        variables.put_all(xs.iter().map(|&x| deref(x)))?;
        let mut arcs = with_room(3 * automaton.arcs.len())?;
        for &(from, label, to) in &automaton.arcs {
            let label = self.integer::<Large>(label)?;
            let number = labels.partition_point(|other| other.0 < label);
            arcs.put_all([from, number, to].map(|part| Cell::int(part as i64)))?;
        }
        let (mut state, mut starts) = (with_room(2 * layers.len())?, with_room(layers.len())?);
        let mut order = Vec::new();
        for layer in &layers {
            // No element has 0 values, so the first run examines all elements.
            state.put_all([Cell::int(0), Cell::int(layer.len() as i64)])?;
            starts.put(Cell::int(order.len() as i64))?;
            order.put_all(layer.iter().map(|&arc| Cell::int(arc as i64)))?;
        }
        let mut label_cells = with_room(labels.len())?;
        label_cells.put_all(labels.iter().map(|label| label.1))?;
        let mut args = with_room(8)?;
        for vector in [&variables, &state, &order, &starts, &arcs, &label_cells] {
            args.put(self.new_vector(vector)?)?;
        }
        args.put_all([Cell::int(automaton.nodes as i64), shown])?;
        let propagator = self.new_propagator(Kinds::Automaton, &args)?;
        for &x in &variables {
            self.subscribe(x, propagator.cell(), Wait::Dom)?;
        }
        self.start(propagator, &[])
    }
}
