:- use_module(library(linear)).

tour :- place(25).

% The number of a square is 5 * column + row - 5. The knight starts on square 1.
place(1) :- !, walk(24, 1, 1).
place(N) :- M is N - 1, X is M // 5 + 1, Y is M mod 5 + 1, S is 5 * X + Y, free(S) -<> place(M).

walk(0, _, _) :- !.
walk(N, X, Y) :-
    jump(X, Y, A, B),
    S is 5 * A + B,
    free(S),
    M is N - 1,
    walk(M, A, B).
