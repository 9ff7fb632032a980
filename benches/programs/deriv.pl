% Symbolic differentiation: switching on the functor of the first argument, building terms.

main :-
    rounds(300000, 0, Size),
    write(checksum(Size)), nl.

rounds(0, Size, Size) :- !.
rounds(N, Size0, Size) :-
    ops(Expr1), d(Expr1, x, D1),
    quotients(Expr2), d(Expr2, x, D2),
    logs(Expr3), d(Expr3, x, D3),
    products(Expr4), d(Expr4, x, D4),
    kind(D1, K1), kind(D2, K2), kind(D3, K3), kind(D4, K4),
    Size1 is Size0 + K1 + K2 + K3 + K4,
    N1 is N - 1,
    rounds(N1, Size1, Size).

ops((x + 1) * ((x ^ 2 + 2) * (x ^ 3 + 3))).
quotients(((((((((x / x) / x) / x) / x) / x) / x) / x) / x) / x).
logs(log(log(log(log(log(log(log(log(log(log(x))))))))))).
products(((((((((x * x) * x) * x) * x) * x) * x) * x) * x) * x).

kind(_ + _, 1).
kind(_ - _, 2).
kind(_ * _, 3).
kind(_ / _, 4).

d(U + V, X, DU + DV) :- !, d(U, X, DU), d(V, X, DV).
d(U - V, X, DU - DV) :- !, d(U, X, DU), d(V, X, DV).
d(U * V, X, DU * V + U * DV) :- !, d(U, X, DU), d(V, X, DV).
d(U / V, X, (DU * V - U * DV) / (V ^ 2)) :- !, d(U, X, DU), d(V, X, DV).
d(U ^ N, X, DU * N * U ^ N1) :- !, integer(N), N1 is N - 1, d(U, X, DU).
d(-(U), X, -(DU)) :- !, d(U, X, DU).
d(exp(U), X, exp(U) * DU) :- !, d(U, X, DU).
d(log(U), X, DU / U) :- !, d(U, X, DU).
d(X, X, 1) :- !.
d(_, _, 0).
