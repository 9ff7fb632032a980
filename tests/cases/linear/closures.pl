% Assumed clauses with bodies, for closures.queries: compiled, over the variables around them.
:- use_module(library(linear)).

:- dynamic(note/1).

% Variables of the clause around are shared, those of the quantifier are each use's own.
double(N, X) :- (forall Y\ (twice(Y) :- Y is 2*N)) => (twice(X), twice(X)).
shared(X, Y) :- (p(X) :- q(X)) => (q(1) => (p(X), p(Y))).
once_only(X) :- (forall Y\ (r(Y) :- member(Y, [1, 2, 3]))) -<> r(X).
twice_used(X) :- (forall Y\ (r(Y) :- member(Y, [1, 2, 3]))) -<> (r(X), r(_)).

% A clause that assumes in its turn, over variables of both clauses around it.
nested(A, B, Z) :-
    (forall X\ (outer(X) :- (forall Y\ (inner(Y) :- Y = X-A-B)) -<> inner(Z))) => outer(c).

% Cuts in an assumed clause are its own.
cut(X) :- (forall Y\ (c(Y) :- member(Y, [1, 2, 3]), !)) => (c(0) => (c(X))).
base(0).
count(0).
count(N) :- N > 0, M is N-1, (forall X\ (level(X) :- X =< N)) -<> (level(0), count(M)).

% Many variables, and a body that must not use anything linear.
many(A, B, C, D, E, S) :- (sum(S) :- S is A+B+C+D+E) -<> sum(S).
banged(X) :- (q => p) => (X -<> p).

% Clauses made at run time.
later(N, X) :- assertz((note(X0) :- (forall Y\ (f(Y) :- Y is N+1)) => f(X0))), note(X), retract((note(_) :- _)).
