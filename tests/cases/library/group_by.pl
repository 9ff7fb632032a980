:- use_module(library(solution_sequences)).

p(a, 1, x).
p(b, 2, y).
p(a, 3, z).
