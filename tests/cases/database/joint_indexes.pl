% Clauses of a dynamic predicate, chosen by several arguments and by what stands within them, beside
% a list of the same clauses that is searched one by one.

:- dynamic c/4.

% A small generator of random numbers: below N.
random_below(N, X, S0, S) :-
    S is (S0 * 1103515245 + 12345) mod 2147483648,
    X is (S // 1024) mod N.

choice(Terms, X, S0, S) :-
    length(Terms, N),
    random_below(N, I, S0, S),
    nth0(I, Terms, T),
    copy_term(T, X).

% Arguments; I and J are small numbers.
argument(X, S0, S) :-
    random_below(6, I, S0, S1),
    random_below(6, J, S1, S2),
    K is 100000000000000000000 + J,
    F is I + 0.5,
    nested(20, I, D),
    numlist(1, 150, L),
    choice([I, I, I, I, J, s(I, J), s(I, J), s(J, b), s(I, _), [a, I, J], [a, I, J], [a, I | _], [a, I], "text", "other text",
            K, f(K), F, f(F), f(-0.0), f(0.0), g(I, [J, s(J)]), g(I, [J | _]), D, g(D, I), [J | L], _, h(X1, X1, I), h(_, _, J)], X, S2, S).

nested(0, I, I) :- !.
nested(N, I, n(T, x)) :- M is N - 1, nested(M, I, T).

% steps(N, L, S): N random changes and questions, with L for the clauses that there are.
steps(0, _, _, 0) :- !.
steps(N, L, S0, Wrong) :-
    random_below(20, Kind, S0, S1),
    argument(A, S1, S2), argument(B, S2, S3), argument(C, S3, S4),
    step(Kind, N, c(A, B, C, _), L, L1, W),
    M is N - 1,
    steps(M, L1, S4, Wrong0),
    Wrong is Wrong0 + W.

step(0, N, c(A, B, C, N), L, [c(A, B, C, N) | L], 0) :- !,
    asserta(c(A, B, C, N)).
step(1, _, C, L, L1, W) :- !,
    (   retract(C) -> W1 = 0 ; W1 = 1 ),
    (   append(L0, [C1 | L2], L), \+ C1 \= C ->
        append(L0, L2, L1), W2 = 0, C1 = C
    ;   L1 = L, W2 = 1
    ),
    (   W1 == W2 -> W = 0 ; W = 1 ).
step(2, _, c(A, B, C, N), L, L, W) :- !,
    findall(N, clause(c(A, B, C, N), true), Ns),
    expected(c(A, B, C, N), L, Ns, W).
step(Kind, N, c(A, B, C, N), L, L1, 0) :- Kind < 12, !,
    assertz(c(A, B, C, N)),
    append(L, [c(A, B, C, N)], L1).
step(_, _, c(A, B, C, N), L, L, W) :-
    findall(N, c(A, B, C, N), Ns),
    expected(c(A, B, C, N), L, Ns, W).

expected(C, L, Ns, W) :-
    arg(4, C, N),
    findall(N, member(C, L), Expected),
    (   Ns == Expected -> W = 0 ; W = 1 ).

% All pairs of numbers below N as clauses, then asked for by both.
grid(N, Found) :-
    retractall(c(_, _, _, _)),
    M is N - 1,
    forall((between(0, M, I), between(0, M, J)), assertz(c(I, s(J, I), [x, J | _], I))),
    findall(1, (between(0, M, I), between(0, M, J), c(I, s(J, _), [x, J, y], _)), Ones),
    findall(2, (between(0, M, I), between(0, M, J), c(_, s(J, I), _, _)), Twos),
    findall(3, (between(0, M, I), between(0, M, J), c(I, _, [x, J], _), c(_, _, [x, J | foo], I)), Threes),
    append([Ones, Twos, Threes], All),
    length(All, Found).
