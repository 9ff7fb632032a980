% Loads the libraries for the queries beside.

:- use_module(library(pairs)).
:- use_module(library(ordsets)).
:- use_module(library(option)).
