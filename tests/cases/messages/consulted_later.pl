% A file that is loaded when the program runs: what is wrong in it is told with its own places.

:- initialization(main, main).

main :- consult('consulted_later.inc').
