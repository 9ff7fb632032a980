% A tail-recursive loop to forty million: last calls, comparison and one addition.

main :-
    count(0, 40000000, N),
    write(checksum(N)), nl.

count(N, N, N) :- !.
count(N0, Limit, N) :-
    N1 is N0 + 1,
    count(N1, Limit, N).
