MODULE stock.
cost 2.
?- sold 3 P.
   P <- 6.
sold N P :- cost C , P is N * C.
both ?- (sold 1 P ; sold N P).
   P <- 2 ;
   instantiation_error.
?- write "a ; b." , cost X.
   outputs("\"a ; b.\""),
   X <- 2.
?- cost 3.
   no.
?- cost C , C = D.
   C <- 2 , D <- 2.
