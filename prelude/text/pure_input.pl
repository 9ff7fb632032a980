% Grammars over the text of files.

:- module(pure_input, [
    phrase_from_file/2,
    phrase_from_file/3,
    phrase_from_stream/2,
    stream_to_lazy_list/2
]).

:- public((attr_unify_hook/2)).

:- meta_predicate(phrase_from_file(//, +)).
:- meta_predicate(phrase_from_file(//, +, +)).
:- meta_predicate(phrase_from_stream(//, +)).

%% phrase_from_file(:Body, +File)
%
%  True if the grammar body Body accepts the text of File, a list of codes. Reads the text only as Body needs
%  it; see stream_to_lazy_list/2.
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
%  Parses like phrase_from_file/2, with options for opening the file.

phrase_from_file(Body, File, Options) :-
    setup_call_cleanup(
        open(File, read, Stream, Options),
        phrase_from_stream(Body, Stream),
        close(Stream)).

%% phrase_from_stream(:Body, +Stream)
%
%  True if the grammar body Body accepts the remaining text of Stream.

phrase_from_stream(Body, Stream) :-
    phrase_of_blocks(Body, Stream, Last),
    read_rest(Last).

% No environment holds the list, so its used parts can be collected.
phrase_of_blocks(Body, Stream, Last) :-
    blocks(Stream, Last, Codes),
    phrase(Body, Codes).

% A body may leave a rest, like remainder//1. This reads the rest before the stream is closed.
read_rest(Last) :-
    arg(1, Last, Rest),
    (   Rest == []
    ->  true
    ;   ( Rest = [_|_] -> true ; Rest = [] ),
        read_rest(Last)
    ).

%% stream_to_lazy_list(+Stream, -Codes)
%
%  Unifies Codes with the codes of the remaining text of Stream. Reads a block when the list before it has been
%  used. Parts of the list without references take no memory. Backtracking reads a block again. A stream that
%  cannot be positioned is read at once. Other goals must not read the stream.
%
%  ?- open('n.txt', write, _S), write(_S, 'abc'), close(_S), open('n.txt', read, _In), stream_to_lazy_list(_In, [A,B|_]), close(_In).
%  A = 97,
%  B = 98.

stream_to_lazy_list(Stream, Codes) :-
    blocks(Stream, _, Lazy),
    Codes = Lazy.

% Last is last(Rest), where Rest is the unread part of the list.
blocks(Stream, Last, Codes) :-
    (   stream_property(Stream, reposition(true))
    ->  once(stream_property(Stream, position(Place))),
        Last = last(Codes),
        put_attr(Codes, pure_input, block(Stream, Place, Last))
    ;   Last = last([]),
        read_stream_to_codes(Stream, Codes)
    ).

% Reads the next block when the rest of a list is used.
attr_unify_hook(block(Stream, Place, Last), Codes) :-
    (   stream_property(Stream, position(Place))
    ->  true
    ;   set_stream_position(Stream, Place)
    ),
    read_string(Stream, 4096, Text),
    (   string_length(Text, 0)
    ->  setarg(1, Last, []),
        Codes = []
    ;   once(stream_property(Stream, position(Next))),
        setarg(1, Last, Rest),
        put_attr(Rest, pure_input, block(Stream, Next, Last)),
        format(codes(Block, Rest), '~w', [Text]),
        Codes = Block
    ).
