% Queens: N queens on a board of N by N squares. No queen attacks another.
%
% The problem is of 1848 (Max Bezzel); the program is the usual one.
%
% Shows: counting the solutions of a search that places one queen in each
% column and checks it at once. queens_fd.pl has the same problem as a
% constraint model.
%
% The boards of 4 to 8 rows have 2, 10, 4, 40 and 92 solutions. Mirror images
% and rotations count. The board of 12 rows has 14,200 solutions:
%
%     ?- aggregate_all(count, queens(12, _), Count).
%     Count = 14200.

% queens(+N, -Queens)
% Queens is a list of rows, one for each column.

queens(N, Queens) :-
    numlist(1, N, Rows),
    place(Rows, [], Queens).

% place(+Rows, +Placed, -Queens)
% Rows are the rows without a queen. Placed are the queens so far, the last
% one first.

place([], Queens, Queens).
place([Row|Rows], Placed, Queens) :-
    select(Queen, [Row|Rows], Rest),
    attacks_none(Placed, Queen, 1),
    place(Rest, [Queen|Placed], Queens).

% attacks_none(+Others, +Queen, +Distance)
% Queen is on no diagonal of Others. The first of Others is Distance columns
% away.

attacks_none([], _, _).
attacks_none([Other|Others], Queen, Distance) :-
    Other =\= Queen + Distance,
    Other =\= Queen - Distance,
    Next is Distance + 1,
    attacks_none(Others, Queen, Next).
