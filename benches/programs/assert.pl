% The database as a store: a queue of facts, a counter, and look-ups by first argument.

:- dynamic(item/2).
:- dynamic(counter/1).

main :-
    add_all(1, 400000),
    look_up_all(1, 400000, 0, Sum),
    remove_all(1, 300000),
    assertz(counter(0)),
    count_up(400000),
    counter(Count),
    findall(K, item(K, _), Left),
    length(Left, Rest),
    Check is Sum + Count + Rest,
    write(checksum(Check)), nl.

add_all(Low, High) :-
    Low > High, !.
add_all(Low, High) :-
    assertz(item(Low, value(Low, [Low]))),
    Next is Low + 1,
    add_all(Next, High).

look_up_all(Low, High, Sum, Sum) :-
    Low > High, !.
look_up_all(Low, High, Sum0, Sum) :-
    item(Low, value(V, _)),
    Sum1 is Sum0 + V,
    Next is Low + 1,
    look_up_all(Next, High, Sum1, Sum).

remove_all(Low, High) :-
    Low > High, !.
remove_all(Low, High) :-
    retract(item(Low, _)), !,
    Next is Low + 1,
    remove_all(Next, High).

count_up(0) :- !.
count_up(N) :-
    retract(counter(C)), !,
    C1 is C + 1,
    assertz(counter(C1)),
    N1 is N - 1,
    count_up(N1).
