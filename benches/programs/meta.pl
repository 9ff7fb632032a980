% A meta-interpreter that runs naive reverse: rules as data, copied and unified by hand.

main :-
    numbers(1, 30, List),
    rounds(30000, List, 0, Sum),
    write(checksum(Sum)), nl.

rounds(0, _, Sum, Sum) :- !.
rounds(N, List, Sum0, Sum) :-
    solve(reversed(List, [First|_])),
    Sum1 is Sum0 + First,
    N1 is N - 1,
    rounds(N1, List, Sum1, Sum).

solve(true) :- !.
solve((A, B)) :- !,
    solve(A),
    solve(B).
solve(Goal) :-
    rule(Goal, Body),
    solve(Body).

rule(reversed([], []), true).
rule(reversed([X|Xs], Ys), (reversed(Xs, Zs), joined(Zs, [X], Ys))).
rule(joined([], Ys, Ys), true).
rule(joined([X|Xs], Ys, [X|Zs]), joined(Xs, Ys, Zs)).

numbers(High, High, [High]) :- !.
numbers(Low, High, [Low|Rest]) :-
    Next is Low + 1,
    numbers(Next, High, Rest).
