% Labeling needs a list of variables with bounds.
:- use_module(library(clpfd)).
:- X #> 3, label([X]).
:- X in 1..3, label(X).
