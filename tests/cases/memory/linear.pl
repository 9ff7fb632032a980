% Programs for linear.queries.
:- use_module(library(linear)).

conjunction(0, a) :- !.
conjunction(N, (a, G)) :- M is N-1, conjunction(M, G).
alternatives(0, a) :- !.
alternatives(N, (G & G)) :- M is N-1, alternatives(M, G).
all(N) :- conjunction(N, G), (G -<> erase).
any(N) :- alternatives(N, G), (G -<> a).
works :- a -<> b => (a, b).
