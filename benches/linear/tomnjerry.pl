:- use_module(library(linear)).

layout(Moves) :- tomnjerry --o solve(s(s(s(s(s(s(s(s(s(z))))))))), Moves).
