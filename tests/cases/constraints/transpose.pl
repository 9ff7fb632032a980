% Loads the library for the queries beside.

:- use_module(library(clpfd), [transpose/2]).
