p(1).

% A quote that does not close: the answer is one, and no clause of the program.
one ?- X = "x).
   p(2).
two ?- p(X).
   X = 1.

% A query without its full stop.
three ?- p(X
?- p(X).
   X = 1.
