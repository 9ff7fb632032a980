% Red-black trees from keys, in the standard order, to values: the predicates that SWI-Prolog's library(rbtrees)
% documents. Long because a library has all its predicates. A tree is t(Nil, Tree). Tree is Nil, which is
% black('',_,_,''), or red or black of (Left, Key, Value, Right). Every path to Nil has the same number of black
% nodes, and no red node has a red child. An unbound tree, or one that is not of the form t(_, _), raises
% existence_error(matching_rule, rbtrees:Goal). An unbound node raises an instantiation_error.

:- module(rbtrees, [
    rb_new/1, rb_empty/1, is_rbtree/1, rb_size/2,
    rb_lookup/3, rb_in/3, rb_min/3, rb_max/3, rb_next/4, rb_previous/4,
    rb_insert/4, rb_insert_new/4, rb_update/4, rb_update/5, rb_apply/4,
    rb_delete/3, rb_delete/4, rb_del_min/4, rb_del_max/4,
    rb_visit/2, rb_keys/2, rb_map/2, rb_map/3, rb_partial_map/4, rb_fold/4, rb_clone/3,
    list_to_rbtree/2, ord_list_to_rbtree/2
]).

:- use_module(library(error), [instantiation_error/1, must_be/2]).

:- meta_predicate(rb_apply(+, +, 2, -)).
:- meta_predicate(rb_map(+, 1)).
:- meta_predicate(rb_map(+, 2, -)).
:- meta_predicate(rb_partial_map(+, +, 2, -)).
:- meta_predicate(rb_fold(3, +, +, -)).

%% rb_new(-Tree)
%
%  Unifies Tree with a new empty tree.
%
%  ?- rb_new(_T0), rb_insert(_T0, k, v, _T), rb_visit(_T, Pairs).
%  Pairs = [k-v].

rb_new(t(Nil, Nil)) :-
    Nil = black('', _, _, '').

%% rb_empty(?Tree)
%
%  True if Tree is empty.
%
%  ?- rb_empty(_T), rb_size(_T, Size).
%  Size = 0.

rb_empty(t(Nil, Nil)) :-
    Nil = black('', _, _, '').

%% rb_lookup(+Key, -Value, +Tree)
%
%  Unifies Value with the value of Key in Tree. Fails if Tree has no such key.
%
%  ?- list_to_rbtree([a-1,b-2], _T), rb_lookup(b, V, _T).
%  V = 2.
%
%  ?- list_to_rbtree([a-1], _T), rb_lookup(b, V, _T).
%  false.

rb_lookup(Key, Value, Tree0) :-
    rb_open(Tree0, _, Tree, rb_lookup(Key, Value, Tree0)),
    rb_find(Tree, Key, Found),
    Value = Found.

rb_find(Tree, Key, Value) :-
    rb_node(Tree, Left, Key1, Value1, Right),
    compare(Order, Key, Key1),
    rb_find(Order, Left, Value1, Right, Key, Value).

rb_find(=, _, Value, _, _, Value).
rb_find(<, Left, _, _, Key, Value) :- rb_find(Left, Key, Value).
rb_find(>, _, _, Right, Key, Value) :- rb_find(Right, Key, Value).

% rb_open(+Tree, -Nil, -Root, +Goal): takes Tree apart. Goal is the call for the error.
rb_open(Tree, Nil, Root, Goal) :-
    (   nonvar(Tree),
        Tree = t(Nil0, Root0)
    ->  Nil = Nil0,
        Root = Root0
    ;   '$no_rule'(rbtrees:Goal)
    ).

% rb_node(+Tree, -Left, -Key, -Value, -Right): takes a node apart. Fails for Nil.
rb_node(Node, _, _, _, _) :- var(Node), !, instantiation_error(Node).
rb_node(black(Left, Key, Value, Right), Left, Key, Value, Right) :- Left \== ''.
rb_node(red(Left, Key, Value, Right), Left, Key, Value, Right).

%% rb_in(?Key, ?Value, +Tree)
%
%  True if Value is the value of Key in Tree. If Key is unbound, enumerates all keys in order on backtracking.
%
%  ?- list_to_rbtree([b-2,a-1], _T), rb_in(K, V, _T).
%  K = a,
%  V = 1 ;
%  K = b,
%  V = 2.

rb_in(Key, Value, Tree0) :-
    rb_open(Tree0, _, Tree, rb_in(Key, Value, Tree0)),
    (   var(Key)
    ->  rb_pairs(Tree, Pairs, []),
        '$member'(Key-Value, Pairs)
    ;   rb_find(Tree, Key, Found),
        Value = Found
    ).

%% rb_min(+Tree, -Key, -Value)
%
%  Unifies Key with the first key of Tree and Value with its value. Fails if Tree is empty.
%
%  ?- list_to_rbtree([b-2,a-1], _T), rb_min(_T, K, V).
%  K = a,
%  V = 1.

rb_min(Tree0, Key, Value) :-
    rb_open(Tree0, _, Tree, rb_min(Tree0, Key, Value)),
    rb_first(Tree, Key, Value).

rb_first(Tree, Key, Value) :-
    rb_node(Tree, Left, Key1, Value1, _),
    (   rb_first(Left, Key2, Value2)
    ->  Key = Key2, Value = Value2
    ;   Key = Key1, Value = Value1
    ).

%% rb_max(+Tree, -Key, -Value)
%
%  Unifies Key with the last key of Tree and Value with its value. Fails if Tree is empty.
%
%  ?- list_to_rbtree([b-2,a-1], _T), rb_max(_T, K, V).
%  K = b,
%  V = 2.

rb_max(Tree0, Key, Value) :-
    rb_open(Tree0, _, Tree, rb_max(Tree0, Key, Value)),
    rb_last(Tree, Key, Value).

rb_last(Tree, Key, Value) :-
    rb_node(Tree, _, Key1, Value1, Right),
    (   rb_last(Right, Key2, Value2)
    ->  Key = Key2, Value = Value2
    ;   Key = Key1, Value = Value1
    ).

%% rb_next(+Tree, +Key, -Next, -Value)
%
%  Unifies Next with the key after Key and Value with its value. Fails if Key is the last key or is not in Tree.
%
%  ?- list_to_rbtree([a-1,b-2], _T), rb_next(_T, a, Next, V).
%  Next = b,
%  V = 2.

rb_next(Tree0, Key, Next, Value) :-
    rb_open(Tree0, _, Tree, rb_next(Tree0, Key, Next, Value)),
    rb_after(Tree, Key, none, Key1-Value1),
    Next = Key1,
    Value = Value1.

rb_after(Tree, Key, Best, Found) :-
    rb_node(Tree, Left, Key1, Value1, Right),
    compare(Order, Key, Key1),
    rb_after(Order, Left, Key1, Value1, Right, Key, Best, Found).

rb_after(=, _, _, _, Right, _, Best, Found) :-
    ( rb_first(Right, Key, Value) -> Found = Key-Value ; Found = Best ).
rb_after(<, Left, Key1, Value1, _, Key, _, Found) :- rb_after(Left, Key, Key1-Value1, Found).
rb_after(>, _, _, _, Right, Key, Best, Found) :- rb_after(Right, Key, Best, Found).

%% rb_previous(+Tree, +Key, -Previous, -Value)
%
%  Unifies Previous with the key before Key and Value with its value. Fails if Key is the first key or is not in
%  Tree.
%
%  ?- list_to_rbtree([a-1,b-2], _T), rb_previous(_T, a, Previous, V).
%  false.

rb_previous(Tree0, Key, Previous, Value) :-
    rb_open(Tree0, _, Tree, rb_previous(Tree0, Key, Previous, Value)),
    rb_before(Tree, Key, none, Key1-Value1),
    Previous = Key1,
    Value = Value1.

rb_before(Tree, Key, Best, Found) :-
    rb_node(Tree, Left, Key1, Value1, Right),
    compare(Order, Key, Key1),
    rb_before(Order, Left, Key1, Value1, Right, Key, Best, Found).

rb_before(=, Left, _, _, _, _, Best, Found) :-
    ( rb_last(Left, Key, Value) -> Found = Key-Value ; Found = Best ).
rb_before(<, Left, _, _, _, Key, Best, Found) :- rb_before(Left, Key, Best, Found).
rb_before(>, _, Key1, Value1, Right, Key, _, Found) :- rb_before(Right, Key, Key1-Value1, Found).

%% rb_insert(+Tree0, +Key, ?Value, -Tree)
%
%  Unifies Tree with Tree0 with Value for Key. Replaces a value that Key already has.
%
%  ?- list_to_rbtree([a-1], _T0), rb_insert(_T0, a, 9, _T), rb_visit(_T, Pairs).
%  Pairs = [a-9].

rb_insert(Old, Key, Value, New) :-
    rb_open(Old, Nil, Tree0, rb_insert(Old, Key, Value, New)),
    New = t(Nil, Tree),
    rb_add(Tree0, Key, Value, replace, Nil, Tree1),
    rb_blacken(Tree1, Tree).

%% rb_insert_new(+Tree0, +Key, ?Value, -Tree)
%
%  Inserts like rb_insert/4, but fails if Tree0 already has a value for Key.
%
%  ?- list_to_rbtree([a-1], _T0), rb_insert_new(_T0, a, 9, _T).
%  false.

rb_insert_new(Old, Key, Value, New) :-
    rb_open(Old, Nil, Tree0, rb_insert_new(Old, Key, Value, New)),
    New = t(Nil, Tree),
    rb_add(Tree0, Key, Value, new, Nil, Tree1),
    rb_blacken(Tree1, Tree).

rb_blacken(Tree0, Tree) :-
    (   Tree0 = red(Left, Key, Value, Right)
    ->  Tree = black(Left, Key, Value, Right)
    ;   Tree = Tree0
    ).

rb_add(Node, _, _, _, _, _) :- var(Node), !, instantiation_error(Node).
rb_add(black('', _, _, _), Key, Value, _, Nil, Tree) :- !,
    Tree = red(Nil, Key, Value, Nil).
rb_add(red(Left, Key1, Value1, Right), Key, Value, How, Nil, Tree) :-
    compare(Order, Key, Key1),
    rb_add_red(Order, Left, Key1, Value1, Right, Key, Value, How, Nil, Tree).
rb_add(black(Left, Key1, Value1, Right), Key, Value, How, Nil, Tree) :-
    compare(Order, Key, Key1),
    rb_add_black(Order, Left, Key1, Value1, Right, Key, Value, How, Nil, Tree).

rb_add_red(=, Left, Key, _, Right, _, Value, replace, _, red(Left, Key, Value, Right)).
rb_add_red(<, Left0, Key1, Value1, Right, Key, Value, How, Nil, red(Left, Key1, Value1, Right)) :-
    rb_add(Left0, Key, Value, How, Nil, Left).
rb_add_red(>, Left, Key1, Value1, Right0, Key, Value, How, Nil, red(Left, Key1, Value1, Right)) :-
    rb_add(Right0, Key, Value, How, Nil, Right).

rb_add_black(=, Left, Key, _, Right, _, Value, replace, _, black(Left, Key, Value, Right)).
rb_add_black(<, Left0, Key1, Value1, Right, Key, Value, How, Nil, Tree) :-
    rb_add(Left0, Key, Value, How, Nil, Left),
    rb_balance_left(Left, Key1, Value1, Right, Tree).
rb_add_black(>, Left, Key1, Value1, Right0, Key, Value, How, Nil, Tree) :-
    rb_add(Right0, Key, Value, How, Nil, Right),
    rb_balance_right(Left, Key1, Value1, Right, Tree).

% Rebalances a red node with a red child under a black node: the middle one moves to the top.
rb_balance_left(red(red(A, K1, V1, B), K2, V2, C), K3, V3, D, Tree) :- !,
    Tree = red(black(A, K1, V1, B), K2, V2, black(C, K3, V3, D)).
rb_balance_left(red(A, K1, V1, red(B, K2, V2, C)), K3, V3, D, Tree) :- !,
    Tree = red(black(A, K1, V1, B), K2, V2, black(C, K3, V3, D)).
rb_balance_left(Left, Key, Value, Right, black(Left, Key, Value, Right)).

rb_balance_right(A, K1, V1, red(red(B, K2, V2, C), K3, V3, D), Tree) :- !,
    Tree = red(black(A, K1, V1, B), K2, V2, black(C, K3, V3, D)).
rb_balance_right(A, K1, V1, red(B, K2, V2, red(C, K3, V3, D)), Tree) :- !,
    Tree = red(black(A, K1, V1, B), K2, V2, black(C, K3, V3, D)).
rb_balance_right(Left, Key, Value, Right, black(Left, Key, Value, Right)).

%% rb_update(+Tree0, +Key, ?Value, -Tree)
%
%  Unifies Tree with Tree0 with Value as the new value of Key. Fails if Tree0 has no such key.
%
%  ?- list_to_rbtree([a-1], _T0), rb_update(_T0, a, 2, _T), rb_visit(_T, Pairs).
%  Pairs = [a-2].

rb_update(Old, Key, Value, New) :-
    rb_open(Old, Nil, Tree0, rb_update(Old, Key, Value, New)),
    New = t(Nil, Tree),
    rb_replace(Tree0, Key, _, Value, Tree).

%% rb_update(+Tree0, +Key, -Value0, ?Value, -Tree)
%
%  Updates like rb_update/4. Unifies Value0 with the value of Key in Tree0.
%
%  ?- list_to_rbtree([a-1], _T0), rb_update(_T0, a, V0, 2, _T), rb_visit(_T, Pairs).
%  V0 = 1,
%  Pairs = [a-2].

rb_update(Old, Key, Value0, Value, New) :-
    rb_open(Old, Nil, Tree0, rb_update(Old, Key, Value0, Value, New)),
    New = t(Nil, Tree),
    rb_replace(Tree0, Key, Value0, Value, Tree).

rb_replace(Node, _, _, _, _) :- var(Node), !, instantiation_error(Node).
rb_replace(black(Left, Key1, Value1, Right), Key, Value0, Value, Tree) :-
    Left \== '',
    Tree = black(Left1, Key1, Value2, Right1),
    compare(Order, Key, Key1),
    rb_replace(Order, Left, Value1, Right, Key, Value0, Value, Left1, Value2, Right1).
rb_replace(red(Left, Key1, Value1, Right), Key, Value0, Value, red(Left1, Key1, Value2, Right1)) :-
    compare(Order, Key, Key1),
    rb_replace(Order, Left, Value1, Right, Key, Value0, Value, Left1, Value2, Right1).

rb_replace(=, Left, Value0, Right, _, Value0, Value, Left, Value, Right).
rb_replace(<, Left0, Value1, Right, Key, Value0, Value, Left, Value1, Right) :-
    rb_replace(Left0, Key, Value0, Value, Left).
rb_replace(>, Left, Value1, Right0, Key, Value0, Value, Left, Value1, Right) :-
    rb_replace(Right0, Key, Value0, Value, Right).

%% rb_apply(+Tree0, +Key, :Goal, -Tree)
%
%  Calls call(Goal, Value0, Value) with the value of Key in Tree0. Unifies Tree with Tree0 with Value in its
%  place.
%
%  ?- list_to_rbtree([a-1], _T0), rb_apply(_T0, a, succ, _T), rb_visit(_T, Pairs).
%  Pairs = [a-2].

rb_apply(Tree0, Key, Goal, Tree) :-
    rb_open(Tree0, _, _, rb_apply(Tree0, Key, Goal, Tree)),
    rb_update(Tree0, Key, Value0, Value, Tree),
    call(Goal, Value0, Value).

%% rb_delete(+Tree0, +Key, -Tree)
%
%  Removes Key from Tree0 and unifies Tree with the result. Fails if Tree0 has no such key.
%
%  ?- list_to_rbtree([a-1,b-2], _T0), rb_delete(_T0, a, _T), rb_keys(_T, Keys).
%  Keys = [b].

rb_delete(Tree0, Key, Tree) :-
    rb_open(Tree0, _, _, rb_delete(Tree0, Key, Tree)),
    rb_delete(Tree0, Key, _, Tree).

%% rb_delete(+Tree0, +Key, -Value, -Tree)
%
%  Removes like rb_delete/3. Unifies Value with the value of Key.
%
%  ?- list_to_rbtree([a-1,b-2], _T0), rb_delete(_T0, a, V, _T), rb_keys(_T, Keys).
%  V = 1,
%  Keys = [b].

rb_delete(Old, Key, Value, New) :-
    rb_open(Old, Nil, Tree0, rb_delete(Old, Key, Value, New)),
    New = t(Nil, Tree),
    rb_take(Tree0, Key, Value0, Tree1, _),
    rb_blacken(Tree1, Tree),
    Value = Value0.

%% rb_del_min(+Tree0, -Key, -Value, -Tree)
%
%  Removes the first Key with its Value from Tree0 and unifies Tree with the result. Fails if Tree0 is empty.
%
%  ?- list_to_rbtree([b-2,a-1], _T0), rb_del_min(_T0, K, V, _T), rb_keys(_T, Keys).
%  K = a,
%  V = 1,
%  Keys = [b].

rb_del_min(Old, Key, Value, New) :-
    rb_open(Old, Nil, Tree0, rb_del_min(Old, Key, Value, New)),
    New = t(Nil, Tree),
    rb_first(Tree0, Key0, _),
    rb_take(Tree0, Key0, Value0, Tree1, _),
    rb_blacken(Tree1, Tree),
    Key = Key0,
    Value = Value0.

%% rb_del_max(+Tree0, -Key, -Value, -Tree)
%
%  Removes the last Key with its Value from Tree0 and unifies Tree with the result. Fails if Tree0 is empty.
%
%  ?- list_to_rbtree([b-2,a-1], _T0), rb_del_max(_T0, K, V, _T), rb_keys(_T, Keys).
%  K = b,
%  V = 2,
%  Keys = [a].

rb_del_max(Old, Key, Value, New) :-
    rb_open(Old, Nil, Tree0, rb_del_max(Old, Key, Value, New)),
    New = t(Nil, Tree),
    rb_last(Tree0, Key0, _),
    rb_take(Tree0, Key0, Value0, Tree1, _),
    rb_blacken(Tree1, Tree),
    Key = Key0,
    Value = Value0.

% rb_take(+Tree0, +Key, -Value, -Tree, -Short): removes Key. Short is true if the paths of Tree have one black
% node fewer than those of Tree0.
rb_take(Tree0, Key, Value, Tree, Short) :-
    rb_node(Tree0, Left, Key1, Value1, Right),
    functor(Tree0, Colour, 4),
    compare(Order, Key, Key1),
    rb_take(Order, Colour, Left, Key1, Value1, Right, Key, Value, Tree, Short).

rb_take(=, Colour, Left, _, Value, Right, _, Value, Tree, Short) :-
    (   rb_first(Right, Next, _)
    ->  (   rb_node(Left, _, _, _, _)
        ->  rb_take(Right, Next, NextValue, Right1, Short1),
            rb_mend_right(Short1, Colour, Left, Next, NextValue, Right1, Tree, Short)
        ;   rb_lift(Colour, Right, Tree, Short)
        )
    ;   rb_lift(Colour, Left, Tree, Short)
    ).
rb_take(<, Colour, Left0, Key1, Value1, Right, Key, Value, Tree, Short) :-
    rb_take(Left0, Key, Value, Left, Short1),
    rb_mend_left(Short1, Colour, Left, Key1, Value1, Right, Tree, Short).
rb_take(>, Colour, Left, Key1, Value1, Right0, Key, Value, Tree, Short) :-
    rb_take(Right0, Key, Value, Right, Short1),
    rb_mend_right(Short1, Colour, Left, Key1, Value1, Right, Tree, Short).

% Replaces a removed node of this colour by its only child.
rb_lift(red, Child, Child, false).
rb_lift(black, Child, Tree, Short) :-
    (   Child = red(_, _, _, _)
    ->  rb_blacken(Child, Tree),
        Short = false
    ;   Tree = Child,
        Short = true
    ).

rb_make(red, Left, Key, Value, Right, red(Left, Key, Value, Right)).
rb_make(black, Left, Key, Value, Right, black(Left, Key, Value, Right)).

% Rebalances a node whose left or right subtree may lack a black node.
rb_mend_left(false, Colour, L, K, V, R, Tree, false) :-
    rb_make(Colour, L, K, V, R, Tree).
rb_mend_left(true, Colour, L, K, V, R, Tree, Short) :-
    rb_raise_left(R, Colour, L, K, V, Tree, Short).

rb_raise_left(red(A, K1, V1, B), _, L, K, V, black(Left, K1, V1, B), false) :-
    rb_raise_left(A, red, L, K, V, Left, false).
rb_raise_left(black(A, K1, V1, B), Colour, L, K, V, Tree, Short) :-
    (   A = red(C, K2, V2, D)
    ->  rb_make(Colour, black(L, K, V, C), K2, V2, black(D, K1, V1, B), Tree),
        Short = false
    ;   B = red(C, K2, V2, D)
    ->  rb_make(Colour, black(L, K, V, A), K1, V1, black(C, K2, V2, D), Tree),
        Short = false
    ;   Tree = black(L, K, V, red(A, K1, V1, B)),
        rb_was_black(Colour, Short)
    ).

rb_mend_right(false, Colour, L, K, V, R, Tree, false) :-
    rb_make(Colour, L, K, V, R, Tree).
rb_mend_right(true, Colour, L, K, V, R, Tree, Short) :-
    rb_raise_right(L, Colour, K, V, R, Tree, Short).

rb_raise_right(red(A, K1, V1, B), _, K, V, R, black(A, K1, V1, Right), false) :-
    rb_raise_right(B, red, K, V, R, Right, false).
rb_raise_right(black(A, K1, V1, B), Colour, K, V, R, Tree, Short) :-
    (   B = red(C, K2, V2, D)
    ->  rb_make(Colour, black(A, K1, V1, C), K2, V2, black(D, K, V, R), Tree),
        Short = false
    ;   A = red(C, K2, V2, D)
    ->  rb_make(Colour, black(C, K2, V2, D), K1, V1, black(B, K, V, R), Tree),
        Short = false
    ;   Tree = black(red(A, K1, V1, B), K, V, R),
        rb_was_black(Colour, Short)
    ).

rb_was_black(red, false).
rb_was_black(black, true).

%% rb_visit(+Tree, -Pairs)
%
%  Unifies Pairs with the list of Key-Value in Tree, in order.
%
%  ?- list_to_rbtree([b-2,a-1], _T), rb_visit(_T, Pairs).
%  Pairs = [a-1, b-2].

rb_visit(Tree0, Pairs) :-
    rb_open(Tree0, _, Tree, rb_visit(Tree0, Pairs)),
    rb_pairs(Tree, Pairs, []).

rb_pairs(Tree, Pairs, Rest) :-
    (   rb_node(Tree, Left, Key, Value, Right)
    ->  rb_pairs(Left, Pairs, [Key-Value|Pairs1]),
        rb_pairs(Right, Pairs1, Rest)
    ;   Pairs = Rest
    ).

%% rb_keys(+Tree, -Keys)
%
%  Unifies Keys with the keys of Tree, in order.
%
%  ?- list_to_rbtree([b-2,a-1], _T), rb_keys(_T, Keys).
%  Keys = [a, b].

rb_keys(Tree0, Keys) :-
    rb_open(Tree0, _, Tree, rb_keys(Tree0, Keys)),
    rb_pairs(Tree, Pairs, []),
    pairs_keys(Pairs, Keys).

%% rb_size(+Tree, -Size)
%
%  Unifies Size with the number of keys in Tree.
%
%  ?- list_to_rbtree([b-2,a-1], _T), rb_size(_T, Size).
%  Size = 2.

rb_size(Tree0, Size) :-
    rb_open(Tree0, _, Tree, rb_size(Tree0, Size)),
    rb_pairs(Tree, Pairs, []),
    length(Pairs, Size).

%% rb_map(+Tree, :Goal)
%
%  True if call(Goal, Value) is true for all values, in the order of their keys.
%
%  ?- list_to_rbtree([a-1,b-2], _T), rb_map(_T, integer).
%  true.

rb_map(Tree0, Goal) :-
    rb_open(Tree0, _, Tree, rb_map(Tree0, Goal)),
    rb_all(Tree, Goal).

rb_all(Tree, Goal) :-
    (   rb_node(Tree, Left, _, Value, Right)
    ->  rb_all(Left, Goal),
        call(Goal, Value),
        rb_all(Right, Goal)
    ;   true
    ).

%% rb_map(+Tree0, :Goal, -Tree)
%
%  Calls call(Goal, Value0, Value) for the value of each key of Tree0. Unifies Tree with Tree0 with the new
%  values.
%
%  ?- list_to_rbtree([a-1,b-2], _T0), rb_map(_T0, succ, _T), rb_visit(_T, Pairs).
%  Pairs = [a-2, b-3].

rb_map(Old, Goal, New) :-
    rb_open(Old, Nil, Tree0, rb_map(Old, Goal, New)),
    New = t(Nil, Tree),
    rb_mapped(Tree0, Goal, Tree).

rb_mapped(Tree0, Goal, Tree) :-
    (   rb_node(Tree0, Left0, Key, Value0, Right0)
    ->  functor(Tree0, Colour, 4),
        rb_mapped(Left0, Goal, Left),
        call(Goal, Value0, Value),
        rb_mapped(Right0, Goal, Right),
        rb_make(Colour, Left, Key, Value, Right, Tree)
    ;   Tree = Tree0
    ).

%% rb_partial_map(+Tree0, +Keys, :Goal, -Tree)
%
%  Maps like rb_map/3, but only the values of Keys, and only with the first solution of Goal. If Goal fails, the
%  value stays. Fails unless Keys are keys of Tree0, in order and without duplicates.
%
%  ?- list_to_rbtree([a-1,b-2,c-3], _T0), rb_partial_map(_T0, [a,c], succ, _T), rb_visit(_T, Pairs).
%  Pairs = [a-2, b-2, c-4].

rb_partial_map(Old, Keys, Goal, New) :-
    rb_open(Old, Nil, Tree0, rb_partial_map(Old, Keys, Goal, New)),
    rb_mapped_at(Tree0, Keys, [], Goal, Tree),
    New = t(Nil, Tree).

% rb_mapped_at(+Tree0, +Keys, -Rest, :Goal, -Tree): Rest are the keys that follow all keys of Tree0.
rb_mapped_at(Tree0, Keys, Rest, Goal, Tree) :-
    (   nonvar(Keys),
        Keys = [_|_],
        rb_node(Tree0, Left0, Key, Value0, Right0)
    ->  functor(Tree0, Colour, 4),
        rb_mapped_at(Left0, Keys, Keys1, Goal, Left),
        rb_mapped_key(Keys1, Keys2, Key, Value0, Goal, Value),
        rb_mapped_at(Right0, Keys2, Rest, Goal, Right),
        rb_make(Colour, Left, Key, Value, Right, Tree)
    ;   Rest = Keys,
        Tree = Tree0
    ).

rb_mapped_key(Keys, Rest, Key, Value0, Goal, Value) :-
    (   nonvar(Keys),
        Keys = [Key1|Rest0],
        Key1 == Key
    ->  Rest = Rest0,
        (   call(Goal, Value0, Value1)
        ->  Value = Value1
        ;   Value = Value0
        )
    ;   Rest = Keys,
        Value = Value0
    ).

%% rb_fold(:Goal, +Tree, +State0, -State)
%
%  Folds the tree in the order of the keys: call(Goal, Key-Value, State0, State1) and so on compute State from
%  State0.
%
%  ?- list_to_rbtree([a-1,b-2], _T), rb_fold([_-V,S0,S]>>(S is S0 + V), _T, 0, Sum).
%  Sum = 3.

rb_fold(Goal, Tree0, State0, State) :-
    rb_open(Tree0, _, Tree, rb_fold(Goal, Tree0, State0, State)),
    rb_pairs(Tree, Pairs, []),
    rb_folded(Pairs, Goal, State0, State).

rb_folded([], _, State, State).
rb_folded([Pair|Pairs], Goal, State0, State) :-
    call(Goal, Pair, State0, State1),
    rb_folded(Pairs, Goal, State1, State).

%% rb_clone(+Tree0, -Tree, -Pairs)
%
%  Unifies Tree with a copy of Tree0 whose values are new variables, and Pairs with the list of Key-Variable, in
%  order.

rb_clone(Old, New, Pairs) :-
    rb_open(Old, Nil, Tree0, rb_clone(Old, New, Pairs)),
    New = t(Nil, Tree),
    rb_cloned(Tree0, Tree, Pairs, []).

rb_cloned(Tree0, Tree, Pairs, Rest) :-
    (   rb_node(Tree0, Left0, Key, _, Right0)
    ->  functor(Tree0, Colour, 4),
        rb_make(Colour, Left, Key, Value, Right, Tree),
        rb_cloned(Left0, Left, Pairs, [Key-Value|Pairs1]),
        rb_cloned(Right0, Right, Pairs1, Rest)
    ;   Tree = Tree0,
        Pairs = Rest
    ).

%% list_to_rbtree(+Pairs, -Tree)
%
%  Unifies Tree with a tree of Pairs, a list of Key-Value. If a key occurs several times, the last one counts.
%
%  ?- list_to_rbtree([b-2,a-1], _T), rb_keys(_T, Keys).
%  Keys = [a, b].

list_to_rbtree(Pairs, Tree) :-
    must_be(list, Pairs),
    rb_new(Tree0),
    rb_insert_all(Pairs, Tree0, Tree).

rb_insert_all([], Tree, Tree).
rb_insert_all([Key-Value|Pairs], Tree0, Tree) :-
    rb_insert(Tree0, Key, Value, Tree1),
    rb_insert_all(Pairs, Tree1, Tree).

%% ord_list_to_rbtree(+Pairs, -Tree)
%
%  Converts like list_to_rbtree/2, for pairs sorted by their keys, without duplicates.
%
%  ?- ord_list_to_rbtree([a-1,b-2], _T), rb_lookup(b, V, _T).
%  V = 2.

ord_list_to_rbtree(Pairs, Tree) :-
    list_to_rbtree(Pairs, Tree).

%% is_rbtree(@Term)
%
%  True if Term is a tree as these predicates make it.
%
%  ?- is_rbtree([a-1]).
%  false.

is_rbtree(Term) :-
    nonvar(Term),
    Term = t(Nil, Tree),
    rb_is_nil(Nil),
    rb_height(Tree, Nil, black, _),
    rb_pairs(Tree, Pairs, []),
    pairs_keys(Pairs, Keys),
    sort(Keys, Sorted),
    Sorted == Keys.

rb_is_nil(Nil) :-
    nonvar(Nil),
    Nil = black(Left, _, _, Right),
    Left == '',
    Right == ''.

rb_height(Tree, Nil, Above, Height) :-
    nonvar(Tree),
    (   rb_is_nil(Tree)
    ->  Height = 0
    ;   Tree = black(Left, _, _, Right)
    ->  rb_height(Left, Nil, black, Below),
        rb_height(Right, Nil, black, Below),
        Height is Below + 1
    ;   Tree = red(Left, _, _, Right),
        Above == black,
        rb_height(Left, Nil, red, Height),
        rb_height(Right, Nil, red, Height)
    ).
