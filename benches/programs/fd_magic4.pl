% Magic squares of order 4 with two cells given: all 48, and the first in order.
% gnu: benches/constraints/gnu.pl
% uses: benches/constraints/rounds.pl
% rounds: 120, swipl 6
:- use_module(library(clpfd)).

answer(Count-First) :-
    findall(Cells, ( magic(Cells), labeling([ff], Cells) ), Squares),
    length(Squares, Count),
    sort(Squares, [First|_]).

magic([A,B,C,D,E,F,G,H,I,J,K,L,M,N,O,P]) :-
    Cells = [A,B,C,D,E,F,G,H,I,J,K,L,M,N,O,P],
    Cells ins 1..16,
    all_different(Cells),
    A + B + C + D #= 34, E + F + G + H #= 34, I + J + K + L #= 34, M + N + O + P #= 34,
    A + E + I + M #= 34, B + F + J + N #= 34, C + G + K + O #= 34, D + H + L + P #= 34,
    A + F + K + P #= 34, D + G + J + M #= 34,
    A #= 1, B #= 15.
