MODULE n.
p 1.
?- p X.
   X <- 1 , leftover([]).
