% Coloured text: the predicate that SWI-Prolog's library(ansi_term) documents for it.

:- module(ansi_term, [ansi_format/3]).

:- use_module(library(error), [must_be/2, domain_error/2]).

%% ansi_format(+Attributes, +Format, +Arguments)
%
%  Writes like format/2. If the current output is a terminal, uses Attributes, one attribute or a list: bold,
%  faint, italic, underline, blink, negative, conceal, crossed_out, reset, fg(Colour), bg(Colour), hfg(Colour),
%  hbg(Colour). hfg and hbg set bright colours. Colour is black, red, green, yellow, blue, magenta, cyan, white,
%  default, or the number of one of 256 colours.

ansi_format(Attributes, Format, Arguments) :-
    (   is_list(Attributes)
    ->  List = Attributes
    ;   List = [Attributes]
    ),
    ansi_codes(List, Codes),
    current_output(Stream),
    (   Codes = [_|_],
        stream_property(Stream, tty(true))
    ->  atomic_list_concat(Codes, ;, Code),
        with_output_to(string(Text), format(Format, Arguments)),
        format('\x1b\[~wm~s\x1b\[0m', [Code, Text])
    ;   format(Format, Arguments)
    ).

ansi_codes([], []).
ansi_codes([Attribute|Attributes], [Code|Codes]) :-
    must_be(nonvar, Attribute),
    (   ansi_code(Attribute, Code0)
    ->  Code = Code0
    ;   domain_error(sgr_code, Attribute)
    ),
    ansi_codes(Attributes, Codes).

ansi_code(reset, 0).
ansi_code(bold, 1).
ansi_code(faint, 2).
ansi_code(italic, 3).
ansi_code(underline, 4).
ansi_code(blink(slow), 5).
ansi_code(blink(rapid), 6).
ansi_code(blink, 5).
ansi_code(negative, 7).
ansi_code(conceal, 8).
ansi_code(crossed_out, 9).
ansi_code(fg(Colour), Code) :- ansi_colour(Colour, 30, Code).
ansi_code(bg(Colour), Code) :- ansi_colour(Colour, 40, Code).
ansi_code(hfg(Colour), Code) :- ansi_named(Colour, Number), Code is 90 + Number.
ansi_code(hbg(Colour), Code) :- ansi_named(Colour, Number), Code is 100 + Number.

ansi_colour(default, Base, Code) :-
    !,
    Code is Base + 9.
ansi_colour(Number, Base, Code) :-
    integer(Number),
    !,
    Number >= 0,
    Number =< 255,
    Extended is Base + 8,
    atomic_list_concat([Extended, 5, Number], ;, Code).
ansi_colour(Colour, Base, Code) :-
    ansi_named(Colour, Number),
    Code is Base + Number.

ansi_named(black, 0).
ansi_named(red, 1).
ansi_named(green, 2).
ansi_named(yellow, 3).
ansi_named(blue, 4).
ansi_named(magenta, 5).
ansi_named(cyan, 6).
ansi_named(white, 7).
