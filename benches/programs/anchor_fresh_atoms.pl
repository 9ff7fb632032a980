% New atoms, made from numbers by atom_codes/2.
% without: gprolog gplc
% GNU Prolog takes minutes, even with space for all of these atoms.

main :-
    made(1, 500000, 0, Sum),
    write(checksum(Sum)), nl.

made(N, High, Sum, Sum) :- N > High, !.
made(N, High, Sum0, Sum) :-
    number_codes(N, Codes),
    atom_codes(Atom, [0'n|Codes]),
    atom_length(Atom, Length),
    Sum1 is Sum0 + Length,
    N1 is N + 1,
    made(N1, High, Sum1, Sum).
