% Predicates for the queries beside.

even(X) :- 0 is X mod 2.

add(X, S0, S) :- S is S0 + X.

pair(X, Y, Ps, [X-Y|Ps]).

six(_, _, _, _, _, _).

compared(P, X, O) :- compare(O, X, P).

wrong(_, x).

half(X, Y) :- 0 is X mod 2, Y is X // 2.
