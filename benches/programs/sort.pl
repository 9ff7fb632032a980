% Sorting by the standard order: 200,000 integers, pairs and compound terms.

main :-
    terms(200000, 12345, Terms, Pairs, Numbers),
    msort(Numbers, [Least|_]),
    sort(Numbers, Distinct),
    length(Distinct, Kinds),
    keysort(Pairs, [_-First|_]),
    msort(Terms, [f(Smallest, _)|_]),
    sort(Terms, Set),
    length(Set, Size),
    Sum is Least + Kinds + First + Smallest + Size,
    write(checksum(Sum)), nl.

terms(0, _, [], [], []) :- !.
terms(N, X, [f(A, [B, C])|Ts], [B-N|Ps], [X|Ns]) :-
    A is X mod 100,
    B is X mod 977,
    C is X mod 7,
    Y is (X * 25173 + 13849) mod 1048576,
    N1 is N - 1,
    terms(N1, Y, Ts, Ps, Ns).
