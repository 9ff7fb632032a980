% SEND + MORE = MONEY, column by column from the right, digits taken from a list; all solutions.

main :-
    rounds(700, 0, Sum),
    write(checksum(Sum)), nl.

rounds(0, Sum, Sum) :- !.
rounds(N, Sum0, Sum) :-
    findall(Money, puzzle(Money), [Money|_]),
    Sum1 is Sum0 + Money,
    N1 is N - 1,
    rounds(N1, Sum1, Sum).

puzzle(Money) :-
    Digits0 = [0, 1, 2, 3, 4, 5, 6, 7, 8, 9],
    column(D, E, 0, Y, C1, Digits0, Digits1),
    column(N, R, C1, E, C2, Digits1, Digits2),
    column(E, O, C2, N, C3, Digits2, Digits3),
    column(S, M, C3, O, M, Digits3, _),
    M > 0, S > 0, D >= 0, R >= 0,
    Money is 10000 * M + 1000 * O + 100 * N + 10 * E + Y.

column(A, B, Carry0, C, Carry, Digits0, Digits) :-
    taken(A, Digits0, Digits1),
    taken(B, Digits1, Digits2),
    taken(C, Digits2, Digits),
    Sum is A + B + Carry0,
    C =:= Sum mod 10,
    Carry is Sum // 10.

% A letter that already has a digit takes no other.
taken(X, Digits, Digits) :- nonvar(X), !.
taken(X, [X|Digits], Digits).
taken(X, [Y|Digits0], [Y|Digits]) :- taken(X, Digits0, Digits).
