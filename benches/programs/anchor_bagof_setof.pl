% bagof/3 by groups and setof/3 over forty facts.
% note: atoms are compared by their texts, and solutions are copied out and back

main :-
    rounds(20000, 0, Sum),
    write(checksum(Sum)), nl.

rounds(0, Sum, Sum) :- !.
rounds(N, Sum0, Sum) :-
    setof(B, A^edge(A, B), Bs),
    length(Bs, L1),
    findall(A - Ts, bagof(T, edge(A, T), Ts), Groups),
    length(Groups, L2),
    Sum1 is Sum0 + L1 + L2,
    N1 is N - 1,
    rounds(N1, Sum1, Sum).

edge(a, c). edge(b, d). edge(c, e). edge(d, f). edge(e, g). edge(f, h). edge(g, i). edge(h, j).
edge(i, a). edge(j, b). edge(a, d). edge(b, e). edge(c, f). edge(d, g). edge(e, h). edge(f, i).
edge(g, j). edge(h, a). edge(i, b). edge(j, c). edge(a, e). edge(b, f). edge(c, g). edge(d, h).
edge(e, i). edge(f, j). edge(g, a). edge(h, b). edge(i, c). edge(j, d). edge(a, j). edge(b, i).
edge(c, h). edge(d, e). edge(e, f). edge(f, a). edge(g, b). edge(h, c). edge(i, d). edge(j, e).
