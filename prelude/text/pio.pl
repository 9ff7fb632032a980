% Grammars over files, under SWI-Prolog's name: see library(pure_input).

:- module(pio, [
    phrase_from_file/2,
    phrase_from_file/3,
    phrase_from_stream/2,
    stream_to_lazy_list/2
]).
