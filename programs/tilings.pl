% Domino tilings: dominoes cover a board, and each covers two squares side by
% side.
%
% Shows: a search that always covers the first free square, so it finds each
% tiling once. The declaration count_memo makes Wamlet remember counts: it counts
% the tilings of the remaining squares once for each set of squares.
% tilings_linear.ll has the same problem in Lolli.
%
% The board of 4 by 4 squares has 36 tilings, the board of 6 by 6 has 6,728.
% A chess board has 12,988,816 (Fisher, Temperley and Kasteleyn, 1961):
%
%     ?- aggregate_all(count, tiling(8, 8), Count).
%     Count = 12988816.

% tiling(+Rows, +Columns)
% Dominoes cover the board of Rows by Columns squares. True once for each
% tiling.

tiling(Rows, Columns) :-
    board(Rows, Columns, Squares),
    cover(Squares).

% board(+Rows, +Columns, -Squares)
% Squares are the squares of the board, row by row.

board(Rows, Columns, Squares) :-
    findall(Row/Column, ( between(1, Rows, Row), between(1, Columns, Column) ), Squares).

:- count_memo cover/1.

% cover(+Squares)
% Dominoes cover Squares, the squares that are free. The first one has no free
% square on its left or above it.

cover([]).
cover([Square|Squares]) :-
    beside(Square, Other),
    select(Other, Squares, Rest),
    cover(Rest).

% beside(+Square, -Other)
% Other is the next square on the right, or the next one below.

beside(Row/Column, Row/Right) :-
    Right is Column + 1.
beside(Row/Column, Below/Column) :-
    Below is Row + 1.
