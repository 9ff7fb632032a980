% Lambda expressions in clauses, which are compiled.

double(L, M) :- maplist([X,Y]>>(Y is X*2), L, M).

scale(F, L, M) :- maplist([X,Y]>>(Y is X*F), L, M).

same(Y, L) :- maplist([X]>>(Y = X), L).

same_shared(Y, L) :- maplist({Y}/[X]>>(Y = X), L).

label(T, L, M) :- maplist([X,Y]>>(Y = T-X), L, M).

label_shared(T, V, L, M) :- maplist({V}/[X,Y]>>(Y = T-X), L, M).

increments(N, Ls, Ms) :- maplist([L,M]>>maplist([X,Y]>>(Y is X+N), L, M), Ls, Ms).

positive(L) :- maplist([X]>>(X > 0, ! ; X =:= 0), L).

keys(L, Ks) :- maplist([K-_,K]>>true, L, Ks).

equal(L, M) :- maplist([X,X]>>true, L, M).

fits(X, L) :- maplist([X]>>true, L).

fits_pair(X, L) :- maplist([X-_]>>true, L).

sums(L, M, S) :- maplist([X]>>plus(X), L, M, S).

positives(L, S) :- findall(X, (member(X, L), call([Y]>>(Y > 0), X)), S).

sets(L, Ss) :- bagof(S, X^(member(X, L), include([Y]>>(Y < X), L, S)), Ss).

alias(L, R) :- L = [A,B|_], maplist([X]>>(A = X), L), R = A-B.

wrong(L) :- maplist([X]>>(_ is X), L).

body(G, L) :- maplist([_]>>G, L).

item([X]>>(X > 2)).

changed(T) :- call([X]>>(setarg(1, T, X)), b).

:- dynamic(kept/2).

kept(L, M) :- maplist([X,Y]>>(Y is X*2), L, M).

many(N, L) :- numlist(1, N, L0), foldl([X,A,B]>>(B is A+X), L0, 0, L).

twice --> { maplist([X]>>(X > 0), [1,2]) }, [a], { call([X]>>(X == b), b) }.

late(L) :- T = f(X), member(X, [_,1,2]), maplist([_,Y]>>(Y = T), [a,b], L).

one_each(R) :- bagof(X-L, ( member(X, [1,2]), M = [X], maplist([Y,Z]>>(Z = M-Y), [a], L) ), R).

fresh(Ts) :- findall(T-B, (member(B, [1,2]), call([T0]>>(T0 = g(x), ( B == 1 -> setarg(1, T0, y) ; true )), T)), Ts).

inner(L) :- maplist([T]>>(T = [a,b], put_x(T)), L).

put_x(T) :- setarg(1, T, x).
