% Code of neck/1, after_call/1, in_branch/2, in_condition/1, in_call/1, twice/1, forgotten/2.
neck(X) :- !, p(X).
neck(_).

after_call(X) :- p(X), !, q(X).
after_call(_).

in_branch(X, Y) :- p(X), ( q(X), ! ; Y = 1 ), p(Y).

in_condition(X) :- ( p(X), ! -> q(X) ; true ).

in_call(X) :- call((p(X), !)), q(X).

twice(X) :- p(X), !, q(X), !.

forgotten(X, Y) :- once(p(X)), ignore(q(Y)), \+ p(Y).

p(_).
q(_).
