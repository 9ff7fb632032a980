% Clauses for properties.queries.

:- dynamic(cat/1).
cat(felix).
cat(tom) :- true.
cat(X) :- tame(X), \+ dog(X).

elk(_).

:- dynamic(unicorn/1).
