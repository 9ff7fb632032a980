% Clauses that are formulas, for formulas.queries.
:- use_module(library(linear)).

% Two clauses, and with a body.
(p(1) & p(2)).
(both(X) & either(X)) :- number(X).
p(3).

% Quantified clauses.
forall Y\ q(Y, Y).
forall X\ forall Y\ (pair(X, Y) :- X = a, Y = b).
forall X\ (small(X) & forall Z\ (smaller(X, Z) :- Z > X) :- X < 3).

% Without linear assumptions.
look(X) <= item(X).
take(X) :- item(X).
(item(X), in_stock(X)) -<> sell(X).
stock(X) => known(X).

% Nearest to the head first.
(chain(X) :- member(X, [1, 2, 3])) :- X = 2.
member(X, [2, 3]) -<> (member(X, [1, 2]) -<> crossed(X)).

:- linear forall Y\ any(Y).
:- linear (one(1) & one(2)).
:- linear (from(X) <= stock(X)).
stock(1).
in_stock(_).
