% Primes up to 45,000 by sieving a list: filters that build a new list each time.

main :-
    candidates(3, 45000, Candidates),
    sieve(Candidates, 2, 0, Sum),
    write(checksum(Sum)), nl.

candidates(Low, High, []) :-
    Low > High, !.
candidates(Low, High, [Low|Rest]) :-
    Next is Low + 2,
    candidates(Next, High, Rest).

sieve([], Last, Sum0, Sum) :-
    Sum is Sum0 + Last.
sieve([Prime|Rest], Last, Sum0, Sum) :-
    Sum1 is Sum0 + Last,
    without_multiples(Rest, Prime, Left),
    sieve(Left, Prime, Sum1, Sum).

without_multiples([], _, []).
without_multiples([X|Xs], Prime, Ys) :-
    0 is X mod Prime, !,
    without_multiples(Xs, Prime, Ys).
without_multiples([X|Xs], Prime, [X|Ys]) :-
    without_multiples(Xs, Prime, Ys).
