% Programs for connectives.queries.
:- use_module(library(linear)).
:- dynamic known/0.

% Hamiltonian paths by using vertices up.
edge(1, 2). edge(2, 3). edge(3, 4). edge(4, 1). edge(1, 3). edge(2, 4).
next(A, B) :- edge(A, B) ; edge(B, A).
path(P) :- (v(1), v(2), v(3), v(4)) -<> (v(A), walk(A, P)).
walk(A, [A]).
walk(A, [A|P]) :- next(A, B), v(B), walk(B, P).

s(0).
s(1).
