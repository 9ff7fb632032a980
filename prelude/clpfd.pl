% Constraints over integers.

:- module(clpfd, [
    '#='/2, '#\\='/2, '#<'/2, '#>'/2, '#=<'/2, '#>='/2,
    transpose/2,
    op(760, yfx, '#<==>'), op(750, xfy, '#==>'), op(750, yfx, '#<=='),
    op(740, yfx, '#\\/'), op(730, yfx, '#\\'), op(720, yfx, '#/\\'), op(710, fy, '#\\'),
    op(700, xfx, '#>'), op(700, xfx, '#<'), op(700, xfx, '#>='), op(700, xfx, '#=<'),
    op(700, xfx, '#='), op(700, xfx, '#\\='),
    op(700, xfx, in), op(700, xfx, ins), op(700, xfx, in_set), op(450, xfx, '..')
]).

% The goals in these bodies are not calls: the compiler makes instructions of them.

'#='(X, Y) :- '#='(X, Y).

'#\\='(X, Y) :- '#\\='(X, Y).

'#<'(X, Y) :- '#<'(X, Y).

'#>'(X, Y) :- '#>'(X, Y).

'#=<'(X, Y) :- '#=<'(X, Y).

'#>='(X, Y) :- '#>='(X, Y).

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
