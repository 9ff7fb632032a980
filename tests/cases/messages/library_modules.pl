% Modules and clauses of a program beside those of libraries that are loaded already.
:- last([1], X), writeq(X), nl.
lists:append(x, y, z).
:- append([1], [2], X), writeq(X), nl.
:- use_module('library_modules.inc').
:- forall(append(X, Y, Z), (writeq(X-Y-Z), nl)).
:- reverse([1,2], X), writeq(X), nl.
:- append([[1],[2]], X), writeq(X), nl.
:- use_module('library_freeze.inc').
:- use_module(library(lists), [no_such/1]).
