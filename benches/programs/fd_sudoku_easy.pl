% A sudoku with 36 cells given, all_different/1 and first-fail search: all solutions (there is one).
% gnu: benches/constraints/gnu.pl
% uses: benches/constraints/rounds.pl
% rounds: 10000, swipl 80
:- use_module(library(clpfd)).

answer(Solutions) :- findall(Rows, solved(Rows), Solutions).

solved(Rows) :-
    given(Rows),
    flat(Rows, Cells),
    Cells ins 1..9,
    each(Rows),
    columns(Rows, Columns),
    each(Columns),
    boxes(Rows),
    labeling([ff], Cells).

given([[_,_,7,_,2,_,1,6,_],[_,_,9,4,_,_,3,_,_],[_,1,4,_,_,_,_,2,_],
       [_,4,2,_,_,_,_,3,_],[3,9,8,_,_,4,_,1,6],[_,_,_,_,_,9,4,_,2],
       [_,_,1,_,_,2,_,4,5],[_,_,3,_,4,6,8,7,_],[_,6,_,1,_,8,2,9,_]]).

flat([], []).
flat([Row|Rows], Cells) :- append(Row, Rest, Cells), flat(Rows, Rest).

each([]).
each([Row|Rows]) :- all_different(Row), each(Rows).

columns([[]|_], []) :- !.
columns(Rows, [Column|Columns]) :- split(Rows, Column, Rest), columns(Rest, Columns).

split([], [], []).
split([[X|Xs]|Rows], [X|Column], [Xs|Rest]) :- split(Rows, Column, Rest).

boxes([]).
boxes([Row1, Row2, Row3|Rows]) :- boxes(Row1, Row2, Row3), boxes(Rows).

boxes([], [], []).
boxes([A,B,C|Row1], [D,E,F|Row2], [G,H,I|Row3]) :-
    all_different([A,B,C,D,E,F,G,H,I]),
    boxes(Row1, Row2, Row3).
