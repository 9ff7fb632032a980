% user:exception/3 defines missing predicates and variables.

:- multifile user:exception/3.
:- dynamic user:exception/3, made/1.

user:exception(undefined_global_variable, counter, retry) :- nb_setval(counter, 0).
user:exception(undefined_global_variable, never, retry).
user:exception(undefined_global_variable, wrong, _) :- throw(oops).
user:exception(undefined_predicate, made/1, retry) :- assertz(made(1)), assertz(made(2)).
user:exception(undefined_predicate, later/2, retry) :- assertz((later(X, Y) :- Y is X + 1)).
user:exception(undefined_predicate, other:p/0, retry) :- assertz(other:p).
user:exception(undefined_predicate, wrong/0, _) :- throw(oops).
user:exception(undefined_predicate, never/1, retry).
user:exception(undefined_predicate, refused/0, error).

in_clause(X, Y, Z) :- Z = f(X), nb_getval(counter, Y), X == a.
sum(X, Y) :- later(X, Z), later(Z, Y).
