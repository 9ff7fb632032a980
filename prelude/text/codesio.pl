% Conversion of terms to lists of character codes and back: the predicates that SWI-Prolog's library(codesio)
% documents.

:- module(codesio, [
    format_to_codes/3,
    format_to_codes/4,
    write_to_codes/2,
    write_to_codes/3,
    write_term_to_codes/3,
    write_term_to_codes/4,
    read_from_codes/2,
    open_codes_stream/2,
    with_output_to_codes/2,
    with_output_to_codes/3,
    with_output_to_codes/4
]).

:- use_module(library(error), [must_be/2]).

:- meta_predicate(with_output_to_codes(0, -)).
:- meta_predicate(with_output_to_codes(0, -, ?)).
:- meta_predicate(with_output_to_codes(0, -, -, ?)).

%% format_to_codes(+Format, +Arguments, -Codes)
%
%  Unifies Codes with the output of format/2.
%
%  ?- format_to_codes("~w", [f(x)], _Codes), atom_codes(A, _Codes).
%  A = 'f(x)'.

format_to_codes(Format, Arguments, Codes) :-
    with_output_to(codes(Codes), format(Format, Arguments)).

%% format_to_codes(+Format, +Arguments, -Codes, ?Tail)
%
%  Formats like format_to_codes/3. Codes end in Tail.

format_to_codes(Format, Arguments, Codes, Tail) :-
    with_output_to(codes(Codes, Tail), format(Format, Arguments)).

%% write_to_codes(+Term, -Codes)
%
%  Unifies Codes with the output of write/1.
%
%  ?- write_to_codes(f('A'), _Codes), atom_codes(A, _Codes).
%  A = 'f(A)'.

write_to_codes(Term, Codes) :-
    with_output_to(codes(Codes), write(Term)).

%% write_to_codes(+Term, -Codes, ?Tail)
%
%  Writes like write_to_codes/2. Codes end in Tail.

write_to_codes(Term, Codes, Tail) :-
    with_output_to(codes(Codes, Tail), write(Term)).

%% write_term_to_codes(+Term, -Codes, +Options)
%
%  Unifies Codes with the output of write_term/2.

write_term_to_codes(Term, Codes, Options) :-
    with_output_to(codes(Codes), write_term(Term, Options)).

%% write_term_to_codes(+Term, -Codes, ?Tail, +Options)
%
%  Writes like write_term_to_codes/3. Codes end in Tail.

write_term_to_codes(Term, Codes, Tail, Options) :-
    with_output_to(codes(Codes, Tail), write_term(Term, Options)).

%% read_from_codes(+Codes, -Term)
%
%  Reads Term from Codes. The final full stop is optional. Term is end_of_file if Codes contain no term.
%
%  ?- read_from_codes("f(X, Y, X)", T).
%  T = f(_A, _, _A).

read_from_codes(Codes, Term) :-
    must_be(nonvar, Codes),
    term_string(Term, Codes).

%% open_codes_stream(+Codes, -Stream)
%
%  Opens Codes as the input stream Stream.

open_codes_stream(Codes, Stream) :-
    open_string(Codes, Stream).

%% with_output_to_codes(:Goal, -Codes)
%
%  Calls Goal once and unifies Codes with its current output.
%
%  ?- with_output_to_codes(write(hi), Codes).
%  Codes = [104, 105].

with_output_to_codes(Goal, Codes) :-
    with_output_to(codes(Codes), Goal).

%% with_output_to_codes(:Goal, -Codes, ?Tail)
%
%  Collects output like with_output_to_codes/2. Codes end in Tail.

with_output_to_codes(Goal, Codes, Tail) :-
    with_output_to(codes(Codes, Tail), Goal).

%% with_output_to_codes(:Goal, -Stream, -Codes, ?Tail)
%
%  Collects output like with_output_to_codes/3. Stream is the stream to which Goal writes.

with_output_to_codes(Goal, Stream, Codes, Tail) :-
    with_output_to(codes(Codes, Tail), ( current_output(Stream), call(Goal) )).
