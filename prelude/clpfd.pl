% Of SWI-Prolog's library of this name only transpose/2, which programs load it for: there are no
% constraints over integers.

:- module(clpfd, [
    transpose/2
]).

%% transpose(+Matrix, ?Transposed)
%
%  The rows of Transposed are the columns of Matrix, a list of lists of the same
%  length. There is nothing else of library(clpfd): no constraints over integers.
%
%  ?- transpose([[1,2,3],[4,5,6]], Columns).
%  Columns = [[1, 4], [2, 5], [3, 6]].

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
