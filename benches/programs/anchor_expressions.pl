% Expressions known only at run time: one deep to the left, one deep to the right, and a balanced one.

main :-
    left(1000, 1, Left),
    right(1000, Right),
    bushy(5, Bushy),
    rounds(2000, Left, Right, Bushy, 0, Sum),
    write(checksum(Sum)), nl.

rounds(0, _, _, _, Sum, Sum) :- !.
rounds(N, Left, Right, Bushy, Sum0, Sum) :-
    A is Left,
    B is Right,
    C is Bushy,
    Sum1 is (Sum0 + A + B + C) mod 1000003,
    N1 is N - 1,
    rounds(N1, Left, Right, Bushy, Sum1, Sum).

left(0, E, E) :- !.
left(N, E0, E) :-
    N1 is N - 1,
    left(N1, E0 + N, E).

right(0, 1) :- !.
right(N, N - E) :-
    N1 is N - 1,
    right(N1, E).

bushy(0, 3) :- !.
bushy(N, A mod 7 * B + max(A, - B)) :-
    N1 is N - 1,
    bushy(N1, A),
    bushy(N1, B).
