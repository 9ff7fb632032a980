MODULE unfinished_clauses.
animal cow
animal hen.
bad X :- animal X, feed X
worse X :- feed X.
known (f X
g X) :- animal X,
animal X.
long X :- animal X
   cow.
