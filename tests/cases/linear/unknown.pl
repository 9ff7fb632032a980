:- use_module(library(linear)).
start(G) :- G.
