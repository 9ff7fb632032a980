% What is assumed as one of two alternatives need not be defined.
:- use_module(library(linear)).
choice :- (tea & coffee) -<> coffee.
wrong :- (tea & coffee) -<> milk.
