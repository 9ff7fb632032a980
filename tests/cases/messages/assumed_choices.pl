% Predicates that are assumed as alternatives, or asserted, need not be defined, even without arguments.
:- use_module(library(linear)).
choice :- (tea & coffee) -<> coffee.
other :- (tea & coffee) -<> tea.
asserted :- assertz(done), done.
undone :- done_not.
