p(1).
p(.
q(X, Y) :- p(Y).
?- p(X).
   X = 1.
?- q(a, X).
   X = 1.
