% Pancake flips: every permutation of nine numbers is flipped until its first number is 1. A flip reverses a part of the list.

main :-
    findall(Flips, (permuted([1, 2, 3, 4, 5, 6, 7, 8, 9], P), flips(P, 0, Flips)), All),
    weighed(All, 0, 0, Most, Sum),
    write(checksum(Most - Sum)), nl.

weighed([], Most, Sum, Most, Sum).
weighed([F|Fs], Most0, Sum0, Most, Sum) :-
    ( F > Most0 -> Most1 = F ; Most1 = Most0 ),
    Sum1 is (Sum0 * 3 + F) mod 1000003,
    weighed(Fs, Most1, Sum1, Most, Sum).

permuted([], []).
permuted(Xs, [Y|Ys]) :-
    picked(Xs, Y, Rest),
    permuted(Rest, Ys).

picked([X|Xs], X, Xs).
picked([X|Xs], Y, [X|Ys]) :- picked(Xs, Y, Ys).

flips([1|_], N, N) :- !.
flips([K|Xs], N0, N) :-
    flipped(K, [K|Xs], [], Ys),
    N1 is N0 + 1,
    flips(Ys, N1, N).

flipped(0, Rest, Front, Ys) :- !, joined(Front, Rest, Ys).
flipped(K, [X|Xs], Front, Ys) :-
    K1 is K - 1,
    flipped(K1, Xs, [X|Front], Ys).

joined([], Ys, Ys).
joined([X|Xs], Ys, [X|Zs]) :- joined(Xs, Ys, Zs).
