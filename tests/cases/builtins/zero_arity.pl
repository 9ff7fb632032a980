% Compounds without arguments, as data, heads and goals.
:- dynamic p/0, kept/1.
q() :- r(), s(foo()).
r().
s(X) :- X = foo().
p().
data(foo(), 1).
data(foo, 2).
data(foo(_), 3).
data(bar(), 4).
data([], 5).
data([](), 6).
first([foo()|T], T).
loop(0, L, L) :- !.
loop(N, L, R) :- M is N - 1, loop(M, [foo(), foo(N)|L], R).
digits() --> [d].
:- initialization(nb_setval(zero, f(foo()))).
