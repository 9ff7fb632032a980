% Clauses that are compiled while the flag occurs_check is true: for occurs_check.queries.
:- set_prolog_flag(occurs_check, true).

pair(X, f(X)).

tail(X, [X|T], T).

equal(X, Y) :- X = f(Y).

differ(X, Y) :- X \= Y.

:- dynamic stored/2.
stored(X, h(X)).

% Simple types of lambda terms: without occurs check self-application has one.
type(Types, var(X), T) :- member(X-T, Types).
type(Types, lam(X, E), S->T) :- type([X-S|Types], E, T).
type(Types, app(F, E), T) :- type(Types, F, S->T), type(Types, E, S).

:- set_prolog_flag(occurs_check, false).

free(X, f(X)).

with(Value, Goal) :-
    setup_call_cleanup(
        set_prolog_flag(occurs_check, Value),
        once(Goal),
        set_prolog_flag(occurs_check, false)).
