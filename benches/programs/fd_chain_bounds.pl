% Propagation of bounds: 300 variables in rising order are cut at both ends. Then two variables below each
% other lose 20,000 values in steps of one.
% gnu: benches/constraints/gnu.pl
% uses: benches/constraints/rounds.pl
% rounds: 150, swipl 1
:- use_module(library(clpfd)).

answer(Sum-Reply) :-
    length(Xs, 300),
    Xs ins 0..1500,
    rising(Xs),
    above(Xs, 0),
    Xs = [First|_],
    append(_, [Last], Xs),
    Last #=< 1198,
    First #>= 1,
    sum(Xs, #>, 0),
    labeling([down], Xs), !,
    sum(Xs, #=, Sum),
    ( X in 0..20000, Y in 0..20000, X #< Y, Y #< X -> Reply = yes ; Reply = no ).

rising([_]).
rising([X,Y|Ys]) :- X #< Y, rising([Y|Ys]).

above([], _).
above([X|Xs], Bound) :- X #> Bound, Bound1 is Bound + 3, above(Xs, Bound1).
