% Clauses for 7_8_9_catch_throw.queries.

raise(X) :- X = 1, throw(test).
raise(_) :- throw(other).

pick(1).
pick(2) :- throw(two).
pick(3).

p.
p :- throw(b).

r(X) :- throw(X).

q :- catch(p, _, true), r(c).

below(0) :- throw(bottom).
below(N) :- N > 0, N1 is N - 1, below(N1), true.
