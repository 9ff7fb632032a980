% Facts of two arguments added to the database by assertz/1.

:- dynamic(item/2).

main :-
    add(1, 600000),
    item(600000, Last),
    write(checksum(Last)), nl.

add(Low, High) :- Low > High, !.
add(Low, High) :-
    Value is Low mod 1009,
    assertz(item(Low, Value)),
    Next is Low + 1,
    add(Next, High).
