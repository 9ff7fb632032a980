% Latin squares: N rows of the numbers 1 to N. No number occurs twice in a row
% or in a column.
%
% The name is Euler's, of 1782.
%
% Shows: a search that keeps, for each column, the numbers that are not in it
% yet.
%
% All squares count, not only those whose first row and column are in order.
% There are 12 squares of order 3, 576 of order 4, and 161,280 of order 5:
%
%     ?- aggregate_all(count, latin(5, _), Count).
%     Count = 161280.

% latin(+N, -Rows)
% Rows are the rows of a Latin square of order N.

latin(N, Rows) :-
    numlist(1, N, Numbers),
    length(Columns, N),
    maplist(=(Numbers), Columns),
    length(Rows, N),
    rows(Rows, Numbers, Columns).

% rows(-Rows, +Numbers, +Columns)
% Columns has a list for each column: the numbers that Rows bring into it.

rows([], _, _).
rows([Row|Rows], Numbers, Columns) :-
    row(Columns, Numbers, Row, Left),
    rows(Rows, Numbers, Left).

% row(+Columns, +Numbers, -Row, -Left)
% Row has the Numbers in some order. Left is Columns without them.

row([], [], [], []).
row([Column|Columns], Numbers, [Number|Row], [Rest|Left]) :-
    select(Number, Column, Rest),
    select(Number, Numbers, Others),
    row(Columns, Others, Row, Left).
