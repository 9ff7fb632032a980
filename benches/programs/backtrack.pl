% Deep backtracking: every subset of 23 items whose weight is a given sum, without early pruning.

main :-
    weights(23, 5, Weights),
    findall(Chosen, subset_sum(Weights, 0, 222, Chosen), All),
    count(All, 0, N),
    write(checksum(N)), nl.

subset_sum([], Sum, Sum, []).
subset_sum([W|Ws], Sum0, Sum, [W|Chosen]) :-
    Sum1 is Sum0 + W,
    subset_sum(Ws, Sum1, Sum, Chosen).
subset_sum([_|Ws], Sum0, Sum, Chosen) :-
    subset_sum(Ws, Sum0, Sum, Chosen).

weights(0, _, []) :- !.
weights(N, W, [W|Ws]) :-
    Next is (W * 13 + 7) mod 37,
    N1 is N - 1,
    weights(N1, Next, Ws).

count([], N, N).
count([_|Xs], N0, N) :-
    N1 is N0 + 1,
    count(Xs, N1, N).
