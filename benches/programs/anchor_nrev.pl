% Naive reverse of a list of 30 elements: list building and first-argument indexing.

main :-
    numbers(1, 30, List),
    repeat_reverse(40000, List, Last),
    write(checksum(Last)), nl.

repeat_reverse(0, _, 0) :- !.
repeat_reverse(N, List, Last) :-
    reversed(List, [First|_]),
    N1 is N - 1,
    ( N1 =:= 0 -> Last = First ; repeat_reverse(N1, List, Last) ).

reversed([], []).
reversed([X|Xs], Ys) :-
    reversed(Xs, Zs),
    joined(Zs, [X], Ys).

joined([], Ys, Ys).
joined([X|Xs], Ys, [X|Zs]) :-
    joined(Xs, Ys, Zs).

numbers(High, High, [High]) :- !.
numbers(Low, High, [Low|Rest]) :-
    Next is Low + 1,
    numbers(Next, High, Rest).
