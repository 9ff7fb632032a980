% Blank lines before answers and within them.
p(1).
p(2).

?- p(X).

   X = 1 ;

   X = 2.
?- p(X).

   X = 1 ; % no more
   X = 2.

% The full stop is missing: what is not indented is no answer.
?- p(X).
   X = 1 ;
   X = 2.

q(1).

% What may be a clause is one.
?- p(_).

   q(2).

all ?- q(X).
   X = 1 ;
   X = 2.
