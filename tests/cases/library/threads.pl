% What tests/cases/library/threads.queries is about.

:- use_module(library(clpfd)).
:- use_module(library(linear)).

p(1).
p(2).
p(3).

q(X, Y) :- p(X), p(Y), X =\= Y.

first(X) :- p(X), X > 1, !.

raising(X) :- p(X), ( X =:= 2 -> throw(two) ; true ).

% Raises something after a while, and never ends after that.
raising_before_endless :- p(X), ( X > 1 -> repeat, fail ; between(1, 300000, I), I =:= 300000, throw(one) ).

shown(X) :- write(X), nl.

labeled(Options, X, Y) :- [X,Y] ins 0..4, X + Y #>= 3, X + Y #=< 4, labeling(Options, [X,Y]).

% Sorts lists, which is work of builtins.
sorting(X) :- between(1, 60, X), numlist(1, 300, L), msort(L, M), length(M, 300).

% While a thread is in the last part, which is endless, another thread raises in an earlier part.
endless_last :- p(X), endless(X).
endless(1) :- between(1, 60000, I), I =:= 60000.
endless(2) :- between(1, 1000000, I), I =:= 1000000, throw(two).
endless(3) :- repeat, fail.
