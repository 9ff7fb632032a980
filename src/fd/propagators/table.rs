//! Tuples that are rows of a table (Demeulenaere et al., "Compact-table: efficiently filtering table constraints with
//! reversible sparse bit-sets", 2016).
//!
//! Every value of a column is an entry. An entry lists the words of bits that have rows with this value, and the bits
//! of these rows. The state of a tuple has the bits of the rows that are left, and for each column the number of
//! entries whose values are left. These entries come first in the order of entries. The order of the others has no
//! meaning, so backtracking need not restore it.

use crate::base::growth::{Gather, Grow, GrowAt, with_room};
use crate::fd::kinds::Kinds;
use crate::fd::number::{Large, Num};
use crate::fd::propagator::{Propagator, Vector};
use crate::fd::variable::Wait;
use crate::fd::work::{Fd, Halt, R};
use crate::store::cell::Cell;
use crate::store::heap::deref;

/// Number of rows whose bits are in one word.
const BITS: usize = 60;

/// A table on the heap, which many tuples can share.
pub(crate) struct Table {
    /// The rows of the table as a term, and vectors. These are the start of the entries of each column, the values of
    /// the entries, and the start of the words of each entry. The last vector has the number and the bits of each word.
    parts: [Cell; 5],
    /// The number of rows.
    rows: usize,
    /// The values of each column, as intervals.
    columns: Vec<Vec<(Large, Large)>>,
}

/// The data that a run reads and writes. Arguments: Variables, State, Order, Residues, and the parts of the table.
struct Run {
    variables: Vector,
    state: Vector,
    /// Numbers of entries by column, those that are left first.
    order: Vector,
    /// For each entry the word in which a row was last found. The search begins there.
    residues: Vector,
    columns: Vector,
    values: Vector,
    starts: Vector,
    words: Vector,
}

impl Run {
    fn of(p: Propagator) -> R<Run> {
        let [
            variables,
            state,
            order,
            residues,
            _,
            columns,
            values,
            starts,
            words,
        ] = p.args()?;
        Ok(Run {
            variables: Vector::of(variables)?,
            state: Vector::of(state)?,
            order: Vector::of(order)?,
            residues: Vector::of(residues)?,
            columns: Vector::of(columns)?,
            values: Vector::of(values)?,
            starts: Vector::of(starts)?,
            words: Vector::of(words)?,
        })
    }

    fn words_of(&self, entry: usize) -> std::ops::Range<usize> {
        self.starts.int(entry) as usize..self.starts.int(entry + 1) as usize
    }

    /// Returns the place of the bits of a word in the state, and the bits of an entry in that word.
    fn word(&self, number: usize) -> (usize, i64) {
        let place = self.variables.len + self.words.int(2 * number) as usize;
        (place, self.words.int(2 * number + 1))
    }

    /// Moves the entries of a column that `kept` refuses behind the others. Returns the number of the others.
    fn keep(&self, column: usize, mut kept: impl FnMut(usize) -> R<bool>) -> R<usize> {
        let start = self.columns.int(column) as usize;
        let mut left = self.state.int(column) as usize;
        let mut at = 0;
        while at < left {
            if kept(self.order.int(start + at) as usize)? {
                at += 1;
            } else {
                left -= 1;
                self.order.swap(start + at, start + left);
            }
        }
        Ok(left)
    }

    fn entries(&self, column: usize, from: usize, to: usize) -> impl Iterator<Item = usize> {
        let start = self.columns.int(column) as usize;
        (start + from..start + to).map(|at| self.order.int(at) as usize)
    }

    /// Removes the rows whose values in a column are no longer in its domain.
    fn update<N: Num>(&mut self, fd: &mut Fd<'_>, p: Propagator, column: usize) -> R {
        self.state = fd.own_vector(p, 1)?;
        let x = self.variables.get(column);
        let before = self.state.int(column) as usize;
        let left = self.keep(column, |entry| {
            let value = N::of_cell(fd.store, self.values.get(entry))?;
            fd.contains(x, &value)
        })?;
        self.state.set(column, Cell::int(left as i64));
        if before - left < left {
            for entry in self.entries(column, left, before) {
                for number in self.words_of(entry) {
                    let (place, bits) = self.word(number);
                    self.state
                        .set(place, Cell::int(self.state.int(place) & !bits));
                }
                fd.look()?;
            }
            return Ok(());
        }
        let mut kept = with_room(self.state.len)?;
        kept.fill_to(self.state.len, 0)?;
        for entry in self.entries(column, 0, left) {
            for number in self.words_of(entry) {
                let (place, bits) = self.word(number);
                kept[place] |= bits;
            }
            fd.look()?;
        }
        for (place, bits) in kept.into_iter().enumerate().skip(self.variables.len) {
            self.state
                .set(place, Cell::int(self.state.int(place) & bits));
        }
        Ok(())
    }

    /// Returns whether a row is left that has the value of an entry.
    fn is_supported(&self, entry: usize) -> bool {
        let has_row = |number: usize| {
            let (place, bits) = self.word(number);
            self.state.int(place) & bits != 0
        };
        if has_row(self.residues.int(entry) as usize) {
            return true;
        }
        let found = self.words_of(entry).find(|&number| has_row(number));
        if let Some(number) = found {
            self.residues.set(entry, Cell::int(number as i64));
        }
        found.is_some()
    }

    /// Removes the values of a column that no row has from its domain.
    fn filter<N: Num>(&self, fd: &mut Fd<'_>, column: usize) -> R {
        let before = self.state.int(column) as usize;
        let left = self.keep(column, |entry| {
            fd.look()?;
            Ok(self.is_supported(entry))
        })?;
        if left == before {
            return Ok(());
        }
        let x = self.variables.get(column);
        if before - left <= 4 && left > 1 {
            for entry in self.entries(column, left, before) {
                let value = N::of_cell(fd.store, self.values.get(entry))?;
                fd.remove(x, &value)?;
            }
            self.state.set(column, Cell::int(left as i64));
            return Ok(());
        }
        let mut entries = with_room(left)?;
        entries.put_all(self.entries(column, 0, left))?;
        entries.sort_unstable();
        let mut ranges: Vec<(N, N)> = Vec::new();
        for entry in entries {
            put_value(&mut ranges, N::of_cell(fd.store, self.values.get(entry))?)?;
        }
        fd.restrict(x, &ranges)?;
        self.state.set(column, Cell::int(left as i64));
        Ok(())
    }
}

/// Adds a value that is greater than those before.
pub(crate) fn put_value<N: Num>(ranges: &mut Vec<(N, N)>, value: N) -> R {
    match ranges.last_mut() {
        Some((_, last)) if last.next()? == value => *last = value,
        _ => ranges.put((value.clone(), value))?,
    }
    Ok(())
}

/// Propagates that a tuple of variables is a row of a table. If a column has a large value, only its own step is
/// repeated on integers of any size. So the changes of other columns are not lost.
pub(crate) fn tuple<N: Num>(fd: &mut Fd<'_>, p: Propagator) -> R {
    let mut run = Run::of(p)?;
    let mut changed = None;
    let mut several = false;
    for column in 0..run.variables.len {
        let x = run.variables.get(column);
        let size = match fd.size::<N>(x) {
            Err(Halt::Wide) => fd.size::<Large>(x)?.small(),
            size => size?.small(),
        };
        if size == Some(run.state.int(column)) {
            continue;
        }
        match run.update::<N>(fd, p, column) {
            Err(Halt::Wide) => run.update::<Large>(fd, p, column)?,
            done => done?,
        }
        several |= changed.is_some();
        changed = Some(column);
    }
    let mut open = 0;
    for column in 0..run.variables.len {
        if changed.is_some() && (several || changed != Some(column)) {
            match run.filter::<N>(fd, column) {
                Err(Halt::Wide) => run.filter::<Large>(fd, column)?,
                done => done?,
            }
        }
        match run.state.int(column) {
            0 => return Err(Halt::Fail),
            1 => {}
            _ => open += 1,
        }
    }
    match open {
        0 | 1 => fd.kill(p),
        _ => Ok(()),
    }
}

/// Propagates that B is 1 if a tuple of variables is a row, else 0.
pub(crate) fn is_tuple<N: Num>(fd: &mut Fd<'_>, p: Propagator) -> R {
    let [b, variables, rows, relation] = p.args()?;
    let (variables, rows) = (Vector::of(variables)?, Vector::of(rows)?);
    let truth = fd.value::<N>(b)?;
    let mut possible: Vec<Vec<Cell>> = Vec::new();
    for number in 0..rows.len / variables.len {
        let row = (0..variables.len).map(|column| rows.get(number * variables.len + column));
        let mut fits = true;
        for (x, value) in variables.iter().zip(row.clone()) {
            fits = fits && fd.contains(x, &N::of_cell(fd.store, value)?)?;
        }
        if fits {
            possible.put(row.gather()?)?;
        }
        fd.look()?;
    }
    let known = match covers::<N>(fd, variables, possible.len())? {
        true => Some(1),
        false => possible.is_empty().then_some(0),
    };
    if let Some(known) = known {
        fd.kill(p)?;
        return fd.assign(b, &N::of(known));
    }
    let mut open = (0..variables.len).filter(|&column| variables.get(column).is_var());
    match (truth, open.next(), open.next()) {
        (Some(truth), _, _) if !truth.is_zero() => {
            fd.kill(p)?;
            let rows: Vec<&[Cell]> = possible.iter().map(|row| &row[..]).gather()?;
            let table = fd.new_table(&rows, relation)?;
            let tuple: Vec<Cell> = variables.iter().gather()?;
            fd.post_tuple(&tuple, &table)
        }
        (Some(_), Some(column), None) => {
            fd.kill(p)?;
            for row in possible {
                let value = N::of_cell(fd.store, row[column])?;
                fd.remove(variables.get(column), &value)?;
            }
            Ok(())
        }
        _ => Ok(()),
    }
}

/// Returns whether a number of different rows, all of them possible, covers all values that the variables can have.
fn covers<N: Num>(fd: &Fd<'_>, variables: Vector, rows: usize) -> R<bool> {
    let mut left = rows as i64;
    for x in variables.iter() {
        match fd.size::<N>(x)?.small() {
            Some(size) if left % size == 0 => left /= size,
            _ => return Ok(false),
        }
    }
    Ok(left == 1)
}

impl Fd<'_> {
    /// Returns a variable that is 1 if a tuple is a row, else 0; 0 or 1 itself if that is known. `relation` is the
    /// printed term.
    pub(crate) fn reified_tuple(
        &mut self,
        tuple: &[Cell],
        rows: &[Vec<Large>],
        relation: Cell,
    ) -> R<Cell> {
        let mut fitting: Vec<&[Large]> = rows
            .iter()
            .filter(|row| row.len() == tuple.len())
            .map(|row| &row[..])
            .gather()?;
        if fitting.is_empty() || tuple.is_empty() {
            return Ok(Cell::int(i64::from(!fitting.is_empty())));
        }
        fitting.sort_unstable();
        fitting.dedup();
        let mut values = with_room(fitting.len() * tuple.len())?;
        for value in fitting.into_iter().flatten() {
            values.put(value.cell(self.store)?)?;
        }
        let truth = self.new_truth()?;
        let mut variables = with_room(tuple.len())?;
        variables.put_all(tuple.iter().map(|&x| deref(x)))?;
        let args = [
            truth,
            self.new_vector(&variables)?,
            self.new_vector(&values)?,
            relation,
        ];
        let propagator = self.new_propagator(Kinds::IsTuple, &args)?;
        self.subscribe(truth, propagator.cell(), Wait::Inst)?;
        for &x in &variables {
            self.subscribe(x, propagator.cell(), Wait::Dom)?;
        }
        self.run(propagator)?;
        Ok(deref(truth))
    }

    /// Makes a table of rows of the same length, which are integers. `relation` is the term that is printed for it.
    pub(crate) fn new_table(&mut self, rows: &[&[Cell]], relation: Cell) -> R<Table> {
        let arity = rows.first().map_or(0, |row| row.len());
        let (mut starts_of_columns, mut values) = (vec![Cell::int(0)], Vec::new());
        let (mut starts, mut words) = (Vec::new(), Vec::new());
        let mut columns = with_room(arity)?;
        for column in 0..arity {
            let mut items: Vec<(Large, usize)> = with_room(rows.len())?;
            for (number, row) in rows.iter().enumerate() {
                items.put((self.integer(deref(row[column]))?, number))?;
                self.look()?;
            }
            items.sort_unstable();
            let mut ranges: Vec<(Large, Large)> = Vec::new();
            for same in items.chunk_by(|a, b| a.0 == b.0) {
                starts.put(Cell::int((words.len() / 2) as i64))?;
                values.put(deref(rows[same[0].1][column]))?;
                for part in same.chunk_by(|a, b| a.1 / BITS == b.1 / BITS) {
                    let bits = part.iter().fold(0, |bits, row| bits | 1 << (row.1 % BITS));
                    words.put_all([Cell::int((part[0].1 / BITS) as i64), Cell::int(bits)])?;
                }
                put_value(&mut ranges, same[0].0.clone())?;
                self.look()?;
            }
            starts_of_columns.put(Cell::int(values.len() as i64))?;
            columns.put(ranges)?;
        }
        starts.put(Cell::int((words.len() / 2) as i64))?;
        let parts = [
            relation,
            self.new_vector(&starts_of_columns)?,
            self.new_vector(&values)?,
            self.new_vector(&starts)?,
            self.new_vector(&words)?,
        ];
        let rows = rows.len();
        Ok(Table {
            parts,
            rows,
            columns,
        })
    }

    /// Posts that a tuple is a row of a table that has rows of this length.
    pub(crate) fn post_tuple(&mut self, tuple: &[Cell], table: &Table) -> R {
        for (&x, ranges) in tuple.iter().zip(&table.columns) {
            self.restrict(x, ranges)?;
        }
        let mut variables = with_room(tuple.len())?;
        variables.put_all(tuple.iter().map(|&x| deref(x)))?;
        let [_, columns, _, starts, _] = table.parts;
        let (columns, starts) = (Vector::of(columns)?, Vector::of(starts)?);
        let entries = starts.len - 1;
        let words = table.rows.div_ceil(BITS);
        let mut state = with_room(tuple.len() + words)?;
        for column in 0..tuple.len() {
            state.put(Cell::int(columns.int(column + 1) - columns.int(column)))?;
        }
        for word in 0..words {
            let rows = (table.rows - word * BITS).min(BITS);
            state.put(Cell::int((1 << rows) - 1))?;
        }
        let (mut order, mut residues) = (with_room(entries)?, with_room(entries)?);
        for entry in 0..entries {
            order.put(Cell::int(entry as i64))?;
            residues.put(starts.get(entry))?;
        }
        let mut args = with_room(4 + table.parts.len())?;
        for vector in [&variables, &state, &order, &residues] {
            args.put(self.new_vector(vector)?)?;
        }
        args.put_all(table.parts)?;
        let propagator = self.new_propagator(Kinds::Tuple, &args)?;
        for &x in &variables {
            self.subscribe(x, propagator.cell(), Wait::Dom)?;
        }
        self.start(propagator, &[])
    }
}
