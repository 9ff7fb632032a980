% findall/3 of 300,000 integers, twenty times.

main :-
    rounds(20, 0, Sum),
    write(checksum(Sum)), nl.

rounds(0, Sum, Sum) :- !.
rounds(N, Sum0, Sum) :-
    findall(X, between(1, 300000, X), [First|_]),
    Sum1 is Sum0 + First,
    N1 is N - 1,
    rounds(N1, Sum1, Sum).
