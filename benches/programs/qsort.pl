% Quicksort of 50 numbers with difference lists: partition by comparison, cuts.

main :-
    numbers(50, 27, List),
    rounds(45000, List, 0, Sum),
    write(checksum(Sum)), nl.

rounds(0, _, Sum, Sum) :- !.
rounds(N, List, Sum0, Sum) :-
    sorted(List, [Least|_], []),
    Sum1 is Sum0 + Least,
    N1 is N - 1,
    rounds(N1, List, Sum1, Sum).

sorted([], R, R).
sorted([X|L], R, R0) :-
    split(L, X, L1, L2),
    sorted(L2, R1, R0),
    sorted(L1, R, [X|R1]).

split([], _, [], []).
split([X|L], Y, [X|L1], L2) :-
    X =< Y, !,
    split(L, Y, L1, L2).
split([X|L], Y, L1, [X|L2]) :-
    split(L, Y, L1, L2).

numbers(0, _, []) :- !.
numbers(N, X, [X|Rest]) :-
    Y is (X * 31 + 11) mod 97,
    N1 is N - 1,
    numbers(N1, Y, Rest).
