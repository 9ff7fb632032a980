% SEND + MORE = MONEY: all solutions (there is one).
% gnu: benches/constraints/gnu.pl
% uses: benches/constraints/rounds.pl
% rounds: 35000, swipl 300
:- use_module(library(clpfd)).

answer(Solutions) :- findall(Letters, ( puzzle(Letters), labeling([], Letters) ), Solutions).

puzzle(Letters) :-
    Letters = [S, E, N, D, M, O, R, Y],
    Letters ins 0..9,
    all_different(Letters),
    1000 * S + 100 * E + 10 * N + D + 1000 * M + 100 * O + 10 * R + E #=
        10000 * M + 1000 * O + 100 * N + 10 * E + Y,
    S #\= 0,
    M #\= 0.
