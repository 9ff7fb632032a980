% Takeuchi's function: recursion with four calls, comparison and integer arithmetic.

main :-
    rounds(6, 0, Sum),
    write(checksum(Sum)), nl.

rounds(0, Sum, Sum) :- !.
rounds(N, Sum0, Sum) :-
    tak(24, 16, 8, A),
    Sum1 is Sum0 + A,
    N1 is N - 1,
    rounds(N1, Sum1, Sum).

tak(X, Y, Z, A) :-
    X =< Y, !,
    A = Z.
tak(X, Y, Z, A) :-
    X1 is X - 1,
    Y1 is Y - 1,
    Z1 is Z - 1,
    tak(X1, Y, Z, A1),
    tak(Y1, Z, X, A2),
    tak(Z1, X, Y, A3),
    tak(A1, A2, A3, A).
