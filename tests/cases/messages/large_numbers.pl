% A message has no more digits than a moment makes.
:- X is 7 ** 3000000, atom_length(X, -1).
:- X is 7 ** 30, throw(too_large(X)).
:- X is 7 ** 3000000, throw(too_large(X)).
