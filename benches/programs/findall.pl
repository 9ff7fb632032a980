% Collecting solutions: many small calls of findall/3, some large ones, bagof/3 and setof/3.

main :-
    many(360000, 0, Sum1),
    findall(X-Y, (upto(1, 1000000, X), Y = f(X, [X])), Big),
    count(Big, 0, Sum2),
    rounds(2000, 0, Sum3),
    Sum is Sum1 + Sum2 + Sum3,
    write(checksum(Sum)), nl.

many(0, Sum, Sum) :- !.
many(N, Sum0, Sum) :-
    findall(A, edge(_, A), As),
    count(As, Sum0, Sum1),
    N1 is N - 1,
    many(N1, Sum1, Sum).

rounds(0, Sum, Sum) :- !.
rounds(N, Sum0, Sum) :-
    setof(A, B^edge(A, B), As),
    count(As, Sum0, Sum1),
    findall(K-Bs, bagof(B, edge(K, B), Bs), Groups),
    count(Groups, Sum1, Sum2),
    N1 is N - 1,
    rounds(N1, Sum2, Sum).

upto(Low, High, Low) :- Low =< High.
upto(Low, High, X) :-
    Low < High,
    Next is Low + 1,
    upto(Next, High, X).

count([], N, N).
count([_|Xs], N0, N) :-
    N1 is N0 + 1,
    count(Xs, N1, N).

edge(a, b). edge(a, c). edge(b, d). edge(c, d). edge(d, e). edge(e, a).
edge(f, b). edge(f, g(1)). edge(g(1), h). edge(h, [1, 2]).
