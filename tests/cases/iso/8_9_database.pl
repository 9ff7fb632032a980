% Clauses for 8_9_database.queries.

:- dynamic(legs/2).
legs(A, 4) :- animal(A).
legs(octopus, 8).
legs(A, 6) :- insect(A).
legs(spider, 8).
legs(B, 2) :- bird(B).

:- dynamic(insect/1).
insect(ant).
insect(bee).

:- dynamic(bird/1).
:- dynamic(animal/1).

:- dynamic(foo/1).
foo(X) :- call(X), call(X).
foo(X) :- call(X) -> call(X) ; true.

:- dynamic(seen/1).

fixed(1).

:- dynamic(num/1).
num(1).
num(2).
num(3).

grow(X) :- num(X), Y is X + 10, assertz(num(Y)).

shrink(X) :- num(X), retract(num(X)).
