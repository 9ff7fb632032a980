MODULE n.
p ,.
?- p X.
   X <- 1.
