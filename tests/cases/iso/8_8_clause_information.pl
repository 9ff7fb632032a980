% Clauses for 8_8_clause_information.queries: a data base of cats, dogs and elks.

:- dynamic(cat/0).
cat.

:- dynamic(dog/0).
dog :- true.

elk(X) :- moose(X).

:- dynamic(legs/2).
legs(A, 6) :- insect(A).
legs(A, 7) :- A, call(A).

:- dynamic(insect/1).
insect(ant).
insect(bee).

:- dynamic(moose/1).

:- dynamic(empty/0).
