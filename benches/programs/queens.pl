% All ways to place 8 to 11 queens: selection from a list, attack tests, deep backtracking.

main :-
    findall(Queens, (size(N), queens(N, Queens)), All),
    weighted(All, 0, Sum),
    write(checksum(Sum)), nl.

size(8). size(9). size(10). size(11). size(11). size(9).

queens(N, Queens) :-
    columns(N, Columns),
    place(Columns, [], Queens).

place([], Queens, Queens).
place(Columns, Placed, Queens) :-
    pick(Columns, Column, Rest),
    unattacked(Placed, Column, 1),
    place(Rest, [Column|Placed], Queens).

unattacked([], _, _).
unattacked([Other|Others], Column, Distance) :-
    Column =\= Other + Distance,
    Column =\= Other - Distance,
    Next is Distance + 1,
    unattacked(Others, Column, Next).

pick([X|Xs], X, Xs).
pick([X|Xs], Y, [X|Ys]) :-
    pick(Xs, Y, Ys).

columns(0, []) :- !.
columns(N, [N|Rest]) :-
    N1 is N - 1,
    columns(N1, Rest).

weighted([], Sum, Sum).
weighted([[First|_]|Rest], Sum0, Sum) :-
    Sum1 is Sum0 + First,
    weighted(Rest, Sum1, Sum).
