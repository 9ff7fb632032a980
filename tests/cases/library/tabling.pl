% Predicates for tabling.queries.

edge(1, 2). edge(2, 3). edge(3, 1). edge(3, 4).

:- table path/2, right/2, double/2.

path(X, Y) :- path(X, Z), edge(Z, Y).
path(X, Y) :- edge(X, Y).

right(X, Y) :- edge(X, Y).
right(X, Y) :- edge(X, Z), right(Z, Y).

double(X, Y) :- edge(X, Y).
double(X, Y) :- double(X, Z), double(Z, Y).

:- table fib/2.

fib(0, 0).
fib(1, 1).
fib(N, F) :- N > 1, A is N-1, B is N-2, fib(A, FA), fib(B, FB), F is FA+FB.

% Goals that depend on each other.

:- table even/1, odd/1.

even(0).
even(N) :- N > 0, M is N-1, odd(M).
odd(N) :- N > 0, M is N-1, even(M).

:- table one/1, two/1, three/1.

one(X) :- two(X).
one(X) :- three(X).
one(0).
two(X) :- three(Y), Y < 8, X is Y+1.
two(X) :- one(Y), Y < 3, X is Y+1.
three(X) :- one(X), X > 1.
three(X) :- two(X).

:- table without_end/0.

without_end :- without_end.

% A grammar with left recursion.

:- table sum//1.

sum(X) --> sum(Y), "+", digit(Z), { X is Y+Z }.
sum(X) --> sum(Y), "-", digit(Z), { X is Y-Z }.
sum(X) --> digit(X).

digit(X) --> [D], { X is D-0'0, X >= 0, X =< 9 }.

% Modes.

way(a, b, 1). way(b, c, 2). way(a, c, 5). way(c, a, 1). way(c, d, 1).

:- table cost(_, _, min), route(_, _, lattice(shorter/3)), preferred(_, po(less/2)).
:- table greatest(_, max), total(_, sum), earliest(_, first), latest(_, last), both(_, min, max).

cost(X, Y, C) :- way(X, Y, C).
cost(X, Y, C) :- cost(X, Z, C1), way(Z, Y, C2), C is C1+C2.

route(X, Y, [X, Y]) :- edge(X, Y).
route(X, Y, P) :- route(X, Z, P0), edge(Z, Y), append(P0, [Y], P).

shorter(P1, P2, P) :- length(P1, L1), length(P2, L2), ( L1 =< L2 -> P = P1 ; P = P2 ).

preferred(X, Y) :- value(X, Y).
less(X, Y) :- X < Y.

value(a, 1). value(a, 5). value(a, 3). value(b, 2).

greatest(X, Y) :- value(X, Y).
total(X, Y) :- value(X, Y).
earliest(X, Y) :- value(X, Y).
latest(X, Y) :- value(X, Y).
both(X, Y, Z) :- value(X, Y), Z = Y.

% Answers with variables.

:- table open/2.

open(f(_), X) :- X = g(_).
open(_, 1).
open(_, 1).

% Exceptions.

:- table careful/1, careless/1.

careful(X) :- catch(careless(X), _, fail).
careful(5).
careless(1).
careless(X) :- careful(X), X > 4, throw(oops).

:- table endless/1.

endless(0).
endless(X) :- endless(Y), X is Y+1.

% Facts that change.

:- dynamic(known/1).
:- table seen/1.

known(1).
seen(X) :- known(X).

% A cut prunes answers, not the table.

:- table first/1.

first(X) :- once(path(X, _)).

% For limits of depth.
:- table limited_fib/2.
limited_fib(0, 0).
limited_fib(1, 1).
limited_fib(N, F) :- N > 1, A is N-1, B is N-2, limited_fib(A, X), limited_fib(B, Y), F is X+Y.

% The first clause meets its goal under a limit of depth, within the same evaluation.
:- table limited_first/1, far_down/1.
limited_first(_) :- call_with_depth_limit(far_down(_), 10, _), fail.
limited_first(X) :- far_down(X).

far_down(X) :- down(100), X = 1.
far_down(2).

down(0) :- !.
down(N) :- N1 is N-1, down(N1), true.

:- dynamic dynamic_first/1.
:- table dynamic_first/1.
dynamic_first(1).
