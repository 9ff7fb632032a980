% Sudoku as a constraint model.
%
% The puzzle and the form of the answer are those of sudoku.pl, which fills the
% cells one by one and tests each value. The model is our own.
%
% Shows: all_distinct/1 on the rows, columns and blocks, before any value is
% tried. Propagation alone solves this puzzle, so label/1 makes no choice.
%
% A solution is a list of 81 numbers, row after row. Given values are written
% Row/Column/Value.

:- use_module(library(clpfd)).

%% solve(+Given, -Solution)
%
%  Solution has the values of Given and is written row by row.

solve(Given, Solution) :-
    sudoku(Rows),
    maplist(place(Rows), Given),
    append(Rows, Solution),
    label(Solution),
    maplist(write_row, Rows),
    nl.

%% sudoku(-Rows)
%
%  Rows are nine rows of nine variables under the rules of the puzzle.

sudoku(Rows) :-
    length(Rows, 9),
    maplist(same_length(Rows), Rows),
    append(Rows, Cells),
    Cells ins 1..9,
    transpose(Rows, Columns),
    blocks(Rows, Blocks),
    maplist(all_distinct, Rows),
    maplist(all_distinct, Columns),
    maplist(all_distinct, Blocks).

%% blocks(+Rows, -Blocks)
%
%  Blocks are the squares of three by three cells, each as a list.

blocks([], []).
blocks([Row1, Row2, Row3|Rows], Blocks) :-
    band_blocks(Row1, Row2, Row3, Blocks, Blocks1),
    blocks(Rows, Blocks1).

band_blocks([], [], [], Blocks, Blocks).
band_blocks([A,B,C|Row1], [D,E,F|Row2], [G,H,I|Row3], [[A,B,C,D,E,F,G,H,I]|Blocks], Blocks1) :-
    band_blocks(Row1, Row2, Row3, Blocks, Blocks1).

%% place(+Rows, +Given)
%
%  The cell that Given names has its value.

place(Rows, Row/Column/Value) :-
    nth1(Row, Rows, Cells),
    nth1(Column, Cells, Value).

write_row(Row) :-
    atomic_list_concat(Row, ' ', Line),
    write(Line),
    nl.

% The known values of sudoku.pl.
given1([1/4/2, 1/5/3, 1/9/5,
        2/2/4, 2/3/2, 2/5/9, 2/9/3,
        3/1/3, 3/6/8, 3/7/7,
        4/3/7, 4/8/5, 4/9/6,
        5/2/9, 5/4/7, 5/5/2, 5/8/1, 5/9/4,
        6/1/5, 6/4/9,
        7/1/6, 7/6/2, 7/7/8, 7/8/4, 7/9/9,
        8/3/8, 8/6/1, 8/9/7,
        9/1/2, 9/2/5, 9/6/9, 9/7/6]).
