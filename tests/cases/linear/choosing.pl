:- use_module(library(linear)).

% Which of several assumptions a goal may use is told from the whole of the first argument: no choice
% point is left for those that do not match.

numerals(G) :- n(0, zero) -<> n(s(0), one) -<> n(s(s(0)), two) -<> n(s(s(s(0))), three) -<> G.

% Consumed in the middle, at the newest and at the oldest end, and put back.
order(Xs) :- numerals(take(4, Xs)).
take(0, []) :- !.
take(N, [X-V|Xs]) :- n(X, V), M is N-1, take(M, Xs).

list(G) :- l([a, b], 1) -<> l([a, c], 2) -<> l([a|_], 3) -<> l([], 4) -<> G.

% Consumed below a choice point, and newer assumptions.
mixed(X, Y) :-
    p(1) -<> p(2) -<> p(3) -<> (
        ( true ; true ), p(X), (p(4) -<> (p(Y), p(_), p(_)))
    ).
