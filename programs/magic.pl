% Magic squares: the numbers 1 to N * N in a square. All rows, all columns and
% both diagonals have the same sum.
%
% Shows: the order of a search. A line is filled as soon as possible, and its
% last number is computed, not tried.
%
% Mirror images and rotations count. Order 3 has 8 squares: one square and its
% images. Order 4 has 7,040: 880 squares and their images (Frenicle, 1693):
%
%     ?- aggregate_all(count, magic(4, _), Count).
%     Count = 7040.

% magic(+N, ?Rows)
% Rows are the rows of a magic square of order N. Some cells may be given.

magic(N, Rows) :-
    Last is N * N,
    numlist(1, Last, Numbers),
    Sum is N * (Last + 1) // 2,
    square(N, Rows, Lines),
    append(Rows, Cells),
    include(integer, Cells, Given),
    subtract(Numbers, Given, Left),
    fill_lines(Lines, Sum, Left).

% square(+N, ?Rows, -Lines)
% Rows are N lists of N cells. Lines are the rows, the columns and the
% diagonals, in the order in which they are filled.

square(N, Rows, [Row,Column,Falling,Rising|Lines]) :-
    length(Rows, N),
    maplist(row(N), Rows),
    columns(N, Rows, Columns),
    diagonal(Rows, 1, Falling),
    reverse(Rows, Reversed),
    diagonal(Reversed, 1, Rising),
    Rows = [Row|OtherRows],
    Columns = [Column|OtherColumns],
    in_turn(OtherRows, OtherColumns, Lines).

row(N, Row) :-
    length(Row, N).

columns(N, Rows, Columns) :-
    numlist(1, N, Numbers),
    maplist(column(Rows), Numbers, Columns).

column(Rows, Number, Column) :-
    maplist(nth1(Number), Rows, Column).

diagonal([], _, []).
diagonal([Row|Rows], Number, [Cell|Cells]) :-
    nth1(Number, Row, Cell),
    Next is Number + 1,
    diagonal(Rows, Next, Cells).

% in_turn(+Rows, +Columns, -Lines)
% Lines are a row, a column, the next row, the next column, and so on.

in_turn([], [], []).
in_turn([Row|Rows], [Column|Columns], [Row,Column|Lines]) :-
    in_turn(Rows, Columns, Lines).

% fill_lines(+Lines, +Sum, +Numbers)
% The free cells of Lines take Numbers, and each line has the sum Sum.

fill_lines([], _, []).
fill_lines([Line|Lines], Sum, Numbers) :-
    partition(integer, Line, Filled, Free),
    sum_list(Filled, Part),
    Rest is Sum - Part,
    fill(Free, Rest, Numbers, Others),
    fill_lines(Lines, Sum, Others).

% fill(+Cells, +Sum, +Numbers, -Others)
% Cells take some of Numbers with the sum Sum. Others are left.

fill([], 0, Numbers, Numbers).
fill([Sum], Sum, Numbers, Others) :-
    selectchk(Sum, Numbers, Others).
fill([Cell,Next|Cells], Sum, Numbers, Others) :-
    select(Cell, Numbers, Left),
    Rest is Sum - Cell,
    Rest > 0,
    fill([Next|Cells], Rest, Left, Others).
