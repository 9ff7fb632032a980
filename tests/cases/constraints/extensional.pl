% Loads the library for the queries beside.

:- use_module(library(clpfd)).

% Two counters: how often 1 and 0 occur in a list of two elements that has a 1.

two_counts(Xs, Counts) :-
    Xs = [_, _],
    automaton(Xs, _, Xs, [source(a), sink(b)],
        [arc(a, 0, a, [M, N + 1]), arc(a, 1, b, [M + 1, N]), arc(b, 1, b, [M + 1, N]), arc(b, 0, b, [M, N + 1])],
        [M, N], [0, 0], Counts),
    label(Xs).
