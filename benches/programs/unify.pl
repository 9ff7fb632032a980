% Head unification with large nested terms, in read mode, in write mode and mixed.

main :-
    rounds(2000000, 0, Sum),
    write(checksum(Sum)), nl.

rounds(0, Sum, Sum) :- !.
rounds(N, Sum0, Sum) :-
    shape(N, Term),
    take(Term, A),
    make(A, B, New),
    New = wide(_, f(g(h(B)), [_, _|T]), _, _),
    length_of(T, 0, L),
    Sum1 is (Sum0 + A + B + L) mod 1000003,
    N1 is N - 1,
    rounds(N1, Sum1, Sum).

shape(N, tree(node(leaf(N), [a, b, c|_]), node(_, X), pair(X, key(k1, value(N, _))))).

take(tree(node(leaf(N), [a, B, c, d]), node(last, [1, 2]), pair([1|More], key(k1, value(M, v)))), R) :-
    B = b,
    More = [2|[]],
    R is N + M.

make(A, B, wide(first(A, [x, y, z]), f(g(h(A)), [p, q, r, s]), second(_, _, A), [B0|B0])) :-
    B0 = A,
    B = B0.

length_of([], L, L).
length_of([_|Xs], L0, L) :-
    L1 is L0 + 1,
    length_of(Xs, L1, L).
