% transpose/2 in place of library(clpfd), which takes some systems longer to load than to be used.

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
