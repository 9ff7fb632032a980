% Terms that are to be numbers,
even(X) :- X mod 2 == 0.
odd(X) :- X mod 2 = 1.
one(X) :- ( 2 = X + 1 -> true ; fail ).
none(X, Y) :- \+ sqrt(X * Y) == 2.5.
% and comparisons that hold of nothing.
next(X) :- X =:= X + 1.
last(X) :- 1 + X =:= X.
less(X) :- X < X.
more(X, Y) :- X * Y > X * Y.
other(X) :- X =\= X.

% What may hold is all right.
half(X) :- X =:= 1 - X.
same(X) :- X =< X, X =:= X + 0.
random_pair :- random(6) =\= random(6), Y = 6, random(Y) < random(Y).
pair(X, Y) :- X-Y = 1-2, X + 1 == Y.
tree(X) :- node(X) = 1.
