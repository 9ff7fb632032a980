% Sudoku with irregular blocks, as a constraint model.
%
% The puzzle and the form of the answer are those of sudoku_jigsaw.pl, whose
% search takes 900 million inferences. The model is our own.
%
% Shows: blocks drawn as a map, from which the program collects the cells of
% each block; all_distinct/1 on a puzzle that needs search. label/1 tries the
% cells in order, so the first solution is that of the original.
%
% A solution is a list of 81 numbers, row after row. Given values are written
% Row/Column/Value.

:- use_module(library(clpfd)).

%% solve(+Given, -Solution)
%
%  Solution has the values of Given and is written row by row.

solve(Given, Solution) :-
    jigsaw(Rows),
    maplist(place(Rows), Given),
    append(Rows, Solution),
    label(Solution),
    maplist(write_row, Rows),
    nl.

%% jigsaw(-Rows)
%
%  Rows are nine rows of nine variables under the rules of the puzzle.

jigsaw(Rows) :-
    block_map(Map),
    maplist(same_length, Map, Rows),
    append(Rows, Cells),
    Cells ins 1..9,
    transpose(Rows, Columns),
    append(Map, Names),
    named_blocks(Names, Cells, Blocks),
    maplist(all_distinct, Rows),
    maplist(all_distinct, Columns),
    maplist(all_distinct, Blocks).

%% named_blocks(+Names, +Cells, -Blocks)
%
%  Blocks are lists of those Cells that have the same name among Names.

named_blocks(Names, Cells, Blocks) :-
    pairs_keys_values(Pairs, Names, Cells),
    keysort(Pairs, Sorted),
    group_pairs_by_key(Sorted, Groups),
    pairs_values(Groups, Blocks).

% Green, red, light purple, orange, yellow, cyan, pink, blue and dark purple.
block_map([[g,g,g,g,g,g,g,g,g],
           [r,l,l,l,l,l,l,o,o],
           [r,r,y,l,l,l,c,o,o],
           [r,y,y,y,c,c,c,o,o],
           [r,r,y,y,c,c,p,p,o],
           [r,y,y,y,c,p,p,o,o],
           [r,r,b,b,c,c,p,p,p],
           [b,b,b,b,d,d,d,p,p],
           [b,b,b,d,d,d,d,d,d]]).

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

given2([1/1/3, 1/6/2, 1/9/1,
        2/3/5,
        3/1/9, 3/4/7, 3/6/6, 3/8/2,
        4/3/8, 4/9/6,
        5/1/2, 5/3/9, 5/5/6, 5/6/4,
        6/4/5, 6/7/1, 6/8/3,
        7/2/5, 7/9/2,
        8/1/1, 8/4/4, 8/5/8, 8/7/2, 8/8/9,
        9/2/8, 9/5/3]).
