p.
:- halt.

?- p.
   true.
