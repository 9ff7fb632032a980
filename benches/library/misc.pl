% Predicates of Wamlet's library that the program of the cheating linguists needs, for other systems.

:- set_prolog_flag(double_quotes, codes).

otherwise.

count_solutions(Goal, Count) :-
    findall(x, Goal, Solutions),
    length(Solutions, Count).
