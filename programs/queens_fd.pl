% Queens that do not attack each other, as a constraint model.
%
% The problem is of 1848 (Max Bezzel); the model is our own.
%
% Shows: three all_different/1 in place of a constraint for every pair;
% first-fail labeling for large boards; a constraint that rules out mirror
% images.
%
% Queens is a list of rows, one for each column.

:- use_module(library(clpfd)).

%% queens(+N, -Queens)
%
%  Queens are N variables, for N queens on a board of N by N squares. No queen
%  attacks another. The rows are not chosen yet.

queens(N, Queens) :-
    length(Queens, N),
    Queens ins 1..N,
    all_different(Queens),
    foldl(falling, Queens, Downs, 1, _),
    foldl(rising, Queens, Ups, 1, _),
    all_different(Ups),
    all_different(Downs).

% Queens on one falling diagonal have the same row - column, on a rising one the same row + column.
falling(Row, Diagonal, Column, Next) :-
    Diagonal #= Row - Column,
    Next is Column + 1.

rising(Row, Diagonal, Column, Next) :-
    Diagonal #= Row + Column,
    Next is Column + 1.

%% one_of_two_mirrored(+Queens)
%
%  Of each solution and its mirror image only one remains.

one_of_two_mirrored(Queens) :-
    Queens = [First|_],
    last(Queens, Last),
    First #< Last.

%% board(+Queens)
%
%  Writes the board, column by column from top to bottom.

board(Queens) :-
    length(Queens, N),
    forall(member(Queen, Queens), board_line(Queen, N)).

board_line(Queen, N) :-
    numlist(1, N, Rows),
    maplist(square(Queen), Rows, Squares),
    atomic_list_concat(Squares, ' ', Line),
    write(Line),
    nl.

square(Queen, Row, Square) :-
    (   Row =:= Queen
    ->  Square = 'Q'
    ;   Square = '.'
    ).

%% safe(+Queens)
%
%  Queens are integers, and no queen attacks another. No constraints: this
%  checks what the model found.

safe([]).
safe([Queen|Queens]) :-
    attacks_none(Queens, Queen, 1),
    safe(Queens).

attacks_none([], _, _).
attacks_none([Other|Others], Queen, Distance) :-
    Other =\= Queen,
    abs(Other - Queen) =\= Distance,
    Next is Distance + 1,
    attacks_none(Others, Queen, Next).
