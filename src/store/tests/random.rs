//! Small random terms: each algorithm agrees with the naive one and leaves no trace.
#![forbid(unsafe_code)]

use super::InPlace;
use super::naive::{self, Bindings, Lcg, Names, Tree, fresh_tree, make, tree_of};
use crate::base::atom_table::FastMap;
use crate::store::address::HeapAddr;
use crate::store::cell::Cell;
use crate::store::heap::Store;
use crate::store::stored::Attrs;
use std::cmp::Ordering;

const ROUNDS: u64 = 4000;

struct Case {
    store: Store,
    names: Names,
    random: Lcg,
}

/// Two terms that may share variables, and the addresses of the variables by number.
struct Pair {
    trees: [Tree; 2],
    cells: [Cell; 2],
    vars: FastMap<usize, Cell>,
}

impl Case {
    fn new(seed: u64) -> Case {
        Case {
            store: Store::new(1 << 24).unwrap(),
            names: Names::new(),
            random: Lcg(seed),
        }
    }

    fn pair(&mut self) -> Pair {
        self.store.heap_top = self.store.heap.base;
        self.store.trail_top = self.store.trail.base;
        self.store.heap_backtrack = self.store.heap.base;
        let vars = self.random.below(4);
        let first = self.names.term(&mut self.random, vars, 4);
        let second = match self.random.below(3) {
            0 => self.names.term(&mut self.random, vars, 4),
            1 => first.clone(),
            _ => self.mutated(&first, vars),
        };
        let trees = [first, second];
        let mut vars = FastMap::default();
        let cells = [0, 1].map(|at| make(&mut self.store, &trees[at], &mut vars, &mut self.random));
        Pair { trees, cells, vars }
    }

    /// Returns the tree with some subterms replaced.
    fn mutated(&mut self, tree: &Tree, vars: u64) -> Tree {
        match tree {
            Tree::Compound(functor, args) => {
                let args = args.iter().map(|arg| self.mutated(arg, vars)).collect();
                Tree::Compound(*functor, args)
            }
            _ if self.random.below(4) == 0 => self.names.term(&mut self.random, vars, 1),
            _ => tree.clone(),
        }
    }

    fn heap(&self) -> Vec<u64> {
        self.store
            .words(self.store.heap.base, self.store.heap_top)
            .to_vec()
    }
}

fn renumbered(trees: &[Tree]) -> Vec<Tree> {
    fn renumber(tree: &Tree, vars: &mut Vec<usize>) -> Tree {
        match tree {
            Tree::Var(var) => {
                let known = vars.iter().position(|other| other == var);
                Tree::Var(known.unwrap_or_else(|| {
                    vars.push(*var);
                    vars.len() - 1
                }))
            }
            Tree::Compound(functor, args) => Tree::Compound(
                *functor,
                args.iter().map(|arg| renumber(arg, vars)).collect(),
            ),
            _ => tree.clone(),
        }
    }
    let mut vars = Vec::new();
    trees.iter().map(|tree| renumber(tree, &mut vars)).collect()
}

#[test]
fn copies_are_variants_and_leave_the_source_as_it_was() {
    let mut case = Case::new(1);
    for _ in 0..ROUNDS {
        let pair = case.pair();
        let heap = case.heap();
        let [first, second] = pair.cells;
        let expected = renumbered(&pair.trees[..1]).remove(0);
        let mut block = Vec::new();
        let store = &mut case.store;
        let mut roots = Vec::new();
        let mut starts = Vec::new();
        for term in [first, second] {
            starts.push(block.len());
            roots.push(store.copy_out(term, &mut block, Attrs::Keep).unwrap());
        }
        starts.push(block.len());
        let stored = store.store_term(first).unwrap();
        let mut copies = vec![
            store.load_term(&stored).unwrap(),
            store.copy_in(&block, roots[0]).unwrap(),
            store
                .copy_in_range(&block, starts[0]..starts[1], roots[0])
                .unwrap(),
            store.copy_term(first, Attrs::Keep).unwrap(),
            store.duplicate_term(first, Attrs::Drop).unwrap(),
        ];
        store.copy_in_all(&block, &roots, &mut copies).unwrap();
        let second_copies = [
            copies.pop().unwrap(),
            store
                .copy_in_range(&block, starts[1]..starts[2], roots[1])
                .unwrap(),
        ];
        let mut own = Vec::new();
        tree_of(store, first, &mut own);
        for copy in copies {
            let mut vars: Vec<HeapAddr> = Vec::new();
            assert_eq!(tree_of(store, copy, &mut vars), expected);
            assert!(vars.iter().all(|var| !own.contains(var)));
            assert!(store.variant(copy, first).unwrap());
        }
        for copy in second_copies {
            assert_eq!(
                fresh_tree(store, copy),
                renumbered(&pair.trees[1..]).remove(0)
            );
        }
        let shared = store
            .copy_terms_shared(&[first, second], Attrs::Keep)
            .unwrap();
        let mut vars = Vec::new();
        let trees: Vec<Tree> = shared
            .iter()
            .map(|&copy| tree_of(store, copy, &mut vars))
            .collect();
        assert_eq!(trees, renumbered(&pair.trees));
        assert_eq!(case.heap()[..heap.len()], heap[..]);
    }
}

#[test]
fn ground_terms_serve_as_literals() {
    let mut case = Case::new(2);
    let mut seen = 0;
    for _ in 0..ROUNDS {
        let pair = case.pair();
        let store = &mut case.store;
        let term = pair.cells[0];
        let mut vars = Vec::new();
        naive::variables(&pair.trees[0], &mut vars);
        assert_eq!(store.ground(term).unwrap(), vars.is_empty());
        assert_eq!(store.term_hash(term).unwrap().is_some(), vars.is_empty());
        if !vars.is_empty() {
            continue;
        }
        seen += 1;
        let stored = store.store_term(term).unwrap();
        assert_eq!(stored.cells.len(), store.term_size(term).unwrap());
        let pool = InPlace::new(&stored);
        let literal = pool.root;
        assert_eq!(fresh_tree(store, literal), pair.trees[0]);
        assert!(
            store.unify(literal, term).unwrap() && store.structurally_equal(term, literal).unwrap()
        );
        assert_eq!(
            store.term_hash(literal).unwrap(),
            store.term_hash(term).unwrap()
        );
        assert_eq!(
            store.compare(term, literal, &case.names.symbols).unwrap(),
            Ordering::Equal
        );
        let again = store.store_term(literal).unwrap();
        let copy = store.load_term(&again).unwrap();
        assert_eq!(fresh_tree(store, copy), pair.trees[0]);
        assert_eq!(
            store.copy_term(literal, Attrs::Keep).unwrap(),
            store.deref(literal)
        );
        let duplicate = store.duplicate_term(literal, Attrs::Keep).unwrap();
        assert!(store.structurally_equal(duplicate, literal).unwrap());
        if let Some((_, first)) = store.compound(duplicate) {
            assert!(store.set_arg(first, Cell::int(5), false).unwrap());
            let (_, fixed) = store.compound(literal).unwrap();
            assert!(!store.set_arg(fixed, Cell::int(5), true).unwrap());
        }
    }
    assert!(seen > 100);
}

#[test]
fn unification_agrees_and_trials_leave_no_trace() {
    let mut case = Case::new(3);
    let (mut unified, mut cyclic) = (0, 0);
    for round in 0..ROUNDS {
        let pair = case.pair();
        let heap = case.heap();
        let [first, second] = pair.cells;
        let mut bindings = Bindings::default();
        let expected = naive::unify(&pair.trees[0], &pair.trees[1], &mut bindings);
        let store = &mut case.store;
        let mut solution = Vec::new();
        let unifiable = store.unifiable(first, second, &mut solution).unwrap();
        assert_eq!(store.not_unifiable(first, second).unwrap(), !unifiable);
        assert_eq!(
            store.subsumes_term(first, second).unwrap(),
            subsumes(&pair.trees[0], &pair.trees[1])
        );
        assert_eq!(store.trail_top, store.trail.base);
        assert_eq!(case.heap(), heap);
        let store = &mut case.store;
        if round % 2 == 0 {
            store.heap_backtrack = store.heap_top;
        }
        let top = store.trail_top;
        let result = store.unify_occurs_check(first, second).unwrap();
        assert_eq!(result, expected);
        if result {
            unified += 1;
            let mut vars = vec![];
            let both = [first, second].map(|cell| tree_of(store, cell, &mut vars));
            let naive_both = [0, 1].map(|at| naive::apply(&pair.trees[at], &bindings));
            assert_eq!(both[0], both[1]);
            assert_eq!(both.to_vec(), renumbered(&naive_both));
        } else if unifiable {
            cyclic += 1;
        }
        if round % 2 == 0 {
            store.undo_to(top);
            assert_eq!(case.heap(), heap);
            let store = &mut case.store;
            // The collected bindings are a unifier.
            assert_eq!(store.unify(first, second).unwrap(), unifiable);
            store.undo_to(top);
            if unifiable {
                for (var, value) in solution {
                    assert!(store.unify(var, value).unwrap());
                }
                assert!(store.structurally_equal(first, second).unwrap());
            }
        } else {
            assert_eq!(
                store.trail_top, top,
                "nothing is older than the choice point"
            );
        }
    }
    assert!(unified > 500 && cyclic > 5, "{unified} {cyclic}");
}

/// Returns whether `specific` is an instance of `general` without binding variables of its own.
fn subsumes(general: &Tree, specific: &Tree) -> bool {
    let mut bindings = Bindings::default();
    let mut vars = Vec::new();
    naive::variables(specific, &mut vars);
    let before: Vec<Tree> = vars.iter().map(|&var| Tree::Var(var)).collect();
    if !naive::unify(general, specific, &mut bindings) {
        return false;
    }
    let after: Vec<Tree> = before
        .iter()
        .map(|var| naive::apply(var, &bindings))
        .collect();
    renumbered(&before) == renumbered(&after)
        && after.iter().all(|tree| matches!(tree, Tree::Var(_)))
}

#[test]
fn comparison_agrees() {
    let mut case = Case::new(4);
    for _ in 0..ROUNDS {
        let pair = case.pair();
        let [first, second] = pair.cells;
        let store = &mut case.store;
        // Number the variables by age, as in the standard order.
        let mut aged: Vec<(HeapAddr, usize)> = pair
            .vars
            .iter()
            .map(|(&var, cell)| (cell.addr(), var))
            .collect();
        aged.sort_unstable();
        let ages = aged
            .iter()
            .enumerate()
            .map(|(age, &(_, var))| (var, Tree::Var(age + 100)));
        let ages: Bindings = ages.collect();
        let trees = [0, 1].map(|at| naive::apply(&pair.trees[at], &ages));
        let symbols = &case.names.symbols;
        let expected = naive::compare(&trees[0], &trees[1], symbols);
        assert_eq!(
            store.compare(first, second, symbols).unwrap(),
            expected,
            "{trees:?}"
        );
        assert_eq!(
            store.compare(second, first, symbols).unwrap(),
            expected.reverse()
        );
        assert_eq!(
            store.structurally_equal(first, second).unwrap(),
            expected == Ordering::Equal
        );
        let variant = renumbered(&pair.trees[..1]) == renumbered(&pair.trees[1..]);
        assert_eq!(store.variant(first, second).unwrap(), variant);
        let mut vars = Vec::new();
        naive::variables(&pair.trees[0], &mut vars);
        let expected: Vec<Cell> = vars.iter().map(|var| pair.vars[var]).collect();
        assert_eq!(store.variables_of(first).unwrap(), expected);
        for (var, &cell) in &pair.vars {
            assert_eq!(store.occurs(cell, first).unwrap(), vars.contains(var));
        }
        assert!(store.acyclic_term(first).unwrap());
    }
}
