tour :- squares(25, [], Squares), walk(24, 1, 1, Squares).

squares(1, Squares, Squares) :- !.
squares(N, Squares0, Squares) :-
    M is N - 1, X is M // 5 + 1, Y is M mod 5 + 1, S is 5 * X + Y,
    squares(M, [S|Squares0], Squares).

walk(0, _, _, _) :- !.
walk(N, X, Y, Squares) :-
    jump(X, Y, A, B),
    S is 5 * A + B,
    take(S, Squares, Squares1),
    M is N - 1,
    walk(M, A, B, Squares1).

take(X, [X|Xs], Xs).
take(X, [Y|Ys], [Y|Zs]) :- take(X, Ys, Zs).
