% Latin squares: all 56 of order 5 with the first row and column in order, all 576 of order 4.
% gnu: benches/constraints/gnu.pl
% uses: benches/constraints/rounds.pl
% rounds: 500, swipl 8
:- use_module(library(clpfd)).

answer(Five-Four) :-
    findall(x, ( square(5, Rows, Cells), Rows = [[1,2,3,4,5]|_], firsts(Rows, [1,2,3,4,5]),
                 labeling([ff], Cells) ), Fives),
    length(Fives, Five),
    findall(x, ( square(4, _, Cells), labeling([], Cells) ), Fours),
    length(Fours, Four).

square(N, Rows, Cells) :- rows(N, N, Rows), columns(Rows), flat(Rows, Cells).

rows(0, _, []) :- !.
rows(K, N, [Row|Rows]) :-
    length(Row, N),
    Row ins 1..N,
    all_distinct(Row),
    K1 is K - 1,
    rows(K1, N, Rows).

columns([[]|_]) :- !.
columns(Rows) :- split(Rows, Column, Rest), all_distinct(Column), columns(Rest).

split([], [], []).
split([[X|Xs]|Rows], [X|Column], [Xs|Rest]) :- split(Rows, Column, Rest).

firsts([], []).
firsts([[X|_]|Rows], [X|Xs]) :- firsts(Rows, Xs).

flat([], []).
flat([Row|Rows], Cells) :- append(Row, Rest, Cells), flat(Rows, Rest).
