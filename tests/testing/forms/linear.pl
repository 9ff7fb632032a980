:- use_module(library(linear)).
buy(tea) :- coin(1).
