% A definition of transpose/2 that replaces library(clpfd). Some systems take longer to load this library than to run it.

transpose([], []).
transpose([Row|Rows], Columns) :-
    transpose_columns(Row, [Row|Rows], Columns).

transpose_columns([], _, []).
transpose_columns([_|Rest], Rows, [Column|Columns]) :-
    transpose_first(Rows, Column, Lefts),
    transpose_columns(Rest, Lefts, Columns).

transpose_first([], [], []).
transpose_first([[X|Xs]|Rows], [X|Column], [Xs|Lefts]) :-
    transpose_first(Rows, Column, Lefts).
