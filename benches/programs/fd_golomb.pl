% Shortest Golomb rulers of 6, 7 and 8 marks by branch and bound.
% gnu: benches/constraints/gnu.pl
% uses: benches/constraints/rounds.pl
% rounds: 20, swipl 1
:- use_module(library(clpfd)).

answer([Six, Seven, Eight]) :- shortest(6, 20, Six), shortest(7, 30, Seven), shortest(8, 40, Eight).

shortest(N, Longest, Marks) :-
    length(Marks, N),
    Marks ins 0..Longest,
    Marks = [0|_],
    append(_, [Last], Marks),
    rising(Marks),
    distances(Marks, Distances),
    Distances ins 1..Longest,
    all_different(Distances),
    Distances = [FirstGap|_],
    append(_, [LastGap], Distances),
    FirstGap #< LastGap,
    labeling([min(Last)], Marks), !.

rising([_]).
rising([X,Y|Ys]) :- X #< Y, rising([Y|Ys]).

distances([_], []).
distances([Mark|Marks], Distances) :- from(Marks, Mark, Distances, Rest), distances(Marks, Rest).

from([], _, Rest, Rest).
from([Other|Others], Mark, [D|Ds], Rest) :- D #= Other - Mark, from(Others, Mark, Ds, Rest).
