% Many goals that wait for the same variables.

differs_from_all(0, _) :- !.
differs_from_all(N, X) :- dif(X, N), N1 is N-1, differs_from_all(N1, X).

waits_for_all(0, _) :- !.
waits_for_all(N, X) :- when(?=(X, N), tell(X, N)), N1 is N-1, waits_for_all(N1, X).

tell(X, N) :- ( X == N -> writeln(N) ; true ).

ground_waits(0, _, _) :- !.
ground_waits(N, X, Y) :-
    when(ground(f(X, Y)), ( N mod 1000 =:= 0 -> writeln(N) ; true )),
    N1 is N-1,
    ground_waits(N1, X, Y).
