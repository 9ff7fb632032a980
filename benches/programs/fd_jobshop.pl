% Six tasks share a capacity of 4, two of them exclude each other: the earliest end by branch and bound.
% gnu: benches/constraints/gnu.pl
% uses: benches/constraints/rounds.pl
% rounds: 7000, swipl 80
:- use_module(library(clpfd)).

answer(End-Starts) :-
    Starts = [A, B, C, D, E, F],
    Starts ins 0..20,
    End in 0..24,
    tasks(Starts, [4,3,5,2,6,3], [2,3,1,2,2,1], End, Tasks),
    cumulative(Tasks, [limit(4)]),
    A + 4 #=< C,
    B + 3 #=< F,
    (D + 2 #=< E) #\/ (E + 6 #=< D),
    append(Starts, [End], Unknowns),
    labeling([min(End)], Unknowns), !.

tasks([], [], [], _, []).
tasks([S|Starts], [D|Durations], [N|Needs], End, [task(S, D, E, N, 1)|Tasks]) :-
    E #= S + D,
    E #=< End,
    tasks(Starts, Durations, Needs, End, Tasks).
