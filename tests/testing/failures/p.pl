p(1).
p(2).
p(f(A, A)).

?- p(X).
   X = 1 ;
   X = 3 ;
   X = f(_, _).
one ?- p(X).
   X = 1.
?- p(X).
   X = 1 ;
   X = 2 ;
   X = f(_A, _B).
?- p(X), integer(X).
   X = 1 ;
   X = 2 ;
   X = 3.
?- write(a).
   outputs("b").
?- X is a.
   X = 1.
?- p(4).
   true.
?- p(X), X > 0.
   X = 1 ;
   X = 2 ;
   type_error(evaluable, g/_).
?- p(X).
   count(4).
?- p(f(X, 1)).
   X = 1 ;
   ... .
?- p(no).
   Y = 1.
?- X = Y.
   true.
?- p(_).
   .
?- member(X, [1, 2]),
   p(X).
   X = 2.
