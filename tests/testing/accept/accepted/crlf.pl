p(1).
p(2).
?- p(X).
    X = 1 ;
    X = 2.
new ?- p(X), write(X).
   outputs("1"),
   X = 1 ;
   outputs("2"),
   X = 2.
q.
