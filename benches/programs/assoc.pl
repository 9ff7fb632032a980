% AVL trees in plain Prolog: 30,000 insertions and as many look-ups by comparison of terms.

main :-
    insert_all(30000, 1, t, Tree),
    look_up_all(60000, 1, Tree, 0, Sum),
    write(checksum(Sum)), nl.

insert_all(0, _, Tree, Tree) :- !.
insert_all(N, Key, Tree0, Tree) :-
    insert(Tree0, key(Key), N, Tree1, _),
    next_key(Key, Key1),
    N1 is N - 1,
    insert_all(N1, Key1, Tree1, Tree).

look_up_all(0, _, _, Sum, Sum) :- !.
look_up_all(N, Key, Tree, Sum0, Sum) :-
    ( look_up(Tree, key(Key), Value) -> Sum1 is Sum0 + Value ; Sum1 is Sum0 + 1 ),
    next_key(Key, Key1),
    N1 is N - 1,
    look_up_all(N1, Key1, Tree, Sum1, Sum).

next_key(Key, Next) :-
    Next is (Key * 25173 + 13849) mod 65536.

look_up(t(K, V, _, L, R), Key, Value) :-
    compare(Order, Key, K),
    look_up(Order, V, L, R, Key, Value).

look_up(=, V, _, _, _, V).
look_up(<, _, L, _, Key, Value) :- look_up(L, Key, Value).
look_up(>, _, _, R, Key, Value) :- look_up(R, Key, Value).

insert(t, Key, Value, t(Key, Value, <, t, t), yes).
insert(t(K, V, B, L, R), Key, Value, Tree, Taller) :-
    compare(Order, Key, K),
    insert(Order, t(K, V, B, L, R), Key, Value, Tree, Taller).

insert(=, t(K, _, B, L, R), K, Value, t(K, Value, B, L, R), no).
insert(<, t(K, V, B, L, R), Key, Value, Tree, Taller) :-
    insert(L, Key, Value, L1, LeftTaller),
    rebalance(LeftTaller, left, B, K, V, L1, R, Tree, Taller).
insert(>, t(K, V, B, L, R), Key, Value, Tree, Taller) :-
    insert(R, Key, Value, R1, RightTaller),
    rebalance(RightTaller, right, B, K, V, L, R1, Tree, Taller).

% Balance: < both sides equal, l left deeper, r right deeper.
rebalance(no, _, B, K, V, L, R, t(K, V, B, L, R), no).
rebalance(yes, left, <, K, V, L, R, t(K, V, l, L, R), yes).
rebalance(yes, left, r, K, V, L, R, t(K, V, <, L, R), no).
rebalance(yes, left, l, K, V, L, R, Tree, no) :- rotate_right(L, K, V, R, Tree).
rebalance(yes, right, <, K, V, L, R, t(K, V, r, L, R), yes).
rebalance(yes, right, l, K, V, L, R, t(K, V, <, L, R), no).
rebalance(yes, right, r, K, V, L, R, Tree, no) :- rotate_left(R, K, V, L, Tree).

rotate_right(t(K1, V1, l, A, B), K, V, C, t(K1, V1, <, A, t(K, V, <, B, C))).
rotate_right(t(K1, V1, r, A, t(K2, V2, B2, B, C)), K, V, D,
             t(K2, V2, <, t(K1, V1, BL, A, B), t(K, V, BR, C, D))) :-
    after_double(B2, BL, BR).

rotate_left(t(K1, V1, r, B, C), K, V, A, t(K1, V1, <, t(K, V, <, A, B), C)).
rotate_left(t(K1, V1, l, t(K2, V2, B2, B, C), D), K, V, A,
            t(K2, V2, <, t(K, V, BL, A, B), t(K1, V1, BR, C, D))) :-
    after_double(B2, BL, BR).

after_double(<, <, <).
after_double(l, <, r).
after_double(r, l, <).
