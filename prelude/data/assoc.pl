% Association lists as balanced binary trees (Adelson-Velskii and Landis): the
% predicates that SWI-Prolog's library(assoc) documents.
%
% A tree is t, or t(Key, Value, Balance, Left, Right). The keys of Left are smaller than Key and those of Right
% larger, in the standard order. Balance says which subtree is higher: < (the left one), - (none) or > (the
% right one).

:- module(assoc, [
    empty_assoc/1,
    put_assoc/4,
    get_assoc/3,
    get_assoc/5,
    list_to_assoc/2,
    ord_list_to_assoc/2,
    assoc_to_list/2,
    assoc_to_keys/2,
    assoc_to_values/2,
    max_assoc/3,
    min_assoc/3,
    map_assoc/2,
    map_assoc/3,
    transpose_assoc/2,
    is_assoc/1,
    gen_assoc/3,
    del_assoc/4,
    del_min_assoc/4,
    del_max_assoc/4
]).

:- use_module(library(error), [must_be/2, domain_error/2, type_error/2]).

:- meta_predicate(map_assoc(1, ?)).
:- meta_predicate(map_assoc(2, ?, ?)).

%% empty_assoc(?Assoc)
%
%  Unifies Assoc with the empty association list.
%
%  ?- empty_assoc(_A), put_assoc(k, _A, v, _B), get_assoc(k, _B, V).
%  V = v.

empty_assoc(t).

%% get_assoc(+Key, +Assoc, ?Value)
%
%  Unifies Value with the value of Key in Assoc. Fails if Assoc has no such key.
%
%  ?- list_to_assoc([a-1,b-2], _A), get_assoc(b, _A, V).
%  V = 2.
%
%  ?- list_to_assoc([a-1,b-2], _A), get_assoc(c, _A, V).
%  false.

get_assoc(Key, Assoc, Value) :-
    '$assoc_value'(Key, Assoc, Value, Wrong),
    (   Wrong == []
    ->  true
    ;   arg(1, Wrong, Tree),
        assoc_check(Tree)
    ).

assoc_check(Assoc) :-
    (   var(Assoc)
    ->  must_be(nonvar, Assoc)
    ;   Assoc = t(_, _, _, _, _)
    ->  true
    ;   Assoc == t
    ->  true
    ;   type_error(assoc, Assoc)
    ).

%% get_assoc(+Key, +Assoc0, ?Value0, -Assoc, ?Value)
%
%  Unifies Value0 with the value of Key in Assoc0, and Assoc with Assoc0 with Value in its place. Fails if
%  Assoc0 has no such key.
%
%  ?- list_to_assoc([a-1,b-2], _A), get_assoc(b, _A, V0, _B, 3), assoc_to_list(_B, Pairs).
%  V0 = 2,
%  Pairs = [a-1, b-3].

get_assoc(Key, Assoc0, Value0, Assoc, Value) :-
    assoc_check(Assoc0),
    Assoc0 = t(Key1, Value1, Balance, Left, Right),
    compare(Order, Key, Key1),
    assoc_replace(Order, Key, Key1, Value1, Balance, Left, Right, Value0, Assoc,
                  Value).

assoc_replace(=, _, Key, Value0, Balance, Left, Right, Value0,
              t(Key, Value, Balance, Left, Right), Value).
assoc_replace(<, Key, Key1, Value1, Balance, Left, Right, Value0,
              t(Key1, Value1, Balance, Left1, Right), Value) :-
    get_assoc(Key, Left, Value0, Left1, Value).
assoc_replace(>, Key, Key1, Value1, Balance, Left, Right, Value0,
              t(Key1, Value1, Balance, Left, Right1), Value) :-
    get_assoc(Key, Right, Value0, Right1, Value).

%% put_assoc(+Key, +Assoc0, +Value, -Assoc)
%
%  Unifies Assoc with Assoc0 with Value as the value of Key.
%
%  ?- list_to_assoc([a-1,b-2], _A), put_assoc(b, _A, 3, _B), assoc_to_list(_B, Pairs).
%  Pairs = [a-1, b-3].

put_assoc(Key, Assoc0, Value, Assoc) :-
    assoc_put(Assoc0, Key, Value, Assoc, _).

% The last argument says whether the tree grew higher.

assoc_put(Assoc0, Key, Value, Assoc, Higher) :-
    assoc_check(Assoc0),
    assoc_insert(Assoc0, Key, Value, Assoc, Higher).

assoc_insert(t, Key, Value, t(Key, Value, -, t, t), yes).
assoc_insert(t(Key1, Value1, Balance, Left, Right), Key, Value, Assoc, Higher) :-
    compare(Order, Key, Key1),
    assoc_insert(Order, Key, Value, Key1, Value1, Balance, Left, Right, Assoc,
                 Higher).

assoc_insert(=, Key, Value, _, _, Balance, Left, Right,
             t(Key, Value, Balance, Left, Right), no).
assoc_insert(<, Key, Value, Key1, Value1, Balance, Left, Right, Assoc, Higher) :-
    assoc_insert(Left, Key, Value, Left1, LeftHigher),
    assoc_left_grew(LeftHigher, Balance, Key1, Value1, Left1, Right, Assoc, Higher).
assoc_insert(>, Key, Value, Key1, Value1, Balance, Left, Right, Assoc, Higher) :-
    assoc_insert(Right, Key, Value, Right1, RightHigher),
    assoc_right_grew(RightHigher, Balance, Key1, Value1, Left, Right1, Assoc,
                     Higher).

% assoc_left_grew(+Grew, +Balance, +Key, +Value, +Left, +Right, -Assoc, -Higher)

assoc_left_grew(no, B, K, V, L, R, t(K, V, B, L, R), no).
assoc_left_grew(yes, B, K, V, L, R, Assoc, Higher) :-
    assoc_left_higher(B, K, V, L, R, Assoc, Higher).

assoc_left_higher(-, K, V, L, R, t(K, V, <, L, R), yes).
assoc_left_higher(>, K, V, L, R, t(K, V, -, L, R), no).
assoc_left_higher(<, K, V, L, R, Assoc, no) :-
    assoc_rotate_right(K, V, L, R, Assoc, _).

assoc_right_grew(no, B, K, V, L, R, t(K, V, B, L, R), no).
assoc_right_grew(yes, B, K, V, L, R, Assoc, Higher) :-
    assoc_right_higher(B, K, V, L, R, Assoc, Higher).

assoc_right_higher(-, K, V, L, R, t(K, V, >, L, R), yes).
assoc_right_higher(<, K, V, L, R, t(K, V, -, L, R), no).
assoc_right_higher(>, K, V, L, R, Assoc, no) :-
    assoc_rotate_left(K, V, L, R, Assoc, _).

% assoc_rotate_right(+Key, +Value, +Left, +Right, -Assoc, -Lower): Left is two levels higher than Right. Lower
% says whether Assoc is lower than the tree was. It is not lower only if Left was balanced (after a deletion).

assoc_rotate_right(K, V, t(K1, V1, <, L1, R1), R, Assoc, yes) :-
    Assoc = t(K1, V1, -, L1, t(K, V, -, R1, R)).
assoc_rotate_right(K, V, t(K1, V1, -, L1, R1), R, Assoc, no) :-
    Assoc = t(K1, V1, >, L1, t(K, V, <, R1, R)).
assoc_rotate_right(K, V, t(K1, V1, >, L1, t(K2, V2, B2, L2, R2)), R, Assoc, yes) :-
    Assoc = t(K2, V2, -, t(K1, V1, BL, L1, L2), t(K, V, BR, R2, R)),
    assoc_halves(B2, BL, BR).

assoc_rotate_left(K, V, L, t(K1, V1, >, L1, R1), Assoc, yes) :-
    Assoc = t(K1, V1, -, t(K, V, -, L, L1), R1).
assoc_rotate_left(K, V, L, t(K1, V1, -, L1, R1), Assoc, no) :-
    Assoc = t(K1, V1, <, t(K, V, >, L, L1), R1).
assoc_rotate_left(K, V, L, t(K1, V1, <, t(K2, V2, B2, L2, R2), R1), Assoc, yes) :-
    Assoc = t(K2, V2, -, t(K, V, BL, L, L2), t(K1, V1, BR, R2, R1)),
    assoc_halves(B2, BL, BR).

% Maps the balance of the middle tree to the balances of the halves after a double rotation.

assoc_halves(<, -, >).
assoc_halves(-, -, -).
assoc_halves(>, <, -).

%% list_to_assoc(+Pairs, -Assoc)
%
%  Unifies Assoc with the association list of Pairs, Key-Value with distinct keys.
%
%  ?- list_to_assoc([b-2,a-1], _A), assoc_to_list(_A, Pairs).
%  Pairs = [a-1, b-2].
%
%  ?- list_to_assoc([a-1,a-2], A).
%  error: Domain error: `unique_key_pairs' expected, found `[a-1,a-2]' [domain_error(unique_key_pairs, [a-1, a-2])]

list_to_assoc(Pairs, Assoc) :-
    must_be(list, Pairs),
    assoc_check_pairs(Pairs),
    length(Pairs, Length),
    keysort(Pairs, Sorted),
    (   assoc_distinct(Sorted)
    ->  assoc_build(Length, Sorted, [], _, Assoc)
    ;   domain_error(unique_key_pairs, Pairs)
    ).

%% ord_list_to_assoc(+Pairs, -Assoc)
%
%  Converts like list_to_assoc/2, for Pairs sorted by their keys.
%
%  ?- ord_list_to_assoc([a-1,b-2], _A), get_assoc(a, _A, V).
%  V = 1.

ord_list_to_assoc(Pairs, Assoc) :-
    must_be(list, Pairs),
    assoc_check_pairs(Pairs),
    (   assoc_distinct(Pairs)
    ->  length(Pairs, Length),
        assoc_build(Length, Pairs, [], _, Assoc)
    ;   domain_error(key_ordered_pairs, Pairs)
    ).

assoc_check_pairs([]).
assoc_check_pairs([Pair|Pairs]) :-
    must_be(pair, Pair),
    assoc_check_pairs(Pairs).

% Checks that each key is less than the next one.

assoc_distinct([]).
assoc_distinct([Key-_|Pairs]) :-
    assoc_distinct(Pairs, Key).

assoc_distinct([], _).
assoc_distinct([Key1-_|Pairs], Key) :-
    Key @< Key1,
    assoc_distinct(Pairs, Key1).

% assoc_build(+Length, +Pairs, -Rest, -Height, -Assoc): builds a tree of the first Length elements of Pairs.

assoc_build(Length, Pairs, Rest, Height, Assoc) :-
    (   Length =:= 0
    ->  Assoc = t,
        Height = 0,
        Rest = Pairs
    ;   Others is Length - 1,
        Lower is Others // 2,
        Higher is Others - Lower,
        assoc_build(Higher, Pairs, [Key-Value|Pairs1], LeftHeight, Left),
        assoc_build(Lower, Pairs1, Rest, RightHeight, Right),
        Height is LeftHeight + 1,
        compare(Order, RightHeight, LeftHeight),
        assoc_balance(Order, Balance),
        Assoc = t(Key, Value, Balance, Left, Right)
    ).

assoc_balance(<, <).
assoc_balance(=, -).
assoc_balance(>, >).

%% assoc_to_list(+Assoc, -Pairs)
%
%  Unifies Pairs with the list of Key-Value in Assoc, in the order of the keys.
%
%  ?- list_to_assoc([c-3,a-1,b-2], _A), assoc_to_list(_A, Pairs).
%  Pairs = [a-1, b-2, c-3].

assoc_to_list(Assoc, Pairs) :-
    assoc_pairs(Assoc, Pairs, []).

assoc_pairs(t, Pairs, Pairs).
assoc_pairs(t(Key, Value, _, Left, Right), Pairs, Rest) :-
    assoc_pairs(Left, Pairs, [Key-Value|Pairs1]),
    assoc_pairs(Right, Pairs1, Rest).

%% assoc_to_keys(+Assoc, -Keys)
%
%  Unifies Keys with the keys of Assoc in their order.
%
%  ?- list_to_assoc([b-2,a-1], _A), assoc_to_keys(_A, Keys).
%  Keys = [a, b].

assoc_to_keys(Assoc, Keys) :-
    assoc_keys(Assoc, Keys, []).

assoc_keys(t, Keys, Keys).
assoc_keys(t(Key, _, _, Left, Right), Keys, Rest) :-
    assoc_keys(Left, Keys, [Key|Keys1]),
    assoc_keys(Right, Keys1, Rest).

%% assoc_to_values(+Assoc, -Values)
%
%  Unifies Values with the values of Assoc in the order of their keys.
%
%  ?- list_to_assoc([b-2,a-1], _A), assoc_to_values(_A, Values).
%  Values = [1, 2].

assoc_to_values(Assoc, Values) :-
    assoc_values(Assoc, Values, []).

assoc_values(t, Values, Values).
assoc_values(t(_, Value, _, Left, Right), Values, Rest) :-
    assoc_values(Left, Values, [Value|Values1]),
    assoc_values(Right, Values1, Rest).

%% max_assoc(+Assoc, -Key, -Value)
%
%  Unifies Key with the largest key of Assoc and Value with its value. Fails if Assoc is empty.
%
%  ?- list_to_assoc([b-2,a-1], _A), max_assoc(_A, K, V).
%  K = b,
%  V = 2.

max_assoc(Assoc, Key, Value) :-
    assoc_check(Assoc),
    Assoc = t(Key1, Value1, _, _, Right),
    assoc_max(Right, Key1, Value1, Key, Value).

assoc_max(t, Key, Value, Key, Value).
assoc_max(t(Key1, Value1, _, _, Right), _, _, Key, Value) :-
    assoc_max(Right, Key1, Value1, Key, Value).

%% min_assoc(+Assoc, -Key, -Value)
%
%  Unifies Key with the smallest key of Assoc and Value with its value. Fails if Assoc is empty.
%
%  ?- list_to_assoc([b-2,a-1], _A), min_assoc(_A, K, V).
%  K = a,
%  V = 1.

min_assoc(Assoc, Key, Value) :-
    assoc_check(Assoc),
    Assoc = t(Key1, Value1, _, Left, _),
    assoc_min(Left, Key1, Value1, Key, Value).

assoc_min(t, Key, Value, Key, Value).
assoc_min(t(Key1, Value1, _, Left, _), _, _, Key, Value) :-
    assoc_min(Left, Key1, Value1, Key, Value).

%% map_assoc(:Goal, +Assoc)
%
%  True if call(Goal, Value) is true for each value of Assoc.
%
%  ?- list_to_assoc([a-1,b-2], _A), map_assoc(integer, _A).
%  true.

map_assoc(Goal, Assoc) :-
    assoc_check(Assoc),
    assoc_map(Assoc, Goal).

assoc_map(t, _).
assoc_map(t(_, Value, _, Left, Right), Goal) :-
    assoc_map(Left, Goal),
    call(Goal, Value),
    assoc_map(Right, Goal).

%% map_assoc(:Goal, +Assoc1, ?Assoc2)
%
%  True if Assoc2 has the keys of Assoc1 and call(Goal, Value1, Value2) is true for the values of each key.
%
%  ?- list_to_assoc([a-1,b-2], _A), map_assoc(succ, _A, _B), assoc_to_list(_B, Pairs).
%  Pairs = [a-2, b-3].

map_assoc(Goal, Assoc1, Assoc2) :-
    assoc_check(Assoc1),
    assoc_map(Assoc1, Goal, Assoc2).

assoc_map(t, _, t).
assoc_map(t(Key, Value1, Balance, Left1, Right1), Goal,
          t(Key, Value2, Balance, Left2, Right2)) :-
    assoc_map(Left1, Goal, Left2),
    call(Goal, Value1, Value2),
    assoc_map(Right1, Goal, Right2).

%% transpose_assoc(+Assoc, -Transposed)
%
%  Unifies Transposed with an association list of the values of Assoc, which are distinct, as keys and its keys
%  as values.
%
%  ?- list_to_assoc([x-a,y-b], _A), transpose_assoc(_A, _B), assoc_to_list(_B, Pairs).
%  Pairs = [a-x, b-y].

transpose_assoc(Assoc, Transposed) :-
    assoc_to_list(Assoc, Pairs),
    assoc_flip(Pairs, Flipped),
    list_to_assoc(Flipped, Transposed).

assoc_flip([], []).
assoc_flip([Key-Value|Pairs], [Value-Key|Flipped]) :-
    assoc_flip(Pairs, Flipped).

%% is_assoc(+Assoc)
%
%  True if Assoc is an association list: its keys are in order and it is balanced.
%
%  ?- is_assoc(t).
%  true.
%
%  ?- is_assoc([a-1]).
%  false.

is_assoc(Assoc) :-
    nonvar(Assoc),
    assoc_valid(Assoc, _, Keys, []),
    assoc_in_order(Keys).

assoc_valid(Assoc, _, _, _) :-
    var(Assoc),
    !,
    fail.
assoc_valid(t, 0, Keys, Keys).
assoc_valid(t(Key, _, Balance, Left, Right), Height, Keys, Rest) :-
    assoc_valid(Left, LeftHeight, Keys, [Key|Keys1]),
    assoc_valid(Right, RightHeight, Keys1, Rest),
    Difference is RightHeight - LeftHeight,
    assoc_difference(Difference, Balance1),
    Balance == Balance1,
    Height is max(LeftHeight, RightHeight) + 1.

assoc_difference(-1, <).
assoc_difference(0, -).
assoc_difference(1, >).

assoc_in_order([]).
assoc_in_order([Key|Keys]) :-
    assoc_in_order(Keys, Key).

assoc_in_order([], _).
assoc_in_order([Key1|Keys], Key) :-
    Key @< Key1,
    assoc_in_order(Keys, Key1).

%% gen_assoc(?Key, +Assoc, ?Value)
%
%  True if Value is the value of Key in Assoc. If Key is unbound, enumerates the keys in order on backtracking.
%
%  ?- list_to_assoc([a-1,b-2], _A), gen_assoc(K, _A, V).
%  K = a,
%  V = 1 ;
%  K = b,
%  V = 2.

gen_assoc(Key, Assoc, Value) :-
    (   ground(Key)
    ->  get_assoc(Key, Assoc, Value)
    ;   assoc_check(Assoc),
        assoc_gen(Assoc, Key, Value)
    ).

assoc_gen(t(Key1, Value1, _, Left, Right), Key, Value) :-
    assoc_gen(Left, Right, Key1-Value1, Key, Value).

assoc_gen(Left, _, _, Key, Value) :-
    assoc_gen(Left, Key, Value).
assoc_gen(_, t, Key-Value, Key, Value) :-
    !.
assoc_gen(_, _, Key-Value, Key, Value).
assoc_gen(_, Right, _, Key, Value) :-
    assoc_gen(Right, Key, Value).

%% del_assoc(+Key, +Assoc0, ?Value, -Assoc)
%
%  Removes Key, whose value is Value, from Assoc0 and unifies Assoc with the result. Fails if Assoc0 has no such
%  key.
%
%  ?- list_to_assoc([a-1,b-2], _A), del_assoc(a, _A, V, _B), assoc_to_list(_B, Pairs).
%  V = 1,
%  Pairs = [b-2].

del_assoc(Key, Assoc0, Value, Assoc) :-
    assoc_check(Assoc0),
    assoc_delete(Assoc0, Key, Value, Assoc, _).

% The last argument says whether the tree became lower.

assoc_delete(t(Key1, Value1, Balance, Left, Right), Key, Value, Assoc, Lower) :-
    compare(Order, Key, Key1),
    assoc_delete(Order, Key, Key1, Value1, Balance, Left, Right, Value, Assoc,
                 Lower).

assoc_delete(=, _, _, Value, Balance, Left, Right, Value, Assoc, Lower) :-
    assoc_join(Right, Left, Balance, Assoc, Lower).
assoc_delete(<, Key, Key1, Value1, Balance, Left, Right, Value, Assoc, Lower) :-
    assoc_delete(Left, Key, Value, Left1, LeftLower),
    assoc_left_shrank(LeftLower, Balance, Key1, Value1, Left1, Right, Assoc, Lower).
assoc_delete(>, Key, Key1, Value1, Balance, Left, Right, Value, Assoc, Lower) :-
    assoc_delete(Right, Key, Value, Right1, RightLower),
    assoc_right_shrank(RightLower, Balance, Key1, Value1, Left, Right1, Assoc,
                       Lower).

assoc_join(t, Left, _, Left, yes).
assoc_join(t(K, V, B, L, R), Left, Balance, Assoc, Lower) :-
    assoc_join(Left, t(K, V, B, L, R), Balance, Left, Assoc, Lower).

assoc_join(t, Right, _, _, Right, yes).
assoc_join(t(_, _, _, _, _), Right, Balance, Left, Assoc, Lower) :-
    assoc_delete_max(Left, Key, Value, Left1, LeftLower),
    assoc_left_shrank(LeftLower, Balance, Key, Value, Left1, Right, Assoc, Lower).

assoc_left_shrank(no, B, K, V, L, R, t(K, V, B, L, R), no).
assoc_left_shrank(yes, B, K, V, L, R, Assoc, Lower) :-
    assoc_left_lower(B, K, V, L, R, Assoc, Lower).

assoc_left_lower(<, K, V, L, R, t(K, V, -, L, R), yes).
assoc_left_lower(-, K, V, L, R, t(K, V, >, L, R), no).
assoc_left_lower(>, K, V, L, R, Assoc, Lower) :-
    assoc_rotate_left(K, V, L, R, Assoc, Lower).

assoc_right_shrank(no, B, K, V, L, R, t(K, V, B, L, R), no).
assoc_right_shrank(yes, B, K, V, L, R, Assoc, Lower) :-
    assoc_right_lower(B, K, V, L, R, Assoc, Lower).

assoc_right_lower(>, K, V, L, R, t(K, V, -, L, R), yes).
assoc_right_lower(-, K, V, L, R, t(K, V, <, L, R), no).
assoc_right_lower(<, K, V, L, R, Assoc, Lower) :-
    assoc_rotate_right(K, V, L, R, Assoc, Lower).

%% del_min_assoc(+Assoc0, ?Key, ?Value, -Assoc)
%
%  Removes the smallest Key, whose value is Value, from Assoc0 and unifies Assoc with the result. Fails if
%  Assoc0 is empty.
%
%  ?- list_to_assoc([b-2,a-1], _A), del_min_assoc(_A, K, V, _B), assoc_to_list(_B, Pairs).
%  K = a,
%  V = 1,
%  Pairs = [b-2].

del_min_assoc(Assoc0, Key, Value, Assoc) :-
    assoc_delete_min(Assoc0, Key, Value, Assoc, _).

assoc_delete_min(Assoc0, Key, Value, Assoc, Lower) :-
    assoc_check(Assoc0),
    Assoc0 = t(Key1, Value1, Balance, Left, Right),
    (   Left == t
    ->  Key = Key1,
        Value = Value1,
        Assoc = Right,
        Lower = yes
    ;   assoc_delete_min(Left, Key, Value, Left1, LeftLower),
        assoc_left_shrank(LeftLower, Balance, Key1, Value1, Left1, Right, Assoc,
                          Lower)
    ).

%% del_max_assoc(+Assoc0, ?Key, ?Value, -Assoc)
%
%  Removes the largest Key, whose value is Value, from Assoc0 and unifies Assoc with the result. Fails if Assoc0
%  is empty.
%
%  ?- list_to_assoc([b-2,a-1], _A), del_max_assoc(_A, K, V, _B), assoc_to_list(_B, Pairs).
%  K = b,
%  V = 2,
%  Pairs = [a-1].

del_max_assoc(Assoc0, Key, Value, Assoc) :-
    assoc_delete_max(Assoc0, Key, Value, Assoc, _).

assoc_delete_max(Assoc0, Key, Value, Assoc, Lower) :-
    assoc_check(Assoc0),
    Assoc0 = t(Key1, Value1, Balance, Left, Right),
    (   Right == t
    ->  Key = Key1,
        Value = Value1,
        Assoc = Left,
        Lower = yes
    ;   assoc_delete_max(Right, Key, Value, Right1, RightLower),
        assoc_right_shrank(RightLower, Balance, Key1, Value1, Left, Right1, Assoc,
                           Lower)
    ).
