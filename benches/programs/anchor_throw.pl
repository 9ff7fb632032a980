% throw/1 and catch/3, a million times.

main :-
    caught(1000000, 0, Sum),
    write(checksum(Sum)), nl.

caught(0, Sum, Sum) :- !.
caught(N, Sum0, Sum) :-
    catch(throw(ball(N)), ball(M), true),
    Sum1 is (Sum0 + M) mod 1000003,
    N1 is N - 1,
    caught(N1, Sum1, Sum).
