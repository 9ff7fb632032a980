MODULE c.
a 1.
?- a "x.
   no.
a 2.
b 3.
?- a X.
   X <- 1 ;
   X <- 2.
?- b X.
   X <- "3.
one ?- b X.
   X <- 3.
two ?- write "a.
b".
   outputs("\"a.\n"),
   outputs("b\"").
