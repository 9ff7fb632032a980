% Powers of two and three with exponents up to 3,000, and their remainders modulo a prime.
% note: SWI-Prolog uses the integers of GMP, whose inner loops are written in assembler
% without: gprolog gplc

main :-
    rounds(60, 0, Sum),
    write(checksum(Sum)), nl.

rounds(0, Sum, Sum) :- !.
rounds(N, Sum0, Sum) :-
    powers(3000, Sum0, Sum1),
    N1 is N - 1,
    rounds(N1, Sum1, Sum).

powers(0, Sum, Sum) :- !.
powers(E, Sum0, Sum) :-
    P is 2 ** E,
    Q is 3 ** E,
    Sum1 is (Sum0 + P mod 1000003 + Q mod 1000003) mod 1000003,
    E1 is E - 1,
    powers(E1, Sum1, Sum).
