% Terms that a recursion computes on return are collected, although no goal is called then.
factorial(0, 1) :- !.
factorial(N, F) :- M is N - 1, factorial(M, G), F is N * G.

sum(0, 0) :- !.
sum(N, S) :- M is N - 1, sum(M, T), ( N > 0 -> S is T + 7 ** 3000 ; S = 0 ).

pairs(0, 1, 1) :- !.
pairs(N, A, B) :- M is N - 1, pairs(M, C, D), A is C * 3, B is D * A mod 10 ** 4000.
