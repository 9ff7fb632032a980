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
%  The grammar body accepts the text of File, a list of codes. The text is read as the list is looked at; see
%  stream_to_lazy_list/2.
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
    setup_call_cleanup(
        open(File, read, Stream, Options),
        phrase_from_stream(Body, Stream),
        close(Stream)).

%% phrase_from_stream(:Body, +Stream)
%
%  The grammar body accepts the text that is left in Stream.

phrase_from_stream(Body, Stream) :-
    phrase_of_blocks(Body, Stream, Last),
    read_rest(Last).

% No environment holds the list.
phrase_of_blocks(Body, Stream, Last) :-
    blocks(Stream, Last, Codes),
    phrase(Body, Codes).

% A body may leave a rest, as remainder//1 does: it is read before the stream is closed.
read_rest(Last) :-
    arg(1, Last, Rest),
    (   Rest == []
    ->  true
    ;   ( Rest = [_|_] -> true ; Rest = [] ),
        read_rest(Last)
    ).

%% stream_to_lazy_list(+Stream, -Codes)
%
%  Codes are those of the text that is left in Stream, of which a block is read when the list before it has
%  been looked at. Parts of the list that nothing refers to any more take no memory. Backtracking reads a
%  block again; all of a stream that cannot be positioned is read at once. Nothing else may read the stream.
%
%  ?- open('n.txt', write, _S), write(_S, 'abc'), close(_S), open('n.txt', read, _In), stream_to_lazy_list(_In, [A,B|_]), close(_In).
%  A = 97,
%  B = 98.

stream_to_lazy_list(Stream, Codes) :-
    blocks(Stream, _, Lazy),
    Codes = Lazy.

% Last is last(Rest), where Rest is the part of the list that is not read yet.
blocks(Stream, Last, Codes) :-
    (   stream_property(Stream, reposition(true))
    ->  once(stream_property(Stream, position(Place))),
        Last = last(Codes),
        put_attr(Codes, pure_input, block(Stream, Place, Last))
    ;   Last = last([]),
        read_stream_to_codes(Stream, Codes)
    ).

% The rest of a list is looked at: it is what the next block says.
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
