:- module(pairs, [pairs_of_ours/1]).

pairs_of_ours(1).
