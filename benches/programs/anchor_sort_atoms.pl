% sort/2 and compare/3 of 30,000 atoms.

main :-
    names(30000, 12345, Names),
    rounds(10, Names, 0, Sum),
    write(checksum(Sum)), nl.

rounds(0, _, Sum, Sum) :- !.
rounds(N, Names, Sum0, Sum) :-
    sort([last|Names], Sorted),
    ascents(Sorted, Ascents),
    ascents(Names, Ups),
    Sum1 is Sum0 + Ascents + Ups,
    N1 is N - 1,
    rounds(N1, Names, Sum1, Sum).

ascents(Names, Count) :- ascents(Names, 0, Count).

ascents([], Count, Count).
ascents([_], Count, Count) :- !.
ascents([A, B|Names], Count0, Count) :-
    compare(Order, A, B),
    up(Order, Up),
    Count1 is Count0 + Up,
    ascents([B|Names], Count1, Count).

up(<, 1).
up(>, 0).
up(=, 0).

names(0, _, []) :- !.
names(N, X, [Name|Names]) :-
    number_codes(X, Codes),
    atom_codes(Name, [0'n, 0'a, 0'm, 0'e, 0'_|Codes]),
    Y is (X * 1103515245 + 12345) mod 2147483648,
    N1 is N - 1,
    names(N1, Y, Names).
