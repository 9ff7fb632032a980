% The solutions of fd_enumerate counted. GNU Prolog enumerates them to count them.
% gnu: benches/constraints/gnu.pl
% uses: benches/constraints/rounds.pl
% rounds: 1500, swipl 2, gplc 15, gprolog 15
:- use_module(library(clpfd)).

answer(Count) :- weak(Xs), aggregate_all(count, labeling([], Xs), Count).

weak(Xs) :-
    Xs = [A, B, C, D, E],
    Xs ins 1..12,
    A + B + C + D + E #> 6.
