MODULE account Owner Start.
LINEAR bal Start.
deposit Owner N G :- bal B , C is B + N , (bal C -o G).
balance Owner B G :- bal B , (bal B -o G).
close Owner :- bal _B.
?- account joe 10 --o deposit joe 5 (balance joe B (close joe)).
   B <- 15 ;
   no.
?- deposit joe 5 (balance joe B (close joe)).
   B <- 15.
?- deposit joe 5 (close joe).
