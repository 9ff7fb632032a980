% Code of colour/2, kind/2, second/2, deriv/3, mixed/2, unified/2, gap/3.
colour(red, 1).
colour(green, 2).
colour(blue, 3).
colour(yellow, 4).

kind([], nil).
kind([_|_], list).
kind(f(_), one).
kind(f(_, _), two).
kind(1.5, float).

second(X, a) :- p(X).
second(X, b) :- p(X).
second(X, f(_)) :- p(X).

deriv(X + Y, V, DX + DY) :- deriv(X, V, DX), deriv(Y, V, DY).
deriv(X * Y, V, DX * Y + X * DY) :- deriv(X, V, DX), deriv(Y, V, DY).
deriv(X, X, 1) :- !.
deriv(_, _, 0).

mixed(a, 1).
mixed(_, 2).
mixed(b, 3).

unified(X, Y) :- X = a, p(Y).
unified(X, Y) :- X = b, p(Y).

p(_).

% Inside of the second argument one clause asks for a value, the other does not.
gap(T, x(_, terminal, T, X), X).
gap(T, X, X) :- p(T).
