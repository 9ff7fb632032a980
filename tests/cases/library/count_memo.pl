% What tests/cases/library/count_memo.queries is about.

:- use_module(library(linear)).
:- use_module(library(clpfd)).
:- style_check(-count_memo).
:- dynamic seen/1.

:- count_memo path/2, named/2, cut/1, effect/1, changed/1, global/1, left/0, waits/1, deep/1, all/2.

path(0, 0).
path(X, Y) :- X > 0, Left is X - 1, path(Left, Y).
path(X, Y) :- Y > 0, Below is Y - 1, path(X, Below).

% Variables of arguments.
named([], _).
named([X|Xs], Y) :- member(X, [Y, 1, 2]), named(Xs, Y).

% A cut takes away other clauses only.
cut(0).
cut(N) :- N > 5, !, M is N - 2, cut(M).
cut(N) :- N > 0, M is N - 1, cut(M).
cut(N) :- N > 1, M is N - 2, cut(M).

effect(0).
effect(N) :- N > 0, assertz(seen(N)), M is N - 1, ( effect(M) ; effect(M) ).

changed(0).
changed(N) :- N > 0, M is N - 1, ( changed(M) ; seen(N), changed(M) ).

global(0) :- b_getval(shut, no).
global(N) :- N > 0, M is N - 1, ( global(M) ; global(M) ).

% Linear resources.
:- linear coin/1.
left :- coin(_), left.
left.

waits(Xs) :- Xs = [X|Rest], member(X, [1, 2, 3]), waits(Rest).
waits([]).

deep(N) :- N > 0, M is N - 1, ( deep(M) ; deep(M) ).
deep(0).

all([], 0).
all([X|Xs], N) :- count_solutions(path(X, X), M), all(Xs, K), N is M + K.
