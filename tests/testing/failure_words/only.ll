MODULE only.
?- a -o a.
   solved ;
   no.
?- a -o a.
   solved.
?- a -o a.
   solved ;
   false.
?- a.
   false.
?- a -o true.
   true.
?- X = a.
   X = a.
?- X = a.
   X <- a.
