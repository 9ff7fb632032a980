:- module(q, [twice/2]).
twice(X, Y) :- Y is X * 2.
never(x).
