% The towers of Hanoi with 24 discs: deterministic double recursion, a counter threaded through.

main :-
    move(24, left, right, middle, 0, Moves),
    write(checksum(Moves)), nl.

move(0, _, _, _, Moves, Moves) :- !.
move(N, From, To, Via, Moves0, Moves) :-
    N1 is N - 1,
    move(N1, From, Via, To, Moves0, Moves1),
    Moves2 is Moves1 + 1,
    move(N1, Via, To, From, Moves2, Moves).
