:- use_module(goal_taker).

:- meta_predicate here(:, -).

item(of_user).
pair(b, 1).
pair(a, 2).

greeting --> [hello], name.
name --> [world].

in_clause(List) :- collect(X, item(X), List).
by_variable(List) :- Goal = item(X), collect(X, Goal, List).
here(Module:Plain, Module-Plain).
