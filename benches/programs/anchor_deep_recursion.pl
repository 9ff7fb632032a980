% Recursion that is not in last position over a list of a million elements: deep environments.
% note: GNU Prolog compiles to machine code and never collects garbage on its stacks

main :-
    numbers(1, 1000000, List),
    rounds(8, List, 0, Sum),
    write(checksum(Sum)), nl.

rounds(0, _, Sum, Sum) :- !.
rounds(N, List, Sum0, Sum) :-
    size(List, Size),
    Sum1 is Sum0 + Size,
    N1 is N - 1,
    rounds(N1, List, Sum1, Sum).

size([], 0).
size([_|Xs], N) :-
    size(Xs, N1),
    N is N1 + 1.

numbers(High, High, [High]) :- !.
numbers(Low, High, [Low|Rest]) :-
    Next is Low + 1,
    numbers(Next, High, Rest).
