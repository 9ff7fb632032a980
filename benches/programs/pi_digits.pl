% The first 5,000 digits of pi by a spigot: products, sums and quotients of growing integers.
% note: SWI-Prolog uses the integers of GMP, whose inner loops are written in assembler
% without: gprolog gplc

main :-
    digits(5000, 1, 0, 1, 1, 0, Sum),
    write(checksum(Sum)), nl.

% The rest of pi lies in the interval of (Q*X + R) / T for X from 3 to 4.
digits(0, _, _, _, _, Sum, Sum) :- !.
digits(N, Q, R, T, K, Sum0, Sum) :-
    D is (3 * Q + R) // T,
    D =:= (4 * Q + R) // T, !,
    Sum1 is (Sum0 * 10 + D) mod 1000003,
    N1 is N - 1,
    Q1 is 10 * Q,
    R1 is 10 * (R - D * T),
    digits(N1, Q1, R1, T, K, Sum1, Sum).
digits(N, Q, R, T, K, Sum0, Sum) :-
    L is 2 * K + 1,
    Q1 is Q * K,
    R1 is (2 * Q + R) * L,
    T1 is T * L,
    K1 is K + 1,
    digits(N, Q1, R1, T1, K1, Sum0, Sum).
