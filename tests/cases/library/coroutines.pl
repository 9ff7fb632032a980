% Loads the libraries for the queries beside.

:- use_module(library(freeze)).
:- use_module(library(dif)).
:- use_module(library(when)).
