% A small schedule, solved repeatedly in one deterministic loop. Memory must become free without backtracking.
% gnu: benches/constraints/gnu.pl
% rounds: 30000, swipl 300
:- use_module(library(clpfd)).

main :- rounds(N), repeated(N, none, Last), write(checksum(Last)), nl.

repeated(0, Last, Last) :- !.
repeated(N, _, Last) :- schedule(Starts), N1 is N - 1, repeated(N1, Starts, Last).

schedule(Starts) :-
    Starts = [A, B, C],
    Starts ins 0..9,
    [EndA, EndB, EndC] ins 0..12,
    cumulative([task(A, 2, EndA, 1, 1), task(B, 3, EndB, 1, 2), task(C, 2, EndC, 1, 3)], [limit(1)]),
    A + 2 #=< C,
    labeling([], Starts), !.
