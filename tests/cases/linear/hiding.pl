% Assumptions about a predicate of a library, for hiding.queries.
:- use_module(library(linear)).

start(G) :- last([x], y) -<> G.
plain(X) :- last([1, 2, 3], X).
