% Code of pairs/2, squares/2, count/1, nested/1, guarded/2.
pairs(Xs, Pairs) :- findall(X-Y, (member(X, Xs), member(Y, Xs)), Pairs).

squares(Xs, Squares) :- findall(S, (member(X, Xs), S is X * X), Squares).

count(N) :- aggregate_all(count, p(_), N).

nested(L) :- findall(M, (p(X), findall(X-Y, p(Y), M)), L), p(L).

guarded(G, R) :- catch(G, E, (p(E), R = caught)), p(R).

p(_).
