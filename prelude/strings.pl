% Predicates on text that are not needed often enough to be builtins.

:- module(strings, [
    normalize_space/2,
    sub_atom_icasechk/3,
    write_length/3
]).

%% normalize_space(+Sink, +Text)
%
%  Text goes to Sink (as in format/3) without blanks at its ends, and with one blank for
%  every run of white space inside.

normalize_space(Sink, Text) :-
    text_to_string(Text, String),
    split_string(String, " \t\n\r\f\v", " \t\n\r\f\v", Parts),
    strings_words(Parts, Words),
    atomic_list_concat(Words, ' ', Normal),
    format(Sink, '~a', [Normal]).

strings_words([], []).
strings_words([Part|Parts], Words) :-
    (   string_length(Part, 0)
    ->  Words = Rest
    ;   Words = [Part|Rest]
    ),
    strings_words(Parts, Rest).

%% sub_atom_icasechk(+Text, ?Start, +Part)
%
%  True when Part, but for the case of letters, stands in Text from offset Start on. If
%  Start is unbound the first place is taken.

sub_atom_icasechk(Text, Start, Part) :-
    downcase_atom(Text, Low),
    downcase_atom(Part, LowPart),
    sub_atom(Low, Start, _, _, LowPart), !.

%% write_length(+Term, -Length, +Options)
%
%  Length is the number of characters that write_term/2 writes for Term with Options.
%  Fails if that is more than N, with the option max_length(N).

write_length(Term, Length, Options0) :-
    strings_maximum(Options0, Maximum, Options),
    with_output_to(string(Text), write_term(Term, Options)),
    string_length(Text, Length),
    (   Maximum == none
    ->  true
    ;   Length =< Maximum
    ).

strings_maximum([], none, []).
strings_maximum([Option|Options0], Maximum, Options) :-
    (   Option = max_length(Maximum)
    ->  Options = Options0
    ;   Options = [Option|Options1],
        strings_maximum(Options0, Maximum, Options1)
    ).
