% Code of append/3, nrev/2, last/2, member/2, swap/2.
append([], L, L).
append([X|Xs], Ys, [X|Zs]) :- append(Xs, Ys, Zs).

nrev([], []).
nrev([X|Xs], Ys) :- nrev(Xs, Zs), append(Zs, [X], Ys).

last([X], X).
last([_|Xs], X) :- last(Xs, X).

member(X, [X|_]).
member(X, [_|Xs]) :- member(X, Xs).

swap(f(X, Y), f(Y, X)).
