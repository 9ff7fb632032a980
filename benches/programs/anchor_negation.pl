% Inline tests: if-then-else, negation as failure, once, on arguments of several kinds.

main :-
    rounds(400000, 0, Sum),
    write(checksum(Sum)), nl.

rounds(0, Sum, Sum) :- !.
rounds(N, Sum0, Sum) :-
    K is N mod 6,
    kind(K, T),
    ( var(T) -> A = 1 ; atom(T) -> A = 2 ; integer(T) -> A = 3 ; A = 4 ),
    ( \+ T = f(_), \+ listed(T) -> B = 1 ; B = 2 ),
    ( once((member_of(X, [1, 2, 3]), X > 1)) -> true ; true ),
    Sum1 is Sum0 + A + B + X,
    N1 is N - 1,
    rounds(N1, Sum1, Sum).

kind(0, _).
kind(1, a).
kind(2, 7).
kind(3, f(x)).
kind(4, [a]).
kind(5, g(_, 1)).

listed(T) :- nonvar(T), T = [_|_].

member_of(X, [X|_]).
member_of(X, [_|Xs]) :- member_of(X, Xs).
