% The factorial of 5,000 by recursion, repeatedly.
% note: SWI-Prolog uses the integers of GMP, whose inner loops are written in assembler
% without: gprolog gplc

main :-
    rounds(70, 0, Sum),
    write(checksum(Sum)), nl.

rounds(0, Sum, Sum) :- !.
rounds(N, Sum0, Sum) :-
    factorial(5000, F),
    Sum1 is (Sum0 + F mod 1000000007) mod 1000003,
    N1 is N - 1,
    rounds(N1, Sum1, Sum).

factorial(0, 1) :- !.
factorial(N, F) :-
    N1 is N - 1,
    factorial(N1, F1),
    F is N * F1.
