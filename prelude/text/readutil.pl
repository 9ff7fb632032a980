% Reading lines and files: the predicates that SWI-Prolog's library(readutil)
% documents are builtins.

:- module(readutil, [
    read_line_to_codes/2,
    read_line_to_codes/3,
    read_stream_to_codes/2,
    read_stream_to_codes/3
]).
