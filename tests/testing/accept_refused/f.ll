MODULE f.
p 1.
q X :- p X , .
?- p X.
   X <- 1.
?- p 2.
?- p 1.
   solved.
