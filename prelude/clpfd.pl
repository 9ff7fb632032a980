% Constraints over integers. So far only the predicate on lists of lists is here
% that programs load this library for.

:- module(clpfd, [
    transpose/2
]).

%% transpose(+Matrix, ?Transposed)
%
%  The rows of Transposed are the columns of Matrix, a list of lists of the same
%  length.

transpose(Matrix, Transposed) :-
    clpfd_transpose(Matrix, Transposed).

clpfd_transpose([], []).
clpfd_transpose([Row|Rows], Columns) :-
    clpfd_columns(Row, [Row|Rows], Columns).

clpfd_columns([], Rows, []) :-
    clpfd_empty(Rows).
clpfd_columns([_|Row], Rows, [Column|Columns]) :-
    clpfd_column(Rows, Column, Rests),
    clpfd_columns(Row, Rests, Columns).

clpfd_empty([]).
clpfd_empty([[]|Rows]) :-
    clpfd_empty(Rows).

clpfd_column([], [], []).
clpfd_column([[X|Xs]|Rows], [X|Column], [Xs|Rests]) :-
    clpfd_column(Rows, Column, Rests).
