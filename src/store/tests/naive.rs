//! Terms as Rust trees and the plain recursive algorithms on them.
#![forbid(unsafe_code)]

use crate::base::atom_table::{Atom, FastMap, Functor, Symbols};
use crate::store::address::HeapAddr;
use crate::store::cell::{Cell, WORD, tag};
use crate::store::heap::{Store, View};
use crate::store::raw;
use std::cmp::Ordering;

/// A small term.
#[derive(Clone, Debug, PartialEq)]
pub(super) enum Tree {
    /// A variable by number.
    Var(usize),
    /// An atom.
    Atom(Atom),
    /// An integer.
    Int(i64),
    /// A float.
    Float(f64),
    /// A string.
    Text(String),
    /// A compound.
    Compound(Functor, Vec<Tree>),
}

/// A linear congruential generator.
pub(super) struct Lcg(pub(super) u64);

impl Lcg {
    /// Returns a number less than `n`.
    pub(super) fn below(&mut self, n: u64) -> u64 {
        self.0 = self
            .0
            .wrapping_mul(6_364_136_223_846_793_005)
            .wrapping_add(1_442_695_040_888_963_407);
        (self.0 >> 33) % n
    }
}

/// The names in random terms.
pub(super) struct Names {
    pub(super) symbols: Symbols,
    pub(super) atoms: Vec<Atom>,
    pub(super) functors: Vec<Functor>,
}

impl Names {
    pub(super) fn new() -> Names {
        let mut symbols = Symbols::new().unwrap();
        let atoms: Vec<Atom> = ["[]", "a", "b", "é", "abc"]
            .iter()
            .map(|text| symbols.intern(text).unwrap())
            .collect();
        let mut functors = vec![crate::base::atom_table::functors::LIST];
        for (name, arity) in [("s", 1), ("a", 1), ("f", 2), ("g", 3), ("-", 2)] {
            let name = symbols.intern(name).unwrap();
            functors.push(symbols.functor(name, arity).unwrap());
        }
        Names {
            symbols,
            atoms,
            functors,
        }
    }

    /// Returns a random term with variables numbered below `vars`.
    pub(super) fn term(&self, random: &mut Lcg, vars: u64, depth: u32) -> Tree {
        let kinds = if depth == 0 { 6 } else { 14 };
        match random.below(kinds) {
            0 | 1 if vars > 0 => Tree::Var(random.below(vars) as usize),
            0..=2 => Tree::Atom(self.atoms[random.below(self.atoms.len() as u64) as usize]),
            3 => {
                let ints = [
                    0,
                    1,
                    -1,
                    7,
                    1 << 60,
                    -(1 << 60) - 1,
                    i64::MAX,
                    i64::MIN,
                    1 << 53,
                ];
                Tree::Int(ints[random.below(ints.len() as u64) as usize])
            }
            4 => {
                let floats = [
                    0.0,
                    1.0,
                    -1.0,
                    0.5,
                    2f64.powi(60),
                    2f64.powi(63),
                    2f64.powi(53),
                    f64::INFINITY,
                ];
                Tree::Float(floats[random.below(floats.len() as u64) as usize])
            }
            5 => {
                Tree::Text(["", "a", "longer than one word"][random.below(3) as usize].to_string())
            }
            _ => {
                let functor = self.functors[random.below(self.functors.len() as u64) as usize];
                let args = (0..functor.arity())
                    .map(|_| self.term(random, vars, depth - 1))
                    .collect();
                Tree::Compound(functor, args)
            }
        }
    }
}

/// Makes a tree on the heap. Its variables come from `vars`; missing ones are made in various places.
pub(super) fn make(
    store: &mut Store,
    tree: &Tree,
    vars: &mut FastMap<usize, Cell>,
    random: &mut Lcg,
) -> Cell {
    match tree {
        Tree::Var(var) => match vars.get(var) {
            Some(&cell) => cell,
            None => {
                let cell = store.new_var();
                vars.insert(*var, cell);
                cell
            }
        },
        Tree::Atom(atom) => Cell::atom(*atom),
        Tree::Int(value) => store.new_int(*value),
        Tree::Float(value) => store.new_float(*value),
        Tree::Text(text) => store.new_string(text).unwrap(),
        Tree::Compound(functor, args) => {
            let compound = store.new_general_struct(*functor).unwrap();
            let (_, first) = store.compound(compound).unwrap();
            for (index, arg) in args.iter().enumerate() {
                let place = first + index as u64 * WORD;
                if let Tree::Var(var) = arg {
                    // The first occurrence is often the variable itself.
                    if !vars.contains_key(var) && random.below(4) > 0 {
                        vars.insert(*var, Cell::reference(place));
                        continue;
                    }
                }
                let mut cell = make(store, arg, vars, random);
                if random.below(8) == 0 {
                    // A chain of references.
                    let link = store.new_var();
                    raw::set_cell(link.addr(), cell);
                    cell = link;
                }
                raw::set_cell(place, cell);
            }
            compound
        }
    }
}

/// Returns the tree of a small term; variables are numbered by first occurrence.
pub(super) fn tree_of(store: &Store, cell: Cell, vars: &mut Vec<HeapAddr>) -> Tree {
    match store.view(cell) {
        View::Var(var) => {
            let known = vars.iter().position(|&addr| addr == var.addr());
            Tree::Var(known.unwrap_or_else(|| {
                vars.push(var.addr());
                vars.len() - 1
            }))
        }
        View::Atom(atom) => Tree::Atom(atom),
        View::Int(value) => Tree::Int(value),
        View::Float(value) => Tree::Float(value),
        View::String(addr) => Tree::Text(store.text(addr).to_string()),
        View::Big(addr) => Tree::Int(i64::try_from(&store.big(addr).unwrap()).unwrap()),
        View::List(_) | View::Struct(..) => {
            let (functor, first) = store.compound(cell).unwrap();
            assert_ne!(store.deref(cell).tag(), tag::REF);
            let args = (0..functor.arity())
                .map(|at| tree_of(store, store.arg(first, at), vars))
                .collect();
            Tree::Compound(functor, args)
        }
    }
}

/// Returns the tree of a term whose variables are numbered from 0.
pub(super) fn fresh_tree(store: &Store, cell: Cell) -> Tree {
    tree_of(store, cell, &mut Vec::new())
}

/// A substitution.
pub(super) type Bindings = FastMap<usize, Tree>;

fn resolve(tree: &Tree, bindings: &Bindings) -> Tree {
    match tree {
        Tree::Var(var) => bindings
            .get(var)
            .map_or_else(|| tree.clone(), |value| resolve(value, bindings)),
        _ => tree.clone(),
    }
}

fn occurs(var: usize, tree: &Tree, bindings: &Bindings) -> bool {
    match resolve(tree, bindings) {
        Tree::Var(other) => other == var,
        Tree::Compound(_, args) => args.iter().any(|arg| occurs(var, arg, bindings)),
        _ => false,
    }
}

/// Unifies two trees, with occurs check.
pub(super) fn unify(a: &Tree, b: &Tree, bindings: &mut Bindings) -> bool {
    match (resolve(a, bindings), resolve(b, bindings)) {
        (Tree::Var(a), Tree::Var(b)) if a == b => true,
        (Tree::Var(var), value) | (value, Tree::Var(var)) => {
            if occurs(var, &value, bindings) {
                return false;
            }
            bindings.insert(var, value);
            true
        }
        (Tree::Compound(f, xs), Tree::Compound(g, ys)) => {
            f == g && xs.iter().zip(&ys).all(|(x, y)| unify(x, y, bindings))
        }
        (a, b) => a == b,
    }
}

/// Returns the tree with all bindings applied.
pub(super) fn apply(tree: &Tree, bindings: &Bindings) -> Tree {
    match resolve(tree, bindings) {
        Tree::Compound(functor, args) => Tree::Compound(
            functor,
            args.iter().map(|arg| apply(arg, bindings)).collect(),
        ),
        other => other,
    }
}

/// Adds the variables of the tree in order of first occurrence.
pub(super) fn variables(tree: &Tree, found: &mut Vec<usize>) {
    match tree {
        Tree::Var(var) if !found.contains(var) => found.push(*var),
        Tree::Compound(_, args) => args.iter().for_each(|arg| variables(arg, found)),
        _ => {}
    }
}

/// Compares two trees in standard order, variables by their numbers.
pub(super) fn compare(a: &Tree, b: &Tree, symbols: &Symbols) -> Ordering {
    let rank = |tree: &Tree| match tree {
        Tree::Var(_) => 0,
        Tree::Int(_) | Tree::Float(_) => 1,
        Tree::Atom(_) => 2,
        Tree::Text(_) => 3,
        Tree::Compound(..) => 4,
    };
    match (a, b) {
        (Tree::Var(a), Tree::Var(b)) => a.cmp(b),
        (Tree::Int(a), Tree::Int(b)) => a.cmp(b),
        (Tree::Float(a), Tree::Float(b)) => a.total_cmp(b),
        (Tree::Int(_), Tree::Float(_)) => compare(b, a, symbols).reverse(),
        // The floats of these tests are whole or far from every integer's double.
        (Tree::Float(a), Tree::Int(b)) => {
            let exact = if a.is_infinite() {
                i128::MAX
            } else {
                (a * 2.0) as i128
            };
            exact.cmp(&(i128::from(*b) * 2)).then(Ordering::Less)
        }
        (Tree::Atom(a), Tree::Atom(b)) => symbols.text(*a).cmp(symbols.text(*b)),
        (Tree::Text(a), Tree::Text(b)) => a.cmp(b),
        (Tree::Compound(f, xs), Tree::Compound(g, ys)) => {
            let name = |functor: &Functor| symbols.text(symbols.name(*functor));
            let functors = f.arity().cmp(&g.arity()).then_with(|| name(f).cmp(name(g)));
            xs.iter().zip(ys).fold(functors, |order, (x, y)| {
                order.then_with(|| compare(x, y, symbols))
            })
        }
        _ => rank(a).cmp(&rank(b)),
    }
}
