% A directive without `:-` is a fact, and takes the place of what the system has.
use_module(library(lists)).
initialization(main).

% These are definitions of the program's own.
consult(File) :- write(File).
table(_).
