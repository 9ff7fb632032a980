% What Wamlet's library gives to the program of the cheating linguists, for systems without it.

:- set_prolog_flag(double_quotes, codes).

otherwise.

count_solutions(Goal, Count) :-
    findall(x, Goal, Solutions),
    length(Solutions, Count).
