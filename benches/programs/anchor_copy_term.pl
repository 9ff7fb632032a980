% copy_term/2 of a term with variables and a list of 30 elements.

main :-
    numbers(1, 30, List),
    rounds(400000, t(X, f(Y, [X, Z|List]), g(Y, Z, a), 1.5), 0, Sum),
    write(checksum(Sum)), nl.

rounds(0, _, Sum, Sum) :- !.
rounds(N, Term, Sum0, Sum) :-
    copy_term(Term, t(N, f(_, [M|_]), _, _)),
    Sum1 is (Sum0 + M) mod 1000003,
    N1 is N - 1,
    rounds(N1, Term, Sum1, Sum).

numbers(High, High, [High]) :- !.
numbers(Low, High, [Low|Rest]) :-
    Next is Low + 1,
    numbers(Next, High, Rest).
