% A unification that would make a cyclic term, where that is an error.
:- set_prolog_flag(occurs_check, error).
p(X, f(X)).
:- p(X, X).
:- initialization((Y = [a|Y], true)).
