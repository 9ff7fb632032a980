p(1). p(2). p('a;%b').

?- p(X).
   X = 1 ; % the base case
   X = 3 ; % is another number
   % what is quoted
   X = 'a;%b'. % the end
?- p(X), X == 2.
   X = 1 ; % gone
   X = 2. % the only one
?- p(X), atom(X).
   X = 2, /* one */ Y = 3
;  % another line
   X = 'a;%b' ; % found
   % none
   false.
?- X = 1, Y = 2.
   X = 1, % the first
   Y = 3. % the second
