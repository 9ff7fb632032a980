% maplist/3 over a thousand elements, with a predicate that has one more argument.
% note: GNU Prolog compiles to machine code

main :-
    numbers(1, 1000, List),
    rounds(6000, List, 0, Sum),
    write(checksum(Sum)), nl.

rounds(0, _, Sum, Sum) :- !.
rounds(N, List, Sum0, Sum) :-
    maplist(plus_to(N), List, [First|_]),
    Sum1 is Sum0 + First,
    N1 is N - 1,
    rounds(N1, List, Sum1, Sum).

plus_to(N, X, Y) :- Y is X + N.

numbers(High, High, [High]) :- !.
numbers(Low, High, [Low|Rest]) :-
    Next is Low + 1,
    numbers(Next, High, Rest).
