% Breadth-first search over the states of three jugs of water, repeated with other sizes. The visited states
% are clauses with a compound term.

:- dynamic(seen/1).

main :-
    rounds(40, 0, Sum),
    write(checksum(Sum)), nl.

rounds(0, Sum, Sum) :- !.
rounds(N, Sum0, Sum) :-
    retractall(seen(_)),
    C is 31 + N,
    Start = jugs(C, 0, 0),
    assertz(seen(Start)),
    search([Start], sizes(C, 29, 19), 1, Count),
    Sum1 is Sum0 + Count,
    N1 is N - 1,
    rounds(N1, Sum1, Sum).

search([], _, Count, Count) :- !.
search(States, Sizes, Count0, Count) :-
    findall(Next, fresh(States, Sizes, Next), Nexts),
    length(Nexts, N),
    Count1 is Count0 + N,
    search(Nexts, Sizes, Count1, Count).

fresh(States, Sizes, Next) :-
    one_of(State, States),
    move(State, Sizes, Next),
    \+ seen(Next),
    assertz(seen(Next)).

one_of(X, [X|_]).
one_of(X, [_|Xs]) :- one_of(X, Xs).

move(jugs(A, B, C), sizes(_, M, _), jugs(A1, B1, C)) :- pour(A, B, M, A1, B1).
move(jugs(A, B, C), sizes(_, _, M), jugs(A1, B, C1)) :- pour(A, C, M, A1, C1).
move(jugs(A, B, C), sizes(M, _, _), jugs(A1, B1, C)) :- pour(B, A, M, B1, A1).
move(jugs(A, B, C), sizes(_, _, M), jugs(A, B1, C1)) :- pour(B, C, M, B1, C1).
move(jugs(A, B, C), sizes(M, _, _), jugs(A1, B, C1)) :- pour(C, A, M, C1, A1).
move(jugs(A, B, C), sizes(_, M, _), jugs(A, B1, C1)) :- pour(C, B, M, C1, B1).
move(jugs(A, B, C), _, jugs(A1, B, C)) :- A > 0, A1 is A - 1.

% Pours all of the water, or as much as fits.
pour(From, To, Room, 0, To1) :- From > 0, To1 is From + To, To1 =< Room, !.
pour(From, To, Room, From1, Room) :- From > 0, To < Room, From1 is From - Room + To.
