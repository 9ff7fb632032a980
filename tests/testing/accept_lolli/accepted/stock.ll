MODULE stock.
item a.
item b.

?- item X.
   X <- a ;
   X <- b.

?- item c.
   no.

?- coin -o item a.
   no.
