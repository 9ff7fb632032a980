% Time and memory: the predicates of SWI-Prolog's library(statistics) that are builtins here.

:- module(prolog_statistics, [
    statistics/0,
    time/1
]).
