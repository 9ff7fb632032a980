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

% Goals that assume and goals that hide, in turn.
turns(0) :- !.
turns(N) :- M is N-1, {a(N) -<> (a(_), turns(M))}.
turned(0) :- !.
turned(N) :- M is N-1, (a(N) -<> (a(_), {turned(M)})).
states(0, N) :- !, count(N).
states(I, N) :- count(C), D is C+1, J is I-1, (count(D) -<> {b -<> (b, back(J, N))}).
back(_, N) :- N = hidden.
last(0) :- !, left.
last(N) :- M is N-1, (left => {a -<> (a, last(M))}).

% Facts with ever new keys.
fresh(0) :- !.
fresh(N) :- M is N-1, key(N) -<> (key(N), fresh(M)).
fresh_with(0) :- !.
fresh_with(N) :- M is N-1, (key(N) -<> (key(N) & key(N))), fresh_with(M).
kept(G) :- (key(a), key(b), key(c), key(d), key(e), key(f), key(g), key(h), key(i), key(j)) -<> (G, erase).

% Facts about constants that quantifiers make, the oldest used first.
constants(0, Xs) :- !, reverse(Xs, Ys), use_up(Ys).
constants(N, Xs) :- M is N-1, forall X\ (key(X) -<> constants(M, [X|Xs])).
use_up([]).
use_up([X|Xs]) :- key(X), use_up(Xs).
