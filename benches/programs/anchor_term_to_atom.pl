% Terms turned into atoms and back.
% without: gprolog gplc

main :-
    rounds(85000, 0, Sum),
    write(checksum(Sum)), nl.

rounds(0, Sum, Sum) :- !.
rounds(N, Sum0, Sum) :-
    term_to_atom(item(N, [a, 'B c', N], f(x) + 2), Atom),
    atom_length(Atom, Length),
    term_to_atom(item(M, _, _), Atom),
    Sum1 is Sum0 + M + Length,
    N1 is N - 1,
    rounds(N1, Sum1, Sum).
