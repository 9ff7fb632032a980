% Code of tak/4, fib/2, factorial/2, poly/2, kinds/2.
tak(X, Y, Z, A) :- X =< Y, !, Z = A.
tak(X, Y, Z, A) :-
    X1 is X - 1,
    Y1 is Y - 1,
    Z1 is Z - 1,
    tak(X1, Y, Z, A1),
    tak(Y1, Z, X, A2),
    tak(Z1, X, Y, A3),
    tak(A1, A2, A3, A).

fib(0, 0).
fib(1, 1).
fib(N, F) :-
    N > 1,
    N1 is N - 1,
    N2 is N - 2,
    fib(N1, F1),
    fib(N2, F2),
    F is F1 + F2.

factorial(N, F) :- ( N =:= 0 -> F = 1 ; N1 is N - 1, factorial(N1, F1), F is N * F1 ).

poly(X, Y) :- Y is 3 * X ** 2 - 40000 * X + 1.5.

kinds(X, Y) :- Y is max(abs(X), X mod 7) // 2 + e.
