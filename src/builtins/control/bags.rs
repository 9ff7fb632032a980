//! Solutions with their free variables, for `bagof/3` and `setof/3` (ISO 13211-1, 8.10.2).
//!
//! A witness is the term of the free variables of a goal. If a solution leaves all of them unbound and distinct, it
//! is stored without its witness. Such a solution is `Template+Links`, with `Place-Variable` in `Links` for each
//! free variable of the template. If the template is a free variable, the solution is only the place of that
//! variable. Any other solution is `Witness-Template`.

use crate::base::atom_table::{Functor, atoms, functors};
use crate::base::growth::{Gather, Grow, with_room};
use crate::base::stop::Stop;
use crate::builtins::args::room_for;
use crate::machine::builtin::{Step, builtins};
use crate::machine::control::throw::Throw;
use crate::machine::state::Machine;
use crate::store::address::HeapAddr;
use crate::store::cell::{Cell, WORD, tag};
use crate::store::heap::{View, deref};
use crate::store::raw;

/// Greatest number of variables in the template of a solution without witness. Each of them is searched for in the
/// witness.
const FEW_VARIABLES: usize = 8;

/// Witness and its arguments.
#[derive(Copy, Clone)]
struct Witness {
    functor: Functor,
    args: HeapAddr,
}

impl Witness {
    /// Returns the witness, or `None` if there are no free variables.
    fn of(m: &Machine, witness: Cell) -> Option<Witness> {
        match m.store.view(witness) {
            View::Struct(functor, args) => Some(Witness { functor, args }),
            _ => None,
        }
    }

    fn arg(self, place: usize) -> Cell {
        raw::cell(self.args + place as u64 * WORD)
    }

    fn places(self) -> std::ops::Range<usize> {
        0..self.functor.arity()
    }

    /// Returns whether the free variables are still unbound and distinct.
    fn is_unbound(self) -> bool {
        self.places().all(|place| {
            let var = self.arg(place);
            var.tag() == tag::REF && deref(var) == var
        })
    }

    fn place_of(self, var: Cell) -> Option<usize> {
        self.places().find(|&place| self.arg(place) == var)
    }

    /// Returns the free variable at a place.
    fn variable(self, place: Cell) -> Option<Cell> {
        let place = usize::try_from(place.int_value()).ok()?;
        self.places().contains(&place).then(|| self.arg(place))
    }
}

/// Builds the term of the present solution. There is room for it, because a witness has as many words.
fn solution(m: &mut Machine, term: Cell, witness: Witness, template: Cell) -> Result<Cell, Stop> {
    let template = m.store.deref(template);
    let kept = if witness.is_unbound() {
        without_witness(m, witness, template)?
    } else {
        None
    };
    Ok(kept.unwrap_or_else(|| m.store.new_struct(functors::MINUS2, &[term, template])))
}

/// Builds the term of a solution that leaves the free variables as they were. Returns `None` if the template has
/// many variables, or attributed variables.
fn without_witness(
    m: &mut Machine,
    witness: Witness,
    template: Cell,
) -> Result<Option<Cell>, Stop> {
    if template.tag() == tag::REF
        && let Some(place) = witness.place_of(template)
    {
        return Ok(Some(Cell::int(place as i64)));
    }
    let mut links = Cell::atom(atoms::NIL);
    if !template.is_simple() {
        let variables = m.store.variables_of(template)?;
        let plain = |var: &Cell| var.tag() == tag::REF;
        if variables.len() > FEW_VARIABLES || !variables.iter().all(plain) {
            return Ok(None);
        }
        for &var in &variables {
            if let Some(place) = witness.place_of(var) {
                let place = Cell::int(place as i64);
                let link = m.store.new_struct(functors::MINUS2, &[place, var]);
                links = m.store.new_list(link, links);
            }
        }
    }
    Ok(Some(
        m.store.new_struct(functors::PLUS2, &[template, links]),
    ))
}

/// Returns the template of a solution without witness, with the variables of this witness. Returns `None` for a
/// solution that has its own witness.
fn template_of(m: &mut Machine, found: Cell, witness: Witness) -> Result<Option<Cell>, Stop> {
    let args = match m.store.view(found) {
        View::Int(_) => return Ok(witness.variable(found)),
        View::Struct(functors::PLUS2, args) => args,
        _ => return Ok(None),
    };
    let mut links = m.store.arg(args, 1);
    while let View::List(addr) = m.store.view(links) {
        let View::Struct(functors::MINUS2, link) = m.store.view(raw::cell(addr)) else {
            return Ok(None);
        };
        let (place, var) = (m.store.arg(link, 0), m.store.arg(link, 1));
        let Some(free) = witness.variable(place) else {
            return Ok(None);
        };
        if !m.unify(var, free)? {
            return Ok(None);
        }
        links = m.store.arg(addr, 1);
    }
    Ok(Some(m.store.arg(args, 0)))
}

/// Returns whether a solution includes its witness.
fn has_witness(m: &Machine, found: Cell) -> bool {
    matches!(m.store.view(found), View::Struct(functors::MINUS2, _))
}

/// Gives a fresh witness to each solution of `found` that has none.
fn give_witnesses(m: &mut Machine, found: &mut [Cell], witness: Witness) -> Result<(), Throw> {
    for (nth, item) in found.iter_mut().enumerate() {
        m.store.events.watch.go_on_at(nth)?;
        if has_witness(m, *item) {
            continue;
        }
        room_for(m, witness.functor.arity() + 4, 2)?;
        let variables: Vec<Cell> = witness.places().map(|_| m.store.new_var()).gather()?;
        let fresh = m.store.new_struct(witness.functor, &variables);
        if let Some(own) = Witness::of(m, fresh)
            && let Some(template) = template_of(m, *item, own)?
        {
            *item = m.store.new_struct(functors::MINUS2, &[fresh, template]);
        }
    }
    Ok(())
}

/// Returns whether the witnesses of these solutions are ground.
fn all_ground(m: &Machine, pairs: &[Cell]) -> Result<bool, Stop> {
    for (nth, &pair) in pairs.iter().enumerate() {
        m.store.events.watch.go_on_at(nth)?;
        match key_and_value(m, pair) {
            Some((witness, _)) if m.store.ground(witness)? => {}
            _ => return Ok(false),
        }
    }
    Ok(true)
}

fn key_and_value(m: &Machine, pair: Cell) -> Option<(Cell, Cell)> {
    match m.store.view(pair) {
        View::Struct(functors::MINUS2, args) => Some((m.store.arg(args, 0), m.store.arg(args, 1))),
        _ => None,
    }
}

/// Groups pairs: returns `Key-Values` for each run of pairs with identical keys.
fn groups(m: &mut Machine, pairs: &[Cell]) -> Result<Cell, Throw> {
    room_for(m, pairs.len(), 7)?;
    let mut groups = Vec::new();
    let mut values = Vec::new();
    let mut key = None;
    for (nth, &pair) in pairs.iter().enumerate() {
        m.store.events.watch.go_on_at(nth)?;
        let Some((next, value)) = key_and_value(m, pair) else {
            continue;
        };
        match key {
            Some(key) if m.store.structurally_equal(key, next)? => {}
            Some(done) => {
                let list = m.store.list_of(&values)?;
                groups.put(m.store.new_struct(functors::MINUS2, &[done, list]))?;
                values.clear();
                key = Some(next);
            }
            None => key = Some(next),
        }
        values.put(value)?;
    }
    if let Some(done) = key {
        let list = m.store.list_of(&values)?;
        groups.put(m.store.new_struct(functors::MINUS2, &[done, list]))?;
    }
    Ok(m.store.list_of(&groups)?)
}

/// Returns the templates of solutions that all lack a witness. Returns `None` if one has a witness.
fn templates(m: &mut Machine, found: &[Cell], witness: Witness) -> Result<Option<Cell>, Throw> {
    let with =
        |m: &Machine, item: Cell| matches!(m.store.view(item), View::Struct(functors::MINUS2, _));
    if found.iter().any(|&item| with(m, item)) {
        return Ok(None);
    }
    room_for(m, found.len(), 2)?;
    let mut templates = with_room(found.len())?;
    for (nth, &item) in found.iter().enumerate() {
        m.store.events.watch.go_on_at(nth)?;
        match template_of(m, item, witness)? {
            Some(template) => templates.put(template)?,
            None => return Ok(None),
        }
    }
    Ok(Some(m.store.list_of(&templates)?))
}

/// Ends a collection whose goal cannot continue.
fn end_collection(m: &mut Machine, number: i64) {
    m.run.kept_solutions.end(number as usize);
}

builtins! { BAGS =
    /// Begins a collection of solutions and unifies `Number` with its number. The collection ends on backtracking
    /// or when a cut removes it.
    library nondet "$collect_solutions"("-integer") with dropped end_collection = |m, [number], state| {
        if state.is_some() {
            return Ok(Step::Fail);
        }
        let begun = m.run.kept_solutions.begin()?;
        m.unify_size(number, begun)?;
        Ok(Step::More(begun as i64))
    };

    /// Adds a solution to a collection; `Count` is the number of its solutions.
    library "$add_solution"("+integer", "?term", "-integer") = |m, [number, term, count]| {
        let number = m.size_arg(number)?;
        let Some(kept) = m.run.kept_solutions.get(number) else {
            unreachable!("the collection goes on")
        };
        kept.copies.add(&mut m.store, term)?;
        let found = kept.copies.len();
        Ok(m.unify_size(count, found)?)
    };

    /// Removes the solutions of a collection and returns them.
    library "$take_solutions"("+integer", "-list") = |m, [number, list]| {
        let number = m.size_arg(number)?;
        let Some(kept) = m.run.kept_solutions.get(number) else {
            unreachable!("the collection goes on")
        };
        let found = kept.copies.list(&mut m.store)?;
        kept.copies.clear();
        Ok(m.unify(list, found)?)
    };

    /// Adds a term to a collection. Fails if the collection already has a variant of it.
    library "$new_solution"("+integer", "?term") = |m, [number, term]| {
        let number = m.size_arg(number)?;
        let Some(kept) = m.run.kept_solutions.get(number) else {
            unreachable!("the collection goes on")
        };
        Ok(kept.different.add(&mut m.store, term)?)
    };

    /// Returns the present solution of a goal with the free variables of `Witness`.
    iso "$bags_solution"("+term", "?term", "-term") = |m, [witness, template, found]| {
        let Some(free) = Witness::of(m, witness) else {
            return Ok(false);
        };
        let term = solution(m, witness, free, template)?;
        Ok(m.unify(found, term)?)
    };

    /// Classifies solutions. If no free variable was ever bound, `Kind` is `all` and `Items` are the templates.
    /// Otherwise `Items` are `Witness-Template`. `Kind` is `ground` if all witnesses are ground, else `other`.
    iso "$bags_found"("+list", "+term", "-atom", "-list") = |m, [list, witness, kind, items]| {
        let Some(witness) = Witness::of(m, witness) else {
            return Ok(false);
        };
        let mut found = Vec::new();
        m.store.list_items(list, &mut found)?;
        if let Some(templates) = templates(m, &found, witness)? {
            return Ok(m.unify_atom(kind, atoms::ALL)? && m.unify(items, templates)?);
        }
        let mut pairs = list;
        if !found.iter().all(|&item| has_witness(m, item)) {
            give_witnesses(m, &mut found, witness)?;
            room_for(m, found.len(), 2)?;
            pairs = m.store.list_of(&found)?;
        }
        let of = if all_ground(m, &found)? { atoms::GROUND } else { atoms::OTHER };
        Ok(m.unify_atom(kind, of)? && m.unify(items, pairs)?)
    };

    /// Groups pairs that are sorted by their keys: returns `Key-Values` for each run of identical keys.
    iso "$bags_groups"("+list", "-list") = |m, [list, result]| {
        let mut pairs = Vec::new();
        m.store.list_items(list, &mut pairs)?;
        let groups = groups(m, &pairs)?;
        Ok(m.unify(result, groups)?)
    };
}
