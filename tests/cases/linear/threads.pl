% A program for threads.queries.
:- use_module(library(linear)).
