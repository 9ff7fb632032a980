MODULE n.
?- p X.
   X <- 1.
