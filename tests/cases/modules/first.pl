:- module(first, [shared/1, only_first/1, fact/1]).

:- dynamic fact/1.

shared(first).
only_first(1).
fact(1).
hidden(first).
