% Pointers followed through a table of 60 by element/3 and closed after 8 and after 3 steps: all solutions.
% gnu: benches/constraints/gnu.pl
% uses: benches/constraints/rounds.pl
% rounds: 6000, swipl 150
:- use_module(library(clpfd)).

answer(Eight-Three) :- cycles(8, Eight), cycles(3, Three).

cycles(Steps, Starts) :-
    findall(V, ( between(1, 60, I), V is (I * I * 7 + 3 * I + 5) mod 60 + 1 ), Table),
    findall(X, ( X in 1..60, follow(Steps, X, Y, Table), Y #= X, labeling([], [X]) ), Starts).

follow(0, X, X, _) :- !.
follow(Steps, X, Z, Table) :-
    element(X, Table, Y),
    Steps1 is Steps - 1,
    follow(Steps1, Y, Z, Table).
