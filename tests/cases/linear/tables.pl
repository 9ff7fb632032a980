% Tabled predicates and assumptions: predicates for tables.queries.

:- use_module(library(linear)).
:- dynamic p/1, edge/2.
:- table tp/1, path/2, best(_, min), under/1.

tp(X) :- p(X).

path(X, Y) :- path(X, Z), edge(Z, Y).
path(X, Y) :- edge(X, Y).

best(X, Y) :- p(X-Y).

under(X) :- p(3) => tp(X).
