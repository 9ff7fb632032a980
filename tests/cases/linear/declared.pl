% Linear facts that a file declares, for declared.queries.
:- use_module(library(linear)).

:- linear coin(1), coin(2), coin(5).
:- linear (buy(X) :- coin(X)).
:- initialization((coin(C), assertz(first(C)))).

pay(0).
pay(N) :- N > 0, coin(C), C =< N, M is N-C, pay(M).

% Loops over what newer facts come and go upon.
uses(0) :- !.
uses(N) :- M is N-1, (state(N) -<> state(_)), (other(N) => other(N)), uses(M).
turns(0) :- !.
turns(N) :- M is N-1, state(A), other(B), (state(B) -<> other(A) -<> turns(M)).
:- dynamic state/1.
