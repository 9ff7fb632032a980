% Goals of dynamic predicates that no clause fits: for unproved.queries.
:- use_module(library(linear)).
:- dynamic door/1, lamp/1, never_stored/0.

door(1).

enter(X) :- key, lamp(X).
