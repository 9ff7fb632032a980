% Much garbage and little live data: steps that build terms and keep only the newest.

main :-
    steps(3000000, state(0, [], none), state(Sum, _, _)),
    write(checksum(Sum)), nl.

steps(0, State, State) :- !.
steps(N, State0, State) :-
    step(N, State0, State1),
    N1 is N - 1,
    steps(N1, State1, State).

step(N, state(Sum, _, Last), state(Sum1, [N, N, N], made(N, f(Sum1)))) :-
    value(Last, V),
    Sum1 is (Sum + N + V) mod 1000003.

value(none, 0).
value(made(N, f(_)), V) :- V is N mod 7.
