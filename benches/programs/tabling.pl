% Tabling: paths in a graph with cycles by left recursion, numbers by double recursion.
% without: gprolog gplc

:- table path/2.
:- table fib/2.

main :-
    findall(X - Y, path(X, Y), Pairs),
    length(Pairs, Count),
    fib(1200, F),
    Check is Count * 1000003 + F mod 1000003,
    write(checksum(Check)), nl.

path(X, Y) :- path(X, Z), edge(Z, Y).
path(X, Y) :- edge(X, Y).

% Two rings of 200 that meet in one node.
edge(X, Y) :- between(0, 199, X), Y is (X + 1) mod 200.
edge(X, Y) :- between(200, 399, X), Y is 200 + (X + 7) mod 200.
edge(0, 200).

fib(0, 0).
fib(1, 1).
fib(N, F) :-
    N > 1,
    N1 is N - 1,
    N2 is N - 2,
    fib(N1, F1),
    fib(N2, F2),
    F is F1 + F2.
