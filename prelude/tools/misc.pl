% Puzzle Utilities: the small library that the programs of "Cheating Linguists" and
% its companions load by :- ensure_loaded(misc). Its count_solutions/2 is a
% builtin.

:- module(misc, [
    otherwise/0
]).

:- loaders_dialect(dec10).

%% otherwise
%
%  True: the last condition of a chain of them, as in ( A -> B ; otherwise -> C ).

otherwise.
