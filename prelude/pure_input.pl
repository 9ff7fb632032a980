% Grammars over the text of files.

:- module(pure_input, [
    phrase_from_file/2,
    phrase_from_file/3
]).

:- meta_predicate(phrase_from_file(//, +)).
:- meta_predicate(phrase_from_file(//, +, +)).

%% phrase_from_file(:Body, +File)
%
%  The grammar body accepts the text of File, a list of codes. All of it is read first.
%
%  ?- use_module(library(dcg/basics)).
%  true.
%
%  ?- open('n.txt', write, _S), write(_S, '42'), close(_S), phrase_from_file(integer(N), 'n.txt').
%  N = 42.

phrase_from_file(Body, File) :-
    phrase_from_file(Body, File, []).

%% phrase_from_file(:Body, +File, +Options)
%
%  The same, with options for opening the file.

phrase_from_file(Body, File, Options) :-
    read_file_to_codes(File, Codes, Options),
    phrase(Body, Codes).
