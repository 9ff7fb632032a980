% What is assumed of a predicate that a library has, for hiding.queries.
:- use_module(library(linear)).

start(G) :- last([x], y) -<> G.
plain(X) :- last([1, 2, 3], X).
