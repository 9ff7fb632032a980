% without: gplc
% Rules with plain bodies added to the database by assertz/1; each is called once.

:- dynamic(path/2).

main :-
    add(1, 200000),
    count(1, 200000, 0, Sum),
    write(checksum(Sum)), nl.

add(Low, High) :- Low > High, !.
add(Low, High) :-
    assertz((path(Low, X) :- edge(X, Low), join(f(Low, X), Y), end(Y))),
    Next is Low + 1,
    add(Next, High).

count(Low, High, Sum, Sum) :- Low > High, !.
count(Low, High, Sum0, Sum) :-
    path(Low, X),
    Sum1 is Sum0 + X mod 7,
    Next is Low + 1,
    count(Next, High, Sum1, Sum).

edge(N, N).
join(f(N, N), N).
end(N) :- N > 0.
