% A program's module may have the name of a library's.

:- use_module(pairs_of_ours).

ours(X) :- pairs_of_ours(X).
