% msort/2 and length/2 of short lists.

main :-
    rounds(150000, 12345, 0, Sum),
    write(checksum(Sum)), nl.

rounds(0, _, Sum, Sum) :- !.
rounds(N, Seed, Sum0, Sum) :-
    numbers(20, Seed, Seed1, Numbers),
    msort(Numbers, Sorted),
    length(Sorted, Length),
    Sorted = [Least|_],
    Sum1 is (Sum0 + Least + Length) mod 1000003,
    N1 is N - 1,
    rounds(N1, Seed1, Sum1, Sum).

numbers(0, X, X, []) :- !.
numbers(N, X, Z, [X|Xs]) :-
    Y is (X * 25173 + 13849) mod 65536,
    N1 is N - 1,
    numbers(N1, Y, Z, Xs).
