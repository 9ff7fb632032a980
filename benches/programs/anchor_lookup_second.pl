% Facts of a dynamic predicate found by their second argument, 20,000 of them, in random order.
% without: gprolog gplc

:- dynamic(item/3).

main :-
    add(0, 20000),
    look_up(500000, 1, 0, Sum),
    write(checksum(Sum)), nl.

add(High, High) :- !.
add(Low, High) :-
    Value is Low mod 1009,
    assertz(item(any, Low, Value)),
    Next is Low + 1,
    add(Next, High).

look_up(0, _, Sum, Sum) :- !.
look_up(N, Key, Sum0, Sum) :-
    item(_, Key, Value),
    Sum1 is Sum0 + Value,
    Next is (Key * 7921 + 12347) mod 20000,
    N1 is N - 1,
    look_up(N1, Next, Sum1, Sum).
