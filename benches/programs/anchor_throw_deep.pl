% throw/1 through a thousand frames.

main :-
    rounds(20000, 0, Sum),
    write(checksum(Sum)), nl.

rounds(0, Sum, Sum) :- !.
rounds(N, Sum0, Sum) :-
    catch(dive(1000, _), bottom(X), true),
    Sum1 is Sum0 + X,
    N1 is N - 1,
    rounds(N1, Sum1, Sum).

dive(0, _) :- !, throw(bottom(1)).
dive(N, X) :-
    N1 is N - 1,
    dive(N1, Y),
    X is Y + 1.
