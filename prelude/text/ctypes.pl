% Kinds of characters, given as codes: the predicates of SWI-Prolog's library(ctypes).

:- module(ctypes, [
    is_alnum/1,
    is_alpha/1,
    is_ascii/1,
    is_cntrl/1,
    is_csym/1,
    is_csymf/1,
    is_digit/1,
    is_digit/3,
    is_endfile/1,
    is_endline/1,
    is_graph/1,
    is_lower/1,
    is_newline/1,
    is_newpage/1,
    is_paren/2,
    is_period/1,
    is_print/1,
    is_punct/1,
    is_quote/1,
    is_space/1,
    is_upper/1,
    is_white/1,
    to_lower/2,
    to_upper/2,
    upper_lower/2
]).

%% is_alnum(?Code)
%  True if Code is a letter or digit.
%
%  ?- is_alnum(0'_).
%  false.
is_alnum(Code) :- code_type(Code, alnum).

%% is_alpha(?Code)
%  True if Code is a letter.
%
%  ?- is_alpha(0'a).
%  true.
is_alpha(Code) :- code_type(Code, csymf), Code \== 0'_.

%% is_ascii(?Code)
%  True if Code is a character of ASCII.
is_ascii(Code) :- code_type(Code, ascii).

%% is_cntrl(?Code)
%  True if Code is a control character.
is_cntrl(Code) :- code_type(Code, cntrl).

%% is_csym(?Code)
%  True if Code is a letter, digit or underscore.
%
%  ?- is_csym(0'_).
%  true.
is_csym(Code) :- code_type(Code, csym).

%% is_csymf(?Code)
%  True if Code is a letter or underscore.
is_csymf(Code) :- code_type(Code, csymf).

%% is_digit(?Code)
%  True if Code is a decimal digit.
%
%  ?- is_digit(0'7).
%  true.
is_digit(Code) :- code_type(Code, digit(_)).

%% is_digit(?Code, +Base, ?Weight)
%  True if Code is a digit of a number in Base and Weight is its value.
%
%  ?- is_digit(0'f, 16, W).
%  W = 15 .
is_digit(Code, Base, Weight) :-
    (   nonvar(Code)
    ->  ctypes_digit(Code, Base, Weight)
    ;   nonvar(Weight)
    ->  ctypes_digit(Code, Base, Weight), !
    ;   ctypes_digit(Code, Base, Weight)
    ).

ctypes_digit(Code, Base, Weight) :-
    ctypes_digits(First, Last, Start),
    (   integer(Code)
    ->  Code >= First,
        Code =< Last
    ;   between(First, Last, Code)
    ),
    Weight0 is Code - First + Start,
    Weight0 < Base,
    Weight = Weight0.

ctypes_digits(0'0, 0'9, 0).
ctypes_digits(0'a, 0'z, 10).
ctypes_digits(0'A, 0'Z, 10).

%% is_endfile(?Code)
%  True if Code is -1, the code that marks the end of a file.
is_endfile(-1).

%% is_endline(?Code)
%  True if Code ends a line: 10 to 13.
is_endline(Code) :- code_type(Code, end_of_line).

%% is_graph(?Code)
%  True if Code is a visible character.
is_graph(Code) :- code_type(Code, graph).

%% is_lower(?Code)
%  True if Code is a lower-case letter.
%
%  ?- is_lower(0'a).
%  true.
is_lower(Code) :- code_type(Code, lower).

%% is_newline(?Code)
%  True if Code is 10, the character that ends a line.
is_newline(10).

%% is_newpage(?Code)
%  True if Code is 12, the character that ends a page.
is_newpage(12).

%% is_paren(?Open, ?Close)
%  True if Open is an opening bracket and Close the bracket that closes it.
%
%  ?- is_paren(0'(, Close), char_code(C, Close).
%  Close = 41,
%  C = ')'.
is_paren(0'(, 0')).
is_paren(0'[, 0']).
is_paren(0'{, 0'}).

%% is_period(?Code)
%  True if Code is a character that ends a sentence.
is_period(Code) :- code_type(Code, period).

%% is_print(?Code)
%  True if Code is a visible character.
is_print(Code) :- is_graph(Code).

%% is_punct(?Code)
%  True if Code is a visible character that is no letter and no digit.
%
%  ?- is_punct(0'!).
%  true.
is_punct(Code) :- code_type(Code, punct).

%% is_quote(?Code)
%  True if Code is one of the three quotes.
is_quote(Code) :- code_type(Code, quote).

%% is_space(?Code)
%  True if Code is white space.
%
%  ?- is_space(0'\t).
%  true.
is_space(Code) :- code_type(Code, space).

%% is_upper(?Code)
%  True if Code is an upper-case letter.
%
%  ?- is_upper(0'a).
%  false.
is_upper(Code) :- code_type(Code, upper).

%% is_white(?Code)
%  True if Code is a blank or tab.
is_white(Code) :- code_type(Code, white).

%% to_lower(+Code, -Lower)
%  Unifies Lower with Code in lower case. A Code that is no upper-case letter stays unchanged.
%
%  ?- to_lower(0'A, L), char_code(C, L).
%  L = 97,
%  C = a.
to_lower(Code, Lower) :-
    char_code(Char, Code),
    downcase_atom(Char, Atom),
    (   atom_length(Atom, 1) -> char_code(Atom, Lower) ; Lower = Code ).

%% to_upper(+Code, -Upper)
%  Unifies Upper with Code in upper case. A Code that is no lower-case letter stays unchanged.
%
%  ?- to_upper(0'a, U), char_code(C, U).
%  U = 65,
%  C = 'A'.
to_upper(Code, Upper) :-
    char_code(Char, Code),
    upcase_atom(Char, Atom),
    (   atom_length(Atom, 1) -> char_code(Atom, Upper) ; Upper = Code ).

%% upper_lower(?Upper, ?Lower)
%  True if Upper is an upper-case letter and Lower its lower-case letter.
%
%  ?- upper_lower(0'A, L), char_code(C, L).
%  L = 97,
%  C = a.
upper_lower(Upper, Lower) :-
    (   var(Upper),
        nonvar(Lower)
    ->  code_type(Lower, lower),
        to_upper(Lower, Upper)
    ;   code_type(Upper, upper),
        to_lower(Upper, Lower)
    ).
