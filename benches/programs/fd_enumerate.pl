% 248,826 solutions of weak constraints, enumerated until the last one. fd_count counts them.
% gnu: benches/constraints/gnu.pl
% uses: benches/constraints/rounds.pl
% rounds: 12, swipl 2
:- use_module(library(clpfd)).

answer(Xs) :- weak(Xs), labeling([], Xs), Xs = [12,12,12,12,12].

weak(Xs) :-
    Xs = [A, B, C, D, E],
    Xs ins 1..12,
    A + B + C + D + E #> 6.
