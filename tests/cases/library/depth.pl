% Programs for depth.queries.

:- dynamic stored/1.

down(0).
down(N) :- N > 0, M is N-1, down(M).

'$down'(0).
'$down'(N) :- N > 0, M is N-1, '$down'(M).

up(0) :- !.
up(N) :- M is N-1, up(M), true.

a :- b, c.
b.
c :- d.
d :- atom_length(abc, _).

either(1).
either(2) :- down(20).
either(3).

last(1).
last(2).
last(3) :- down(20).

left(X, Y) :- left(X, Z), edge(Z, Y).
left(X, Y) :- edge(X, Y).

edge(1, 2).
edge(2, 3).
