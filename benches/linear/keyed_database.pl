:- dynamic(item/2).

take_all(0, N, Sum0, Sum) :- !, take(N, 1, N, Sum0, Sum).
take_all(I, N, Sum0, Sum) :- J is I - 1, asserta(item(J, I)), take_all(J, N, Sum0, Sum).

take(0, _, _, Sum, Sum) :- !.
take(I, K, N, Sum0, Sum) :-
    retract(item(K, V)), !,
    Sum1 is (Sum0 * 3 + V) mod 1000003,
    next_key(K, N, L),
    J is I - 1,
    take(J, L, N, Sum1, Sum).
