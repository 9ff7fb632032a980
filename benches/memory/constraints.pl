% Memory that constraints use: see docs/memory.md. A small scheduling goal is solved N times in a deterministic
% loop, so only collections free memory. Run each N in a separate process:
%
%     wamlet -g "figure(schedules(1000000)),halt" benches/memory/constraints.pl
%     swipl -q -g "figure(schedules(1000)),halt" benches/memory/constraints.pl

:- use_module(library(clpfd)).
:- discontiguous(program/2).
:- include(figures).

program(schedules(N), schedules(N)).

schedules(0) :- !.
schedules(N) :- schedule(_), N1 is N-1, schedules(N1).

schedule([A,B,C]) :-
    [A,B,C] ins 0..9,
    [EndA,EndB,EndC] ins 0..12,
    cumulative([task(A,2,EndA,1,1),task(B,3,EndB,1,2),task(C,2,EndC,1,3)], [limit(1)]),
    A + 2 #=< C,
    labeling([], [A,B,C]), !.
