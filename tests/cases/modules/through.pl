% Exports what others define.
:- module(through, [own/1]).
:- reexport(first, [fact/1, only_first/1 as renamed]).
:- reexport(second, except([shared/1])).
:- reexport(library(pairs), [pairs_keys/2]).

own(through).
