% Facts of a dynamic predicate found by their first argument, a million of them, in random order: each is
% looked up twice, and the processor's cache holds few of them.

:- dynamic(item/3).

main :-
    add(0, 1000000),
    look_up(2000000, 1, 0, Sum),
    write(checksum(Sum)), nl.

add(High, High) :- !.
add(Low, High) :-
    Value is Low mod 1009,
    assertz(item(Low, any, Value)),
    Next is Low + 1,
    add(Next, High).

look_up(0, _, Sum, Sum) :- !.
look_up(N, Key, Sum0, Sum) :-
    item(Key, _, Value),
    Sum1 is Sum0 + Value,
    Next is (Key * 7921 + 12347) mod 1000000,
    N1 is N - 1,
    look_up(N1, Next, Sum1, Sum).
