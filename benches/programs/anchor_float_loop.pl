% Products, sums and comparisons of floats, in repeated loops of a million steps.
% note: GNU Prolog collects no garbage: each round is undone before the next

main :-
    rounds(5, Sum),
    write(checksum(Sum)), nl.

rounds(Rounds, Sum) :-
    between(1, Rounds, Round),
    loop(1000000, 1.0, X),
    Round =:= Rounds, !,
    Sum is truncate(X).

loop(0, X, X) :- !.
loop(N, X0, X) :-
    X1 is X0 * 1.000001 + 0.5,
    (   X1 > 1.0e6 -> X2 is X1 - 1.0e6 ; X2 = X1 ),
    N1 is N - 1,
    loop(N1, X2, X).
