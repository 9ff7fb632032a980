% Programs for loops.queries.
:- use_module(library(linear)).

many(0, N) :- !, eat(N).
many(I, N) :- J is I-1, k(I) -<> many(J, N).
eat(0) :- !.
eat(N) :- k(N), M is N-1, eat(M).

load(0).
load(N) :- N > 0, M is N-1, item(N) => load(M).

scopes(0) :- !.
scopes(N) :- (a -<> ({true}, a)), M is N-1, scopes(M).
bangs(0) :- !.
bangs(N) :- M is N-1, {bangs(M)}.
nested(0) :- !.
nested(N) :- M is N-1, a(N) -<> (a(_), nested(M)).
cuts(0) :- !.
cuts(N) :- (a -<> (b => ((a ; fail), b, !))), M is N-1, cuts(M).
