% sort/2 of 200,000 random integers.

main :-
    numbers(200000, 12345, Numbers),
    rounds(8, Numbers, 0, Sum),
    write(checksum(Sum)), nl.

rounds(0, _, Sum, Sum) :- !.
rounds(N, Numbers, Sum0, Sum) :-
    sort([N|Numbers], Sorted),
    length(Sorted, Length),
    Sum1 is Sum0 + Length,
    N1 is N - 1,
    rounds(N1, Numbers, Sum1, Sum).

numbers(0, _, []) :- !.
numbers(N, X, [X|Xs]) :-
    Y is (X * 1103515245 + 12345) mod 2147483648,
    N1 is N - 1,
    numbers(N1, Y, Xs).
