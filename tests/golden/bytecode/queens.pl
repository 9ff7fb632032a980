% Code of queens/2, select/3, place/3, attack/2, attack/3.
queens(N, Queens) :- numlist(1, N, Ns), place(Ns, [], Queens).

place([], Queens, Queens).
place(Unplaced, Safe, Queens) :-
    select(Queen, Unplaced, Rest),
    \+ attack(Queen, Safe),
    place(Rest, [Queen|Safe], Queens).

attack(Queen, Queens) :- attack(Queen, 1, Queens).

attack(X, N, [Y|_]) :- X is Y + N.
attack(X, N, [Y|_]) :- X is Y - N.
attack(X, N, [_|Ys]) :- N1 is N + 1, attack(X, N1, Ys).

select(X, [X|Xs], Xs).
select(X, [Y|Ys], [Y|Zs]) :- select(X, Ys, Zs).
