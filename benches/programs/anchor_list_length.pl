% Lists of a million integers are built, and their lengths computed.

main :-
    rounds(6, 0, Sum),
    write(checksum(Sum)), nl.

rounds(0, Sum, Sum) :- !.
rounds(N, Sum0, Sum) :-
    numbers(N, 1000000, List),
    length(List, Length),
    Sum1 is Sum0 + Length,
    N1 is N - 1,
    rounds(N1, Sum1, Sum).

numbers(Low, High, []) :- Low > High, !.
numbers(Low, High, [Low|Rest]) :-
    Next is Low + 1,
    numbers(Next, High, Rest).
