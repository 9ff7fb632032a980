% Fibonacci numbers by double recursion: calls, comparison and arithmetic, nothing else.

main :-
    fib(33, F),
    write(checksum(F)), nl.

fib(N, F) :-
    N < 2, !,
    F = N.
fib(N, F) :-
    N1 is N - 1,
    N2 is N - 2,
    fib(N1, F1),
    fib(N2, F2),
    F is F1 + F2.
