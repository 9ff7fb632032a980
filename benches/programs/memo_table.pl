% The longest common subsequence of two sequences, with a table of clauses that have two numbers as keys.

:- dynamic(known/3).

main :-
    common(0, 0, Length),
    write(checksum(Length)), nl.

size(700).

left(I, X) :- X is (I * I * 7919 + I // 3) mod 5.
right(J, Y) :- Y is (J * J * J * 104729 + J // 7) mod 5.

common(I, J, Length) :- known(I, J, Known), !, Length = Known.
common(I, J, 0) :- size(N), ( I >= N ; J >= N ), !.
common(I, J, Length) :-
    I1 is I + 1, J1 is J + 1,
    left(I, X), right(J, Y),
    (   X =:= Y ->
        common(I1, J1, Length1), Length is Length1 + 1
    ;   common(I1, J, Length1), common(I, J1, Length2), Length is max(Length1, Length2)
    ),
    assertz(known(I, J, Length)).
