% A nonogram of 14 by 14 cells by an automaton for each row and column.
% gnu: benches/constraints/gnu.pl
% uses: benches/constraints/rounds.pl
% rounds: 600, swipl 60, gplc 150, gprolog 150
:- use_module(library(clpfd)).

answer(Rows) :-
    grid(14, 14, Rows),
    columns(Rows, Columns),
    row_clues(RowClues),
    lines(RowClues, Rows),
    column_clues(ColumnClues),
    lines(ColumnClues, Columns),
    flat(Rows, Cells),
    labeling([], Cells).

row_clues([[4],[2,2],[1,1,1,1,2],[1,1,1,1],[1,4,3,1],[1,1,1,1,2],[6,2],[2,2],[8,1],[1,4,2],[2,2],[2,2],[3,3],
           [0]]).

column_clues([[3,1,1],[1,1,1,2],[1,1,1,3],[1,1,3,3],[1,1,4],[1,1,4],[1,1,3,3],[1,1,1,3],[1,1,1,2],[3,1,1],
              [1,3],[2,2],[1,2],[4]]).

grid(0, _, []) :- !.
grid(K, N, [Row|Rows]) :- length(Row, N), Row ins 0..1, K1 is K - 1, grid(K1, N, Rows).

columns([[]|_], []) :- !.
columns(Rows, [Column|Columns]) :- split(Rows, Column, Rest), columns(Rest, Columns).

split([], [], []).
split([[X|Xs]|Rows], [X|Column], [Xs|Rest]) :- split(Rows, Column, Rest).

flat([], []).
flat([Row|Rows], Cells) :- append(Row, Rest, Cells), flat(Rows, Rest).

lines([], []).
lines([Clue|Clues], [Line|Lines]) :-
    blocks(Clue, 0, Arcs, Last),
    automaton(Line, [source(0), sink(Last)], [arc(Last, 0, Last)|Arcs]),
    lines(Clues, Lines).

% White cells, the cells of the block, then a white cell if another block follows.
blocks([Length|Lengths], State, [arc(State, 0, State)|Arcs], Last) :-
    block(Length, State, State1, Arcs, Rest),
    gap(Lengths, State1, Rest, Last).

gap([], State, [], State).
gap([Length|Lengths], State, [arc(State, 0, State1)|Arcs], Last) :-
    State1 is State + 1,
    blocks([Length|Lengths], State1, Arcs, Last).

block(0, State, State, Arcs, Arcs) :- !.
block(N, State0, State, [arc(State0, 1, State1)|Arcs], Rest) :-
    State1 is State0 + 1,
    N1 is N - 1,
    block(N1, State1, State, Arcs, Rest).
