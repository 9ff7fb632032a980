p(1). p(2). p('a;%b').

?- p(X).
   X = 1 ; % the base case
   X = 2 ; % is another number
   % what is quoted
   X = 'a;%b'. % the end
?- p(X), X == 2.
   X = 2 ;
   % gone
   false. % the only one
?- p(X), atom(X).
   /* one */
   % another line
   % found
   % none
   X = 'a;%b'.
?- X = 1, Y = 2.
   % the first
   X = 1, Y = 2. % the second
