% Of goals of the same predicate in one directive the one is marked that raised the error.
:- X is 2, Y is X/0, write(Y).
:- X = a,
   Y is 1,
   Z is X + Y, write(Z).
:- atom_length(abc, L), atom_length(B, L), write(B).
:- X = 1, ( X > 2 -> true ; X > b -> true ; X > 0 ).
:- X is 1, X is foo + 1, _ is X.
