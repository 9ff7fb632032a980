% Building and taking apart text: atom_codes, atom_chars, atom_concat, sub_atom, number_codes.

main :-
    made(700000, 0, Sum1),
    parted(10000, 0, Sum2),
    Sum is Sum1 + Sum2,
    write(checksum(Sum)), nl.

made(0, Sum, Sum) :- !.
made(N, Sum0, Sum) :-
    M is N mod 20000,
    number_codes(M, Digits),
    atom_codes(Number, Digits),
    atom_concat(item_, Number, Name),
    atom_length(Name, Length),
    atom_chars(Name, Chars),
    last_char(Chars, Last),
    char_code(Last, Code),
    Sum1 is Sum0 + Length + Code,
    N1 is N - 1,
    made(N1, Sum1, Sum).

last_char([C], C) :- !.
last_char([_|Cs], C) :- last_char(Cs, C).

parted(0, Sum, Sum) :- !.
parted(N, Sum0, Sum) :-
    findall(L, (atom_concat(A, _, 'abracadabra'), atom_length(A, L)), Ls),
    findall(B, sub_atom('abracadabra', B, _, _, abra), Bs),
    findall(S, sub_atom('abracadabra', _, 3, _, S), Ss),
    total(Ls, Sum0, Sum1),
    total(Bs, Sum1, Sum2),
    length(Ss, Sum3),
    Sum4 is Sum2 + Sum3,
    N1 is N - 1,
    parted(N1, Sum4, Sum).

total([], Sum, Sum).
total([X|Xs], Sum0, Sum) :-
    Sum1 is Sum0 + X,
    total(Xs, Sum1, Sum).
