% catch/3 and throw/1: balls caught at once, caught through frames, or passed on, and unused catches.

main :-
    caught(1500000, 0, Sum1),
    deep(6000, 0, Sum2),
    quiet(1200000, 0, Sum3),
    Sum is Sum1 + Sum2 + Sum3,
    write(checksum(Sum)), nl.

caught(0, Sum, Sum) :- !.
caught(N, Sum0, Sum) :-
    catch(throw(ball(N)), ball(M), true),
    Sum1 is (Sum0 + M) mod 1000003,
    N1 is N - 1,
    caught(N1, Sum1, Sum).

deep(0, Sum, Sum) :- !.
deep(N, Sum0, Sum) :-
    catch(catch(dive(300), other, true), bottom(X), true),
    Sum1 is Sum0 + X,
    N1 is N - 1,
    deep(N1, Sum1, Sum).

dive(0) :- throw(bottom(1)).
dive(N) :-
    N > 0,
    N1 is N - 1,
    dive(N1),
    N1 >= 0.

quiet(0, Sum, Sum) :- !.
quiet(N, Sum0, Sum) :-
    catch(step(N, X), _, X = 0),
    Sum1 is Sum0 + X,
    N1 is N - 1,
    quiet(N1, Sum1, Sum).

step(N, X) :- X is N mod 3.
