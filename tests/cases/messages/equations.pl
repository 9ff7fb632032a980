% `=` where `is` was meant: results of recursive calls that another clause gives as numbers,
sum([], 0).
sum([X|Xs], S) :- sum(Xs, R), S = X+R.

fact(0, 1).
fact(N, F) :- N > 0, M is N-1, fact(M, G), F = N*G.

fib(N, F) :- N > 1, A is N-1, B is N-2, fib(A, X), fib(B, Y), F = X+Y.
fib(N, N) :- N < 2.
fib(0, 0).

size(leaf, 1).
size(node(L, R), S) :- size(L, A), size(R, B), S = A+B+1.

down([], 9).
down([_|Xs], N) :- down(Xs, M), N = M-1.

% values that are computed,
mean(A, B, M) :- S is A+B, M = S/2.
depth(leaf, 0).
depth(node(L, R), D) :- depth(L, A), depth(R, B), M is max(A, B), D = M+1.

% and arguments beside numbers.
triple(X, Y) :- Y = 3*X.

% A variable that is a part of its own new value,
count(N) :- N > 0, N = N - 1, count(N).
total([X|Xs], T) :- T = X + T, total(Xs, T).

% What works on terms of arithmetic is all right,
simple(A+A, E) :- E = 2*A.
simple(sin(A), E) :- E = 2*A.
d(X, X, 1).
d(C, _, 0) :- atomic(C).
d(U*V, X, D) :- d(U, X, A), d(V, X, B), D = U*B+V*A.
d(X^N, X, D) :- M is N-1, D = N*X^M.
e(x, 1).
e(times(U, V), D) :- e(U, A), e(V, B), D = U*B+V*A.

% and so are pairs, and terms that are computed elsewhere.
name_of(T, P) :- functor(T, N, A), P = N/A.
square(X, Y, P) :- X1 is X+1, Y1 is Y+1, P = X1/Y1.
keyed(X, P) :- Y is X mod 7, P = Y-1.
shown(A, B, E, V) :- A is random(10), B is random(10), E = A*B, V is A*B.
later(X, E) :- E = X*2, V is E, print(V).

% A term that holds the variable and computes nothing.
looped(Xs) :- Xs = [a|Xs].
tree(T) :- T = t(T-1).
