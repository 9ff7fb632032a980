% Integers of 30,000 digits read from text.
% without: gprolog gplc

main :-
    A is 7 ** 35500,
    atom_number(Atom, A),
    rounds(20, Atom, 0, Sum),
    write(checksum(Sum)), nl.

rounds(0, _, Sum, Sum) :- !.
rounds(N, Atom, Sum0, Sum) :-
    atom_number(Atom, B),
    Sum1 is (Sum0 + (B + N) mod 1000003) mod 1000003,
    N1 is N - 1,
    rounds(N1, Atom, Sum1, Sum).
