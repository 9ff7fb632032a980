MODULE stock.
item a.
item b.

?- item X.

?- item c.

?- coin -o item a.
   solved.
