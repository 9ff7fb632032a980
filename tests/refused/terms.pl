% Terms that take much memory to walk through, for goals.txt.

:- dynamic(kept/1, kept/0).
:- use_module(library(lists)).
:- use_module(library(apply)).
:- use_module(library(yall)).
:- use_module(library(occurs)).

small(f(g(X, Y), [X, 1, "s"|_], Y)).

levels(300000).

nest(0, _, T, T) :- !.
nest(N, F, T0, T) :- N1 is N - 1, wrap(F, T0, T1), nest(N1, F, T1, T).

wrap(first, T, f(T, b)).
wrap(last, T, f(b, T)).
wrap(only, T, f(T)).
wrap(comma, T, (T, true)).
wrap(commas, T, (true, T)).
wrap(or, T, (T ; true)).
wrap(minus, T, - T).
wrap(plus, T, T + 1).
wrap(curly, T, {T}).
wrap(head, T, [T]).
wrap(not, T, \+ T).
wrap(if, T, (T -> true ; true)).
wrap(else, T, (true -> true ; T)).
wrap(var, T, g(_, T)).

deep(Kind, T) :- levels(N), nest(N, Kind, a, T).
open(Kind, T) :- levels(N), nest(N, Kind, _, T).
body(Kind, T) :- levels(N), nest(N, Kind, true, T).
sum(Kind, T) :- levels(N), nest(N, Kind, 1, T).

long(L) :- levels(N), numlist(1, N, L).
vars(L) :- levels(N), length(L, N).
repeated(X, L) :- vars(L), maplist(=(X), L).
text(C, A) :- M = 1500000, length(L, M), maplist(=(C), L), atom_codes(A, L).

silent(Goal) :- open_null_stream(S), call(Goal, S), close(S).
