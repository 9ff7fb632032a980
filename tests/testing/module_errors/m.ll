MODULE m.
p 1.
p ) .
?- p X.
   X <- 1.
?- p 1.
   solved.
