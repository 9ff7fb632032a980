% Formatted writing in the manner of Edinburgh Prolog: writef/1,2.

:- module(writef, [
    writef/1,
    writef/2,
    swritef/2,
    swritef/3
]).

%% writef(+Format)
%
%  Writes Format like writef(Format, []).
%
%  ?- writef('hello\n').
%  hello
%  true.

writef(Format) :-
    writef(Format, []).

%% writef(+Format, +Arguments)
%
%  Writes Format, an atom, a string or a list of codes, to the current output. These sequences in Format have a
%  special meaning:
%
%    %w   writes the next argument like write/1.
%    %p   writes the next argument like print/1.
%    %d   writes the next argument, an integer, like write/1.
%    %s   writes the next argument, a text.
%    %Nc  writes the next argument like write/1, centred in N columns.
%    %Nl  writes the next argument like write/1, at the left of N columns.
%    %Nr  writes the next argument like write/1, at the right of N columns.
%    \n   writes a new line, \l a line end, \r a carriage return, \t a tab.
%    \\   writes a backslash, \NNN the character with the decimal code NNN.
%
%  All other text stands for itself. So do these sequences when no argument is left.
%
%  ?- writef('%w is %d\n', [x,3]).
%  x is 3
%  true.

writef(Format, Arguments) :-
    writef_codes(Format, Codes),
    writef_run(Codes, Arguments).

%% swritef(-String, +Format)
%
%  Unifies String with the output of writef/1.
%
%  ?- swritef(S, 'a\\n').
%  S = "a\n".

swritef(String, Format) :-
    with_output_to(string(String), writef(Format)).

%% swritef(-String, +Format, +Arguments)
%
%  Unifies String with the output of writef/2.
%
%  ?- swritef(S, '%w-%d', [a,1]).
%  S = "a-1".

swritef(String, Format, Arguments) :-
    with_output_to(string(String), writef(Format, Arguments)).

writef_codes(Format, _) :-
    var(Format),
    !,
    throw(error(instantiation_error, _)).
writef_codes([], Codes) :-
    !,
    Codes = [].
writef_codes([Code|Codes0], Codes) :-
    !,
    Codes = [Code|Codes0].
writef_codes(Format, Codes) :-
    atom_codes(Format, Codes).

writef_run([], _).
writef_run([Code|Codes], Arguments) :-
    (   Code =:= 0'%,
        writef_directive(Codes, Directive, Codes1),
        Arguments = [Argument|Arguments1]
    ->  writef_argument(Directive, Argument),
        writef_run(Codes1, Arguments1)
    ;   Code =:= 0'\\,
        writef_escape(Codes, Char, Codes1)
    ->  put_char(Char),
        writef_run(Codes1, Arguments)
    ;   char_code(Char, Code),
        put_char(Char),
        writef_run(Codes, Arguments)
    ).

writef_directive([Code|Codes0], Directive, Codes) :-
    (   writef_simple(Code, Directive)
    ->  Codes = Codes0
    ;   writef_number([Code|Codes0], 0, Width, [Letter|Codes]),
        writef_column(Letter, Width, Directive)
    ).

writef_simple(0'w, write).
writef_simple(0'd, write).
writef_simple(0'p, print).
writef_simple(0's, text).

writef_column(0'c, Width, centre(Width)).
writef_column(0'l, Width, left(Width)).
writef_column(0'r, Width, right(Width)).

writef_number([Digit|Codes0], Number0, Number, Codes) :-
    writef_digit(Digit),
    Number1 is 10*Number0 + Digit - 0'0,
    (   Codes0 = [Next|_],
        writef_digit(Next)
    ->  writef_number(Codes0, Number1, Number, Codes)
    ;   Number = Number1,
        Codes = Codes0
    ).

writef_digit(Code) :-
    Code >= 0'0,
    Code =< 0'9.

writef_escape([Code|Codes], Char, Codes) :-
    writef_escaped(Code, Char),
    !.
writef_escape([D1,D2,D3|Codes], Char, Codes) :-
    writef_digit(D1),
    writef_digit(D2),
    writef_digit(D3),
    Code is 100*(D1 - 0'0) + 10*(D2 - 0'0) + D3 - 0'0,
    char_code(Char, Code).

writef_escaped(0'n, '\n').
writef_escaped(0'l, '\n').
writef_escaped(0'r, '\r').
writef_escaped(0't, '\t').
writef_escaped(0'\\, '\\').

writef_argument(write, Term) :-
    write(Term).
writef_argument(print, Term) :-
    print(Term).
writef_argument(text, Text) :-
    writef_codes(Text, Codes),
    atom_codes(Atom, Codes),
    write(Atom).
writef_argument(left(Width), Term) :-
    writef_text(Term, Text, Width, Blanks),
    write(Text),
    tab(Blanks).
writef_argument(right(Width), Term) :-
    writef_text(Term, Text, Width, Blanks),
    tab(Blanks),
    write(Text).
writef_argument(centre(Width), Term) :-
    writef_text(Term, Text, Width, Blanks),
    Before is (Blanks + 1) // 2,
    After is Blanks - Before,
    tab(Before),
    write(Text),
    tab(After).

writef_text(Term, Text, Width, Blanks) :-
    format(atom(Text), '~w', [Term]),
    atom_length(Text, Length),
    Blanks is max(0, Width - Length).
