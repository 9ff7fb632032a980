q(X, Y) :- p(Y).
p(1).
?- q(a, X).
   X = 1.
zork(X) :- zorkk(X).
