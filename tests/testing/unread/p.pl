p(1).

:- if(fail).
p(2).
?- p(X).
   X = 2.
:- if(true).
?- q(X).
   X = 3.
:- else.
?- q(X).
   X = 4.
:- endif.
:- elif(true).
?- p(X).
   X = 5.
:- else.
?- p(X).
   X = 6.
:- endif.

:- if(true).
?- p(X), X > 0.
   X = 7.
:- else.
new ?- p(X).
:- endif.

end_of_file.

Notes, of which nothing is read:
?- p(X).
   X = 1 or so.
