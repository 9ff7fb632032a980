:- module(local_names, []).

:- use_module(library(aggregate)).

% Names of libraries and of the system that this module defines itself, further down.
before([A,B,C,D]) :-
    aggregate_all(count, p(x), A),
    distinct(p(y), B),
    apply(f, [C]),
    findnsols(1, X, p(X), D).

aggregate_all(What, Goal, own(What, Goal)).
distinct(Goal, own(Goal)).
apply(Closure, [own(Closure)]).
findnsols(Count, _, Goal, own(Count, Goal)).
