//! Single cases: attributed variables, marks in lists, the order of numbers, lists, exhaustion.
#![forbid(unsafe_code)]

use super::naive::{Names, fresh_tree};
use crate::base::atom_table::{atoms, functors};
use crate::base::stop::Stop;
use crate::store::cell::{Cell, WORD};
use crate::store::heap::Store;
use crate::store::list::{ListShape, TextKind, TextProblem};
use crate::store::raw;
use crate::store::stored::Attrs;
use crate::store::unify::Checked;
use dashu_int::IBig;
use std::cmp::Ordering;

fn store() -> Store {
    Store::new(1 << 24).unwrap()
}

const NIL: Cell = Cell::atom(atoms::NIL);

#[test]
fn a_variable_copied_before_the_list_that_holds_it() {
    let mut store = store();
    let names = Names::new();
    // f(X, [X|T], T) with X and T in the cells of the list itself.
    let list = store.new_general_struct(functors::LIST).unwrap();
    let (head, tail) = (
        Cell::reference(list.addr()),
        Cell::reference(list.addr() + WORD),
    );
    let term = store.new_struct(names.functors[4], &[head, list, tail]);
    let outer = store.new_struct(names.functors[4], &[tail, head, term]);
    for attrs in [Attrs::Keep, Attrs::Drop] {
        let copy = store.copy_term(outer, attrs).unwrap();
        assert_eq!(fresh_tree(&store, copy), fresh_tree(&store, outer));
        let stored = store.store_term(outer).unwrap();
        let copy = store.load_term(&stored).unwrap();
        assert_eq!(fresh_tree(&store, copy), fresh_tree(&store, outer));
    }
}

#[test]
fn sharing_is_kept() {
    let mut store = store();
    let names = Names::new();
    let var = store.new_var();
    let float = store.new_float(1.5);
    let inner = store.new_struct(names.functors[3], &[var, float]);
    let outer = store.new_struct(names.functors[3], &[inner, inner]);
    let stored = store.store_term(outer).unwrap();
    assert_eq!(stored.cells.len(), 3 + 3 + 2);
    let copy = store.load_term(&stored).unwrap();
    assert_eq!(
        raw::cell(copy.addr() + WORD),
        raw::cell(copy.addr() + 2 * WORD)
    );
}

#[test]
fn attributes_are_copied_or_dropped() {
    let mut store = store();
    let names = Names::new();
    let plain = store.new_var();
    let att = store.new_attributed(plain);
    let term = store.new_struct(
        names.functors[4],
        &[att, plain, Cell::reference(att.addr())],
    );
    assert!(!store.ground(term).unwrap());
    assert_eq!(store.variables_of(term).unwrap(), [att, plain]);
    assert_eq!(store.attributed_variables(term).unwrap(), [att]);
    for root in [term, att] {
        let kept = store.copy_term(root, Attrs::Keep).unwrap();
        let vars = store.attributed_variables(kept).unwrap();
        assert_eq!(vars.len(), 1);
        let value = store.deref(store.at(vars[0].addr() + WORD));
        assert!(value.is_var() && value != plain);
        if root == term {
            assert_eq!(store.variables_of(kept).unwrap(), [vars[0], value]);
        }
        let stored = store.keep_term(root, Attrs::Keep).unwrap();
        let kept = store.load_term(&stored).unwrap();
        assert_eq!(store.attributed_variables(kept).unwrap().len(), 1);
        let dropped = store.copy_term(root, Attrs::Drop).unwrap();
        assert_eq!(store.attributed_variables(dropped).unwrap(), []);
        assert_eq!(fresh_tree(&store, dropped), fresh_tree(&store, root));
    }
    assert_eq!(store.attributed_variables(term).unwrap(), [att]);
    assert!(!store.wake_pending);
}

#[test]
fn cells_that_name_an_attributed_variable_follow_its_binding() {
    let mut store = store();
    let att = store.new_attributed(NIL);
    let plain = store.new_var();
    let list = store.new_list(att, plain);
    assert!(store.unify(plain, att).unwrap());
    assert!(store.unify(att, Cell::int(3)).unwrap());
    assert_eq!(store.deref(plain), Cell::int(3));
    assert_eq!(store.arg(list.addr(), 0), Cell::int(3));
    assert!(store.wake_pending);
    let copy = store.copy_term(list, Attrs::Keep).unwrap();
    assert!(store.ground(copy).unwrap());
}

#[test]
fn trials_leave_no_wakeups() {
    let mut store = store();
    let att = store.new_attributed(NIL);
    let list = store.new_list(att, NIL);
    let ground = store.new_list(Cell::int(1), NIL);
    let top = store.heap_top;
    assert!(!store.not_unifiable(list, ground).unwrap());
    let mut bindings = Vec::new();
    assert!(store.unifiable(list, ground, &mut bindings).unwrap());
    assert_eq!(bindings, [(att, Cell::int(1))]);
    assert!(!store.subsumes_term(ground, list).unwrap());
    assert!(store.subsumes_term(list, ground).unwrap());
    assert_eq!(
        (store.heap_top, store.wake_pending, store.wakeups),
        (top, false, NIL)
    );
    assert_eq!(store.deref(att), att);
    assert!(store.unify_occurs_check(list, ground).unwrap());
    assert!(store.wake_pending);
    store.undo_to(store.trail.base);
    assert_eq!(store.deref(att), att);
}

#[test]
fn occurs_check_tells_cycles_from_failures() {
    let mut store = store();
    let names = Names::new();
    let s = names.functors[1];
    let x = store.new_var();
    let sx = store.new_struct(s, &[x]);
    assert_eq!(store.unify_checked(x, sx).unwrap(), Checked::Cyclic);
    assert_eq!(store.unify_checked(x, x).unwrap(), Checked::Unified);
    let (a, b) = (store.new_list(x, sx), store.new_list(sx, x));
    store.heap_backtrack = store.heap_top;
    assert_eq!(store.unify_checked(a, b).unwrap(), Checked::Cyclic);
    store.undo_to(store.trail.base);
    let (a, b) = (
        store.new_list(x, Cell::int(1)),
        store.new_list(sx, Cell::int(2)),
    );
    assert_eq!(store.unify_checked(a, b).unwrap(), Checked::Failed);
}

#[test]
fn numbers_are_ordered_by_exact_value() {
    let mut store = store();
    let names = Names::new();
    let big = |text: &str| text.parse::<IBig>().unwrap();
    let two_70 = IBig::from(1) << 70;
    let float_70 = 2f64.powi(70);
    let mut numbers = vec![
        store.new_float(f64::NAN),
        store.new_float(f64::NEG_INFINITY),
        store.new_big(&(-big("1") << 2000)).unwrap(),
        store.new_float(-1e300),
        store.new_big(&(-&two_70 - 1)).unwrap(),
        store.new_float(-float_70),
        store.new_big(&-&two_70).unwrap(),
        store.new_big(&(-&two_70 + 1)).unwrap(),
        store.new_int(i64::MIN),
        store.new_int(-(1 << 60) - 1),
        store.new_float(-1.5),
        store.new_float(-1.0),
        store.new_int(-1),
        store.new_float(-0.5),
        store.new_float(-0.0),
        store.new_float(0.0),
        store.new_int(0),
        store.new_float(1.0),
        store.new_int(1),
        store.new_float(1.5),
        store.new_int(2),
        store.new_float(9_007_199_254_740_992.0),
        store.new_int(1 << 53),
        store.new_int((1 << 53) + 1),
        store.new_int((1 << 60) - 1),
        store.new_float(2f64.powi(60)),
        store.new_int(1 << 60),
        store.new_int((1 << 60) + 1),
        store.new_int(i64::MAX),
        store.new_float(2f64.powi(63)),
    ];
    numbers.push(store.new_big(&(IBig::from(1) << 63)).unwrap());
    numbers.push(store.new_big(&(&two_70 - 1)).unwrap());
    numbers.push(store.new_float(float_70));
    numbers.push(store.new_big(&two_70).unwrap());
    numbers.push(store.new_big(&(&two_70 + 1)).unwrap());
    numbers.push(store.new_float(1e300));
    numbers.push(store.new_big(&(big("1") << 2000)).unwrap());
    numbers.push(store.new_float(f64::INFINITY));
    for (i, &a) in numbers.iter().enumerate() {
        for (j, &b) in numbers.iter().enumerate() {
            assert_eq!(
                store.compare(a, b, &names.symbols).unwrap(),
                i.cmp(&j),
                "{i} {j}"
            );
            assert_eq!(store.unify(a, b).unwrap(), i == j);
        }
    }
}

#[test]
fn compounds_are_ordered_by_arity_name_and_arguments() {
    let mut store = store();
    let names = Names::new();
    let one = Cell::int(1);
    let f = &names.functors;
    let terms = [
        store.new_struct(f[2], &[one]),
        store.new_struct(f[1], &[one]),
        store.new_struct(f[5], &[one, one]),
        store.new_list(one, NIL),
        store.new_struct(f[3], &[one, NIL]),
        store.new_struct(f[4], &[one, one, one]),
    ];
    for (i, &a) in terms.iter().enumerate() {
        for (j, &b) in terms.iter().enumerate() {
            assert_eq!(
                store.compare(a, b, &names.symbols).unwrap(),
                i.cmp(&j),
                "{i} {j}"
            );
        }
    }
    let text = store.new_string("a").unwrap();
    assert_eq!(
        store.compare(NIL, text, &names.symbols).unwrap(),
        Ordering::Less
    );
    assert_eq!(
        store.compare(text, terms[0], &names.symbols).unwrap(),
        Ordering::Less
    );
}

#[test]
fn shapes_of_lists() {
    let mut store = store();
    let var = store.new_var();
    let items: Vec<Cell> = (0..5000).map(Cell::int).collect();
    let proper = store.list_of(&items).unwrap();
    let partial = store.list_with_tail(&items, var).unwrap();
    let improper = store.list_with_tail(&items, Cell::int(1)).unwrap();
    assert_eq!(store.list_length(proper).unwrap(), ListShape::Proper(5000));
    assert_eq!(store.list_length(NIL).unwrap(), ListShape::Proper(0));
    assert_eq!(
        store.list_length(partial).unwrap(),
        ListShape::Partial(5000, var)
    );
    assert_eq!(
        store.list_length(improper).unwrap(),
        ListShape::NotList(5000, Cell::int(1))
    );
    assert_eq!(
        store.list_length(Cell::int(1)).unwrap(),
        ListShape::NotList(0, Cell::int(1))
    );
    let mut found = Vec::new();
    assert_eq!(
        store.list_items(partial, &mut found).unwrap(),
        ListShape::Partial(5000, var)
    );
    assert_eq!(found, items);
    for cycle in [1, 3, 1023, 1024, 1025, 5000] {
        let var = store.new_var();
        let list = store.list_with_tail(&items, var).unwrap();
        assert!(
            store
                .unify(var, Cell::list(list.addr() + (5000 - cycle) * 16))
                .unwrap()
        );
        assert_eq!(store.list_length(list).unwrap(), ListShape::Cyclic);
        assert!(!store.acyclic_term(list).unwrap());
    }
}

#[test]
fn lists_that_are_text() {
    let mut store = store();
    let mut names = Names::new();
    let text_of = |store: &Store, names: &Names, list: Cell| {
        let mut text = String::new();
        store
            .text_of_list(list, &names.symbols, &mut text)
            .map(|kind| (kind, text))
    };
    let codes = store.code_list("né😀", NIL).unwrap();
    let chars = store.char_list("né😀", NIL, &mut names.symbols).unwrap();
    assert_eq!(
        text_of(&store, &names, codes),
        Ok((TextKind::Codes, "né😀".to_string()))
    );
    assert_eq!(
        text_of(&store, &names, chars),
        Ok((TextKind::Chars, "né😀".to_string()))
    );
    assert_eq!(
        text_of(&store, &names, NIL),
        Ok((TextKind::Codes, String::new()))
    );
    let var = store.new_var();
    let mut problem = |items: &[Cell], tail: Cell| {
        let list = store.list_with_tail(items, tail).unwrap();
        (list, text_of(&store, &names, list).unwrap_err())
    };
    let (a, abc) = (Cell::atom(names.atoms[1]), Cell::atom(names.atoms[4]));
    assert_eq!(problem(&[a], var).1, TextProblem::Unbound);
    assert_eq!(problem(&[a, var], NIL).1, TextProblem::Unbound);
    assert_eq!(
        problem(&[a, Cell::int(97)], NIL).1,
        TextProblem::NotCharacter(Cell::int(97))
    );
    assert_eq!(problem(&[abc], NIL).1, TextProblem::NotCharacter(abc));
    assert_eq!(
        problem(&[Cell::int(-1)], NIL).1,
        TextProblem::NotCode(Cell::int(-1))
    );
    assert_eq!(
        problem(&[Cell::int(0xd800)], NIL).1,
        TextProblem::NotCode(Cell::int(0xd800))
    );
    let (list, error) = problem(&[a], a);
    assert_eq!(error, TextProblem::NotList(list));
}

/// Tests objects one after the other, of several sizes and with gaps. Their first words are constants and other
/// terms. Some are shared, and some cells are both variables and first words of lists.
#[test]
fn a_copy_puts_back_what_it_has_marked() {
    let mut store = store();
    let (mut list, mut items) = (NIL, vec![store.new_var()]);
    for n in 0..300 {
        let item = match n % 7 {
            0 => items[n / 20],
            1 => store.new_string("a text of several words").unwrap(),
            2 => store.new_struct(functors::COMMA, &[Cell::int(1), NIL]),
            3 => store.new_float(0.5),
            _ => Cell::int(n as i64),
        };
        if n % 50 == 0 {
            store.allocate(1);
        }
        list = store.new_list(item, list);
        items.push(list);
        if n % 60 == 0 {
            // An unbound head: the cell is the variable.
            let open = store.new_list(NIL, list);
            raw::set_cell(open.addr(), Cell::reference(open.addr()));
            list = store.new_list(Cell::reference(open.addr()), open);
        }
    }
    let (base, top) = (store.heap.base, store.heap_top);
    let before = store.words(base, top).to_vec();
    for _ in 0..2 {
        let mut block = Vec::new();
        store.copy_out(list, &mut block, Attrs::Keep).unwrap();
        let copy = store.duplicate_term(list, Attrs::Keep).unwrap();
        assert!(store.variant(copy, list).unwrap());
        assert_eq!(store.words(base, top), before);
    }
}

#[test]
fn a_copy_without_room_leaves_all_as_it_was() {
    let mut store = Store::new(1 << 23).unwrap();
    let var = store.new_var();
    let items = vec![var; 300_000];
    let half = items.len() / 2;
    let list = store.list_of(&items[..half]).unwrap();
    let top = store.heap_top;
    let base = store.heap.base;
    let words = |store: &Store| store.words(base, top).to_vec();
    let heap = words(&store);
    let copies: Vec<_> = (0..4).map(|_| store.copy_term(list, Attrs::Keep)).collect();
    assert!(copies[0].is_ok());
    assert_eq!(copies[3], Err(Stop));
    assert_eq!(words(&store), heap);
    store.heap_top = top;
    let mut block = Vec::new();
    let mut stored = 0;
    while store.copy_out(list, &mut block, Attrs::Keep).is_ok() {
        stored += 1;
        assert_eq!(block.len(), stored * half * 2);
    }
    assert!(stored == 3, "a block cannot be larger than the heap");
    assert_eq!(block.len(), stored * half * 2);
    assert_eq!(words(&store), heap);
    assert_eq!(store.copy_in(&block, 8), Err(Stop));
}

#[test]
fn assignment_is_undone_if_trailed() {
    let mut store = store();
    let list = store.new_list(Cell::int(1), NIL);
    store.heap_backtrack = store.heap_top;
    assert!(store.set_arg(list.addr(), Cell::int(2), true).unwrap());
    assert_eq!(store.arg(list.addr(), 0), Cell::int(2));
    store.undo_to(store.trail.base);
    assert_eq!(store.arg(list.addr(), 0), Cell::int(1));
    assert!(store.set_arg(list.addr(), Cell::int(3), false).unwrap());
    assert_eq!(store.trail_top, store.trail.base);
    assert_eq!(store.arg(list.addr(), 0), Cell::int(3));
}
