% A module of predicates that take goals and other arguments of the module of their caller.

:- module(goal_taker, [collect/3, with_each/2, define/2, context/2, accepts/2, sorted/3, own/1]).

:- meta_predicate collect(?, 0, -).
:- meta_predicate with_each(1, ?).
:- meta_predicate define(:, ?).
:- meta_predicate context(:, -).
:- meta_predicate accepts(//, ?).
:- meta_predicate sorted(?, ^, -).

item(of_goal_taker).

collect(Term, Goal, List) :- findall(Term, Goal, List).

with_each(_, []).
with_each(Goal, [X|Xs]) :- call(Goal, X), with_each(Goal, Xs).

define(Module:Head, Body) :- assertz((Module:Head :- Body)).

context(Module:Plain, Module-Plain).

accepts(Body, List) :- phrase(Body, List).

sorted(Term, Goal, List) :- setof(Term, Goal, List).

own(Given) :- Goal = item(_), context(Goal, Given).
