% Strings: made of numbers, concatenated, measured, cut into parts, turned into atoms.
% without: gprolog gplc

:- set_prolog_flag(double_quotes, string).

main :-
    rounds(120000, 0, Sum),
    write(checksum(Sum)), nl.

rounds(0, Sum, Sum) :- !.
rounds(N, Sum0, Sum) :-
    number_string(N, Digits),
    string_concat("line ", Digits, S1),
    string_concat(S1, ",of the,text", S2),
    split_string(S2, ",", " ", Parts),
    length(Parts, Count),
    sub_string(S2, 2, 5, _, Sub),
    string_codes(Sub, Codes),
    length(Codes, L1),
    string_upper(S2, Upper),
    atom_string(Atom, Upper),
    atom_length(Atom, L2),
    Sum1 is Sum0 + Count + L1 + L2,
    N1 is N - 1,
    rounds(N1, Sum1, Sum).
