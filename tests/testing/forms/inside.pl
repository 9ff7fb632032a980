:- module(inside, [twice/2]).
twice(X, Y) :- double(X, Y).
double(X, Y) :- Y is 2*X.
% What a module does not export is known here.
?- double(2, X).
   X = 4.
