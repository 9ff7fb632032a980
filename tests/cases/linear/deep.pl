% Programs for deep.queries.
:- use_module(library(linear)).

% Quantifiers in each other, as a term.
universal(0, true) :- !.
universal(N, forall _\ G) :- M is N-1, universal(M, G).
existential(0, true) :- !.
existential(N, exists _\ G) :- M is N-1, existential(M, G).
turns(0, true) :- !.
turns(N, forall X\ (p(X) => exists Y\ (p(Y), G))) :- M is N-1, turns(M, G).
implied(0, true) :- !.
implied(N, forall X\ (p(X) => forall Y\ (q(X, Y) => G))) :- M is N-1, implied(M, G).

% In clauses: a variable of a name that a quantifier within binds anew.
shadowed(X, Y) :- forall X\ (p(X) -<> exists X\ p(X)), Y = X.
twice(X) :- X = 1, (exists X\ X = 2), (exists X\ (X = 3, (p(X) -<> p(3)))).
kept(X) :- (forall Y\ (p(X, Y) -<> p(X, Y))), X = a.
out(X) :- forall Y\ X = Y.
inner(F) :- forall X\ ((q(Z) :- r(Z, X)) -<> (r(1, X) -<> q(F))).

% Implications on the left of each other: provable for odd numbers of them.
odd :- ((((((((((((((((((((a -<> a) -<> a) -<> a) -<> a) -<> a) -<> a) -<> a) -<> a) -<> a) -<> a) -<> a)
    -<> a) -<> a) -<> a) -<> a) -<> a) -<> a) -<> a) -<> a) -<> a) -<> a.
even :- (((((((((((((((((((((a -<> a) -<> a) -<> a) -<> a) -<> a) -<> a) -<> a) -<> a) -<> a) -<> a) -<> a)
    -<> a) -<> a) -<> a) -<> a) -<> a) -<> a) -<> a) -<> a) -<> a) -<> a) -<> a.
deep(N, X) :- deep(N, X, (b(X) :- c(X)), G), c(1) -<> G.
deep(0, X, D, (D -<> b(X))) :- !.
deep(N, X, D, G) :- M is N-1, deep(M, X, (b(X) :- (D -<> b(X))), G).

% Clauses that are assumed as terms.
numeral(0, z) :- !.
numeral(N, s(X)) :- M is N-1, numeral(M, X).
moved(N, R) :-
    numeral(N, X),
    G = ((forall A\ forall B\ forall C\ (d(s(A), B, C) :- d(A, s(B), C))) => (forall B\ d(z, B, B)) => d(X, z, R)),
    call(G).
