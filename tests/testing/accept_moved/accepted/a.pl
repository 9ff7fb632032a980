p(1).
p(2).

?- p(X).
q(X) :- X is foo.
?- member(X, [a, b, c]).
   X = a ;
   X = b ;
   X = c.
?- p(X) q.
   false.
r(X) :- s(Y).
?- between(1, inf, X), X < 0.
   false.
