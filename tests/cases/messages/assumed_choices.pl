% What is assumed as one of two alternatives need not be defined, nor what is asserted, be it an atom.
:- use_module(library(linear)).
choice :- (tea & coffee) -<> coffee.
other :- (tea & coffee) -<> tea.
asserted :- assertz(done), done.
undone :- done_not.
