% Integers of 30,000 digits turned into text.
% note: SWI-Prolog uses the integers of GMP, whose inner loops are written in assembler
% without: gprolog gplc

main :-
    A is 7 ** 35500,
    rounds(450, A, 0, Sum),
    write(checksum(Sum)), nl.

rounds(0, _, Sum, Sum) :- !.
rounds(N, A, Sum0, Sum) :-
    B is A + N,
    atom_number(Atom, B),
    atom_length(Atom, Length),
    sub_atom(Atom, 15000, 4, _, Digits),
    atom_number(Digits, D),
    Sum1 is (Sum0 + Length + D) mod 1000003,
    N1 is N - 1,
    rounds(N1, A, Sum1, Sum).
