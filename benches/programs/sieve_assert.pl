% The sieve of Eratosthenes in the database: candidates asserted, multiples retracted, primes counted.
% note: retract/1 looks into the index, then at the entry of the clause in its list, then at the clause

:- dynamic(candidate/1).

main :-
    add(2, 250000),
    strike(2, 250000),
    findall(P, candidate(P), Primes),
    weigh(Primes, 0, Sum),
    write(checksum(Sum)), nl.

weigh([], Sum, Sum).
weigh([X|Xs], Sum0, Sum) :-
    Sum1 is (Sum0 * 7 + X) mod 2500003,
    weigh(Xs, Sum1, Sum).

add(Low, High) :- Low > High, !.
add(Low, High) :-
    assertz(candidate(Low)),
    Next is Low + 1,
    add(Next, High).

strike(P, High) :- P * P > High, !.
strike(P, High) :-
    candidate(P), !,
    First is P * P,
    strike_multiples(First, P, High),
    Next is P + 1,
    strike(Next, High).
strike(P, High) :-
    Next is P + 1,
    strike(Next, High).

strike_multiples(M, _, High) :- M > High, !.
strike_multiples(M, P, High) :-
    ( retract(candidate(M)) -> true ; true ),
    Next is M + P,
    strike_multiples(Next, P, High).
