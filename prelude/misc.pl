% Puzzle utilities: the small library that puzzle programs load with `:- ensure_loaded(misc).`
%
% count_solutions/2, which counts without building, and otherwise/0, the last condition of an
% if-then-else, are always there; loading the library is no more than saying that they are used.

:- module(misc, []).
