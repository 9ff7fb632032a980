% Grammars over files, by the name that SWI-Prolog has for it: see library(pure_input).

:- module(pio, [
    phrase_from_file/2,
    phrase_from_file/3
]).
