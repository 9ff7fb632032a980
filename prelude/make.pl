% Loading anew what has changed: make/0 is a builtin.

:- module(make, [
    make/0
]).
