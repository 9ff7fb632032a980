% Loads the library for the queries beside.

:- use_module(library(messages)).
