% Remainders of integers of 20,000 digits divided by integers of 10,000 digits.
% note: SWI-Prolog uses the integers of GMP, whose inner loops are written in assembler
% without: gprolog gplc

main :-
    A is 7 ** 23670 + 1,
    B is 11 ** 9600 + 1,
    rounds(2500, A, B, 0, Sum),
    write(checksum(Sum)), nl.

rounds(0, _, _, Sum, Sum) :- !.
rounds(N, A, B, Sum0, Sum) :-
    R is (A + N) mod (B - N),
    Sum1 is (Sum0 + R mod 1000003) mod 1000003,
    N1 is N - 1,
    rounds(N1, A, B, Sum1, Sum).
