% A file that is loaded at run time: its errors are reported with their own locations.

:- initialization(main, main).

main :- consult('consulted_later.inc').
