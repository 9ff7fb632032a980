MODULE s.
q 1 2.
r 3.

?- q X Y
   no.
?- r X.
   X <- 3.
?- r X
   X <- 3.

two ?- r X.

   X <- 3.
