% without: gplc
% Rules with conditions, arithmetic and a disjunction added to the database by assertz/1; each is called once.

:- dynamic(step/3).

main :-
    add(1, 100000),
    count(1, 100000, 0, Sum),
    write(checksum(Sum)), nl.

add(Low, High) :- Low > High, !.
add(Low, High) :-
    assertz((step(Low, X, Y) :-
        (   X > Low
        ->  Y is X - Low
        ;   X =:= Low
        ->  same(X, Y)
        ;   ( other(X, Y) ; Y = Low )
        ))),
    Next is Low + 1,
    add(Next, High).

count(Low, High, Sum, Sum) :- Low > High, !.
count(Low, High, Sum0, Sum) :-
    X is (Low + 7) mod 11 + Low - 5,
    step(Low, X, Y), !,
    Sum1 is Sum0 + Y mod 7,
    Next is Low + 1,
    count(Next, High, Sum1, Sum).

same(X, X).
other(X, Y) :- X > 3, Y = X.
