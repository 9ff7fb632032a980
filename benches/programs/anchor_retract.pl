% retract/1 of facts by their first argument, and a counter that is retracted and asserted.

:- dynamic(item/2).
:- dynamic(counter/1).

main :-
    add(0, 100000),
    take(100000, 1, 0, Sum),
    assertz(counter(0)),
    count(100000),
    counter(Count),
    Check is Sum + Count,
    write(checksum(Check)), nl.

add(High, High) :- !.
add(Low, High) :-
    Value is Low mod 1009,
    assertz(item(Low, Value)),
    Next is Low + 1,
    add(Next, High).

take(0, _, Sum, Sum) :- !.
take(N, Key, Sum0, Sum) :-
    retract(item(Key, Value)), !,
    Sum1 is Sum0 + Value,
    Next is (Key * 7921 + 12347) mod 100000,
    N1 is N - 1,
    take(N1, Next, Sum1, Sum).

count(0) :- !.
count(N) :-
    retract(counter(C)), !,
    C1 is C + 1,
    assertz(counter(C1)),
    N1 is N - 1,
    count(N1).
