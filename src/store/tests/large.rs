//! Terms that are deep, long, cyclic, or small graphs of huge trees.
#![forbid(unsafe_code)]

use super::InPlace;
use super::naive::Names;
use crate::base::atom_table::{Functor, Symbols, atoms};
use crate::store::cell::Cell;
use crate::store::heap::Store;
use crate::store::list::ListShape;
use crate::store::stored::Attrs;
use std::cmp::Ordering;

const DEEP: usize = 10_000_000;

/// Runs every algorithm on `term` and `other`, which are equal up to their one variable, `var`.
fn check_all(
    store: &mut Store,
    symbols: &Symbols,
    terms: [Cell; 2],
    vars: [Cell; 2],
    acyclic: bool,
) {
    let [term, other] = terms;
    assert!(!store.ground(term).unwrap());
    assert!(store.occurs(vars[0], term).unwrap() && !store.occurs(vars[1], term).unwrap());
    assert_eq!(store.variables_of(term).unwrap(), [vars[0]]);
    assert_eq!(store.attributed_variables(term).unwrap(), []);
    assert_eq!(store.acyclic_term(term).unwrap(), acyclic);
    assert!(store.variant(term, other).unwrap());
    assert!(!store.structurally_equal(term, other).unwrap());
    assert!(store.subsumes_term(term, other).unwrap());
    assert!(!store.not_unifiable(term, other).unwrap());
    assert_eq!(
        store.compare(term, other, symbols).unwrap(),
        vars[0].addr().cmp(&vars[1].addr())
    );
    let mut block = Vec::new();
    let root = store.copy_out(term, &mut block, Attrs::Drop).unwrap();
    let top = store.heap_top;
    let copy = store.copy_in(&block, root).unwrap();
    drop(block);
    assert!(store.variant(term, copy).unwrap());
    assert_eq!(store.acyclic_term(copy).unwrap(), acyclic);
    store.heap_top = top;
    let copy = store.copy_term(term, Attrs::Keep).unwrap();
    assert!(store.variant(term, copy).unwrap());
    store.heap_top = top;
    assert!(store.unify(term, other).unwrap());
    assert!(store.structurally_equal(term, other).unwrap());
    assert_eq!(
        store.compare(term, other, symbols).unwrap(),
        Ordering::Equal
    );
    assert!(store.unify(vars[0], Cell::int(1)).unwrap());
    assert!(store.ground(term).unwrap() && store.ground(other).unwrap());
    assert_eq!(store.variables_of(term).unwrap(), []);
    assert_eq!(
        store.term_hash(term).unwrap(),
        store.term_hash(other).unwrap()
    );
    assert!(store.unify(term, other).unwrap());
    assert!(!store.not_unifiable(term, other).unwrap());
}

/// Returns a term of `depth` nested compounds with `leaf` innermost; argument `at` is the nested one.
fn nested(store: &mut Store, functor: Functor, at: usize, depth: usize, leaf: Cell) -> Cell {
    let mut args = vec![Cell::int(7); functor.arity()];
    args[at] = leaf;
    store.reserve(depth * (args.len() + 1)).unwrap();
    for _ in 0..depth {
        args[at] = store.new_struct(functor, &args);
    }
    args[at]
}

#[test]
fn deep_and_long_terms() {
    let mut store = Store::new(3 << 30).unwrap();
    let names = Names::new();
    // s(s(…)), f(f(…, 7), 7), [7, 7, …|X]
    for (functor, at, depth) in [(1, 0, DEEP), (3, 0, DEEP / 10), (0, 1, DEEP / 10)] {
        store.heap_top = store.heap.base;
        let vars = [store.new_var(), store.new_var()];
        let terms = vars.map(|var| nested(&mut store, names.functors[functor], at, depth, var));
        check_all(&mut store, &names.symbols, terms, vars, true);
        assert_eq!(
            terms.map(|term| store.unify_occurs_check(term, vars[0]).unwrap()),
            [false, false]
        );
    }
    let mut items = Vec::new();
    store.heap_top = store.heap.base;
    let list = nested(
        &mut store,
        names.functors[0],
        1,
        DEEP,
        Cell::atom(atoms::NIL),
    );
    assert_eq!(
        store.list_items(list, &mut items).unwrap(),
        ListShape::Proper(DEEP)
    );
    assert_eq!(items.len(), DEEP);
}

#[test]
fn lists_of_compounds_keep_the_stack_small() {
    let mut store = Store::new(1 << 30).unwrap();
    let names = Names::new();
    let list = |store: &mut Store| {
        let mut tail = Cell::atom(atoms::NIL);
        store.reserve(6 * 1_000_000).unwrap();
        for at in 0..1_000_000 {
            let item = store.new_struct(names.functors[3], &[Cell::int(at), Cell::int(at)]);
            tail = store.new_list(item, tail);
        }
        tail
    };
    let lists = [list(&mut store), list(&mut store)];
    assert!(store.unify(lists[0], lists[1]).unwrap());
    assert!(store.work.capacity() < 1000);
}

#[test]
fn cyclic_terms() {
    let names = Names::new();
    for (functor, at) in [(1, 0), (3, 0), (3, 1), (0, 0), (0, 1)] {
        for periods in [[1, 1], [1, 2], [2, 3], [1000, 1001]] {
            let mut store = Store::new(1 << 26).unwrap();
            let functor = names.functors[functor];
            let knots = [store.new_var(), store.new_var()];
            let vars = [store.new_var(), store.new_var()];
            let mut terms = Vec::new();
            for (which, period) in periods.into_iter().enumerate() {
                let inner = nested(&mut store, functor, at, period, knots[which]);
                // g(X, Cycle, X), so there is a variable.
                assert!(store.unify(knots[which], inner).unwrap());
                terms.push(store.new_struct(names.functors[4], &[vars[which], inner, vars[which]]));
            }
            check_all(
                &mut store,
                &names.symbols,
                [terms[0], terms[1]],
                vars,
                false,
            );
            // Differences are found.
            let leaf = store.new_var();
            let finite = nested(&mut store, functor, at, 3000, Cell::int(0));
            let partial = nested(&mut store, functor, at, 3000, leaf);
            let (_, args) = store.compound(terms[0]).unwrap();
            let cycle = store.arg(args, 1);
            assert!(store.not_unifiable(cycle, finite).unwrap());
            assert_ne!(
                store.compare(cycle, finite, &names.symbols).unwrap(),
                Ordering::Equal
            );
            assert!(store.unify(cycle, partial).unwrap());
            assert!(!store.acyclic_term(partial).unwrap());
            let stored = store.store_term(cycle).unwrap();
            assert!(stored.cells.len() <= periods[0] * 3);
            let pool = InPlace::new(&stored);
            assert!(store.unify(pool.root, cycle).unwrap());
            assert!(!store.acyclic_term(pool.root).unwrap());
            assert!(store.ground(cycle).unwrap());
            let again = store.store_term(pool.root).unwrap();
            let copy = store.load_term(&again).unwrap();
            assert!(store.structurally_equal(copy, cycle).unwrap());
        }
    }
}

#[test]
fn cyclic_through_binding_during_unification() {
    // X = f(Y, Y), Y = f(X, X), Z = f(Z, Z): all the same infinite term.
    let mut store = Store::new(1 << 26).unwrap();
    let names = Names::new();
    let f = names.functors[3];
    let [x, y, z] = [store.new_var(), store.new_var(), store.new_var()];
    let fx = store.new_struct(f, &[x, x]);
    let fy = store.new_struct(f, &[y, y]);
    let fz = store.new_struct(f, &[z, z]);
    assert!(
        store.unify(x, fy).unwrap() && store.unify(y, fx).unwrap() && store.unify(z, fz).unwrap()
    );
    assert!(store.unify(x, z).unwrap());
    assert!(store.structurally_equal(y, z).unwrap());
    let bad = store.new_struct(f, &[z, Cell::int(1)]);
    assert!(store.not_unifiable(x, bad).unwrap());
}

#[test]
fn shared_terms_of_huge_trees() {
    let mut store = Store::new(1 << 26).unwrap();
    let names = Names::new();
    let f = names.functors[3];
    let vars = [store.new_var(), store.new_var()];
    let terms = vars.map(|var| {
        let mut term = store.new_struct(f, &[var, var]);
        for _ in 0..2000 {
            term = store.new_struct(f, &[term, term]);
        }
        term
    });
    let stored = store.store_term(terms[0]).unwrap();
    assert_eq!(stored.cells.len(), 2001 * 3);
    check_all(&mut store, &names.symbols, terms, vars, true);
    let stored = store.store_term(terms[0]).unwrap();
    let pool = InPlace::new(&stored);
    assert!(store.unify(pool.root, terms[1]).unwrap());
    assert!(store.store_term(pool.root).unwrap().cells.len() < 2001 * 6);
}
