% Conversion of terms to lists of character codes and back, by the older names that SWI-Prolog's
% library(charsio) documents. In these names, chars means codes.

:- module(charsio, [
    format_to_chars/3,
    format_to_chars/4,
    write_to_chars/2,
    write_to_chars/3,
    atom_to_chars/2,
    atom_to_chars/3,
    number_to_chars/2,
    number_to_chars/3,
    read_from_chars/2,
    open_chars_stream/2,
    with_output_to_chars/2,
    with_output_to_chars/3,
    with_output_to_chars/4
]).

:- use_module(library(error), [must_be/2]).
:- use_module(library(lists), [append/3]).

:- meta_predicate(with_output_to_chars(0, -)).
:- meta_predicate(with_output_to_chars(0, -, ?)).
:- meta_predicate(with_output_to_chars(0, -, -, ?)).

%% format_to_chars(+Format, +Arguments, -Codes)
%
%  Unifies Codes with the output of format/2.

format_to_chars(Format, Arguments, Codes) :-
    with_output_to(codes(Codes), format(Format, Arguments)).

%% format_to_chars(+Format, +Arguments, -Codes, ?Tail)
%
%  Formats like format_to_chars/3. Codes end in Tail.

format_to_chars(Format, Arguments, Codes, Tail) :-
    with_output_to(codes(Codes, Tail), format(Format, Arguments)).

%% write_to_chars(+Term, -Codes)
%
%  Unifies Codes with the output of write/1.

write_to_chars(Term, Codes) :-
    with_output_to(codes(Codes), write(Term)).

%% write_to_chars(+Term, -Codes, ?Tail)
%
%  Writes like write_to_chars/2. Codes end in Tail.

write_to_chars(Term, Codes, Tail) :-
    with_output_to(codes(Codes, Tail), write(Term)).

%% atom_to_chars(+Atom, -Codes)
%
%  Unifies Codes with the codes of Atom, which may be a number.

atom_to_chars(Atom, Codes) :-
    atom_codes(Atom, Codes).

%% atom_to_chars(+Atom, -Codes, ?Tail)
%
%  Converts like atom_to_chars/2. Codes end in Tail.

atom_to_chars(Atom, Codes, Tail) :-
    atom_codes(Atom, Codes0),
    append(Codes0, Tail, Codes).

%% number_to_chars(+Number, -Codes)
%
%  Unifies Codes with the codes of Number.

number_to_chars(Number, Codes) :-
    number_codes(Number, Codes).

%% number_to_chars(+Number, -Codes, ?Tail)
%
%  Converts like number_to_chars/2. Codes end in Tail.

number_to_chars(Number, Codes, Tail) :-
    number_codes(Number, Codes0),
    append(Codes0, Tail, Codes).

%% read_from_chars(+Codes, -Term)
%
%  Reads Term from Codes. The final full stop is optional. Term is end_of_file if Codes contain no term.

read_from_chars(Codes, Term) :-
    must_be(nonvar, Codes),
    term_string(Term, Codes).

%% open_chars_stream(+Codes, -Stream)
%
%  Opens Codes as the input stream Stream.

open_chars_stream(Codes, Stream) :-
    open_string(Codes, Stream).

%% with_output_to_chars(:Goal, -Codes)
%
%  Calls Goal once and unifies Codes with its current output.

with_output_to_chars(Goal, Codes) :-
    with_output_to(codes(Codes), Goal).

%% with_output_to_chars(:Goal, -Codes, ?Tail)
%
%  Collects output like with_output_to_chars/2. Codes end in Tail.

with_output_to_chars(Goal, Codes, Tail) :-
    with_output_to(codes(Codes, Tail), Goal).

%% with_output_to_chars(:Goal, -Stream, -Codes, ?Tail)
%
%  Collects output like with_output_to_chars/3. Stream is the stream to which Goal writes.

with_output_to_chars(Goal, Stream, Codes, Tail) :-
    with_output_to(codes(Codes, Tail), ( current_output(Stream), call(Goal) )).
