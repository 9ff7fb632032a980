% Puzzle Utilities: the small library for the programs of "Cheating Linguists" and its companions. They load it
% by :- ensure_loaded(misc). Its count_solutions/2 is a builtin.

:- module(misc, [
    otherwise/0
]).

:- loaders_dialect(dec10).

%% otherwise
%
%  Succeeds: the last condition of a chain, as in ( A -> B ; otherwise -> C ).

otherwise.
