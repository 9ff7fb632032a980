:- use_module(library(linear)).

layout(Moves) :- tjrot --o solve(s(s(s(s(s(s(s(s(s(z))))))))), Moves).
