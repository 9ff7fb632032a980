% Programs whose clauses are told apart by more than their first argument.

det(Goal) :-
    call_cleanup(Goal, Det = true),
    Det == true.

% By the inside of an argument, after a cut that the outside tells of.
solve(true) :- !.
solve((A, B)) :- !, solve(A), solve(B).
solve(Goal) :- rule(Goal, Body), solve(Body).

rule(reversed([], []), true).
rule(reversed([X|Xs], Ys), (reversed(Xs, Zs), joined(Zs, [X], Ys))).
rule(joined([], Ys, Ys), true).
rule(joined([X|Xs], Ys, [X|Zs]), joined(Xs, Ys, Zs)).

% By comparisons before a cut.
larger(X, Y, X) :- X >= Y, !.
larger(_, Y, Y).

parted([], _, [], []).
parted([X|Xs], Y, [X|As], Bs) :- X =< Y, !, parted(Xs, Y, As, Bs).
parted([X|Xs], Y, As, [X|Bs]) :- parted(Xs, Y, As, Bs).

% By comparisons that exclude each other.
sign(X, positive) :- X > 0.
sign(X, zero) :- X =:= 0.
sign(X, negative) :- X < 0.

% By type tests.
kind(X, variable) :- var(X), !.
kind(X, number) :- number(X), !.
kind(X, atom) :- atom(X), !.
kind(_, compound).

% By an argument that occurs twice.
at(X, [X|_]).
at(X, [_|Xs]) :- at(X, Xs).

known(X, [Y|_]) :- X == Y, !.
known(X, [_|Ys]) :- known(X, Ys).

count(0, N, N) :- !.
count(I, N0, N) :- I1 is I - 1, N1 is N0 + 1, count(I1, N1, N).

% Tests see what the head has bound.
bound(X, a) :- atom(X), !.
bound(_, b).

two(a, b) :- !.
two(_, _).

bits(X, [1]) :- X == 1, !.
bits(_, [_]).

first(foo) :- !.
first(_).

big(123456789012345678901234567890) :- !.
big(1.5) :- !.
big("text") :- !.
big(_).

deep(f(g(h(1))), one).
deep(f(g(h(2))), two).
deep(f(g(i)), three).
deep(f(X), other) :- var(X).
