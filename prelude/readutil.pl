% Reading lines and files: the predicates that SWI-Prolog's library(readutil)
% documents. All but these are builtins.

:- module(readutil, [
    read_line_to_codes/3,
    read_stream_to_codes/3
]).

:- use_module(library(lists), [append/3]).

%% read_line_to_codes(+Stream, -Codes, ?Tail)
%
%  Codes are those of the next line with its line end, followed by Tail; Codes is
%  Tail at the end of the stream.

read_line_to_codes(Stream, Codes, Tail) :-
    peek_code(Stream, Code),
    (   Code == -1
    ->  Codes = Tail
    ;   readutil_line(Stream, Codes, Tail)
    ).

readutil_line(Stream, Codes, Tail) :-
    get_code(Stream, Code),
    (   Code == -1
    ->  Codes = Tail
    ;   Codes = [Code|Codes1],
        (   Code == 0'\n
        ->  Codes1 = Tail
        ;   readutil_line(Stream, Codes1, Tail)
        )
    ).

%% read_stream_to_codes(+Stream, -Codes, ?Tail)
%
%  Codes are those of the rest of Stream, followed by Tail.

read_stream_to_codes(Stream, Codes, Tail) :-
    read_stream_to_codes(Stream, Codes0),
    append(Codes0, Tail, Codes).
