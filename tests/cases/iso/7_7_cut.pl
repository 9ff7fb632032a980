% Clauses for 7_7_cut.queries.

first(X) :- item(X), !.
first(none).

item(1).
item(2).
item(3).

neck(1) :- !, fail.
neck(2).
neck(_).

kind(X, small) :- X < 10, !.
kind(X, large) :- X > 100, !.
kind(_, middle).

inside(X, Y) :- item(X), ( X > 1, ! ; fail ), item(Y).

guarded(X, Y) :- ( item(X), X > 1 -> item(Y) ; Y = none ).

called(X) :- item(X), call(!).

negated(X) :- item(X), \+ \+ ( !, true ).

in_findall(Xs) :- item(Y), findall(X, ( item(X), ! ), Zs), Xs = Y-Zs.

caught(X) :- item(X), catch(!, _, true).

variable_goal(G, X) :- item(X), G.

after_fail(X) :- item(X), X >= 2, !, X >= 3.
after_fail(9).

deep(0) :- !.
deep(N) :- N1 is N - 1, deep(N1).

twice(X) :- item(X), !, item(_), !.
