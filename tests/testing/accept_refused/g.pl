:- use_module(library(linear)).
:- consult('f.ll').
p(1).
?- p(X).
   X = 2.
?- f --o p(X).
   X = 1.
