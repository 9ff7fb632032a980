distinct(X, Y, Z) :- X \= Y, !, Z = yes.
distinct(_, _, no).
