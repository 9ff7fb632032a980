% Suspended goals: freeze/2 that is woken, dif/2 that stays suspended.
% without: gprolog gplc

main :-
    rounds(170000, 0, Sum),
    write(checksum(Sum)), nl.

rounds(0, Sum, Sum) :- !.
rounds(N, Sum0, Sum) :-
    freeze(X, Y is X + 1),
    dif(f(X, Z), f(0, a)),
    X = N,
    Z = a,
    Sum1 is (Sum0 + Y) mod 1000003,
    N1 is N - 1,
    rounds(N1, Sum1, Sum).
