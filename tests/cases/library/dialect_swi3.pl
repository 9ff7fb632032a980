% A program of that dialect.

:- use_module(library(dialect_swi3)).

local(a).
