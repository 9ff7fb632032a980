% Grammars of common tokens, over lists of codes: the nonterminals that SWI-Prolog's library(dcg/basics)
% documents. If a text can be parsed in several ways, they take the longest; string//1 takes the shortest first.

:- module(dcg_basics, [
    white//0, whites//0, nonblank//1, nonblanks//1, blank//0, blanks//0, blanks_to_nl//0,
    string//1, string_without//2, alpha_to_lower//1,
    digits//1, digit//1, integer//1, float//1, number//1,
    xdigits//1, xdigit//1, xinteger//1,
    eol//0, eos//0, remainder//1, prolog_symbol//1, csym//1, csyms//0, prolog_var_name//1,
    atom//1
]).

%% string_without(+End, -Codes)//
%
%  Takes as many Codes as possible before one of the codes in End, a text or a list of codes, or before the end.
%
%  ?- use_module(library(dcg/basics)).
%  true.
%
%  ?- phrase(( string_without(`,`, _A), ",", remainder(_B) ), `one,two`), atom_codes(A, _A), atom_codes(B, _B).
%  A = one,
%  B = two.

string_without(End, Codes) -->
    { text_codes(End, Stops) },
    codes_without(Stops, Codes).

codes_without(Stops, [Code|Codes]) -->
    [Code],
    { \+ code_among(Stops, Code) }, !,
    codes_without(Stops, Codes).
codes_without(_, []) --> [].

code_among([Stop|Stops], Code) :-
    ( Stop =:= Code -> true ; code_among(Stops, Code) ).

text_codes(Text, Codes) :-
    ( is_list(Text) -> Codes = Text ; atom_codes(Text, Codes) ).

%% string(-Codes)//
%
%  Takes as few Codes as possible: at first none, then one more on each backtracking.
%
%  ?- use_module(library(dcg/basics)).
%  true.
%
%  ?- phrase(( string(_A), "=", remainder(_B) ), `key=value`), atom_codes(A, _A), atom_codes(B, _B).
%  A = key,
%  B = value .

string([]) --> [].
string([Code|Codes]) --> [Code], string(Codes).

%% blanks//
%
%  Skips white space, including newlines.
%
%  ?- use_module(library(dcg/basics)).
%  true.
%
%  ?- phrase((blanks, integer(N), blanks), `  42 `).
%  N = 42.

blanks --> blank, !, blanks.
blanks --> [].

%% blank//
%
%  Takes one character of white space, including newlines.
%
%  ?- use_module(library(dcg/basics)).
%  true.
%
%  ?- phrase(blank, ` `).
%  true.

blank --> [Code], { nonvar(Code), code_type(Code, space) }.

%% nonblanks(-Codes)//
%
%  Takes the Codes up to the next white space.
%
%  ?- use_module(library(dcg/basics)).
%  true.
%
%  ?- phrase(( nonblanks(_A), remainder(_) ), `two words`), atom_codes(A, _A).
%  A = two.

nonblanks([Code|Codes]) --> [Code], { code_type(Code, graph) }, !, nonblanks(Codes).
nonblanks([]) --> [].

%% nonblank(-Code)//
%
%  Takes one Code that is no white space.

nonblank(Code) --> [Code], { code_type(Code, graph) }.

%% blanks_to_nl//
%
%  Skips white space up to and including the end of the line, or to the end.

blanks_to_nl --> [Code], { Code \== 0'\n, nonvar(Code), code_type(Code, space) }, !, blanks_to_nl.
blanks_to_nl --> "\n", !.
blanks_to_nl, [] --> eos.

%% whites//
%
%  Skips blanks and tabs.
%
%  ?- use_module(library(dcg/basics)).
%  true.
%
%  ?- phrase((whites, remainder(_L)), `  ab`), atom_codes(A, _L).
%  A = ab.

whites --> white, !, whites.
whites --> [].

%% white//
%
%  Takes one blank or tab.

white --> [Code], { nonvar(Code), code_type(Code, white) }.

%% alpha_to_lower(?Lower)//
%
%  Takes a letter and unifies Lower with its code in lower case. When generating, writes Lower unchanged.
%
%  ?- use_module(library(dcg/basics)).
%  true.
%
%  ?- phrase(alpha_to_lower(L), `A`), char_code(C, L).
%  L = 97,
%  C = a.

alpha_to_lower(Lower) -->
    [Code],
    {   nonvar(Code)
    ->  code_type(Code, alpha),
        char_code(Char, Code),
        downcase_atom(Char, Low),
        char_code(Low, Lower)
    ;   Lower = Code
    }.

%% digits(?Codes)//
%
%  Takes as many digits Codes as possible, perhaps none.
%
%  ?- use_module(library(dcg/basics)).
%  true.
%
%  ?- phrase(digits(_Ds), `007`), atom_codes(A, _Ds).
%  A = '007'.

digits([Code|Codes]) --> digit(Code), !, digits(Codes).
digits([]) --> [].

%% digit(?Code)//
%
%  Takes one digit Code.
%
%  ?- use_module(library(dcg/basics)).
%  true.
%
%  ?- phrase(digit(C), `7`).
%  C = 55.

digit(Code) --> [Code], { code_type(Code, digit) }.

%% integer(?Integer)//
%
%  Takes an Integer with an optional sign. Writes Integer if it is bound.
%
%  ?- use_module(library(dcg/basics)).
%  true.
%
%  ?- phrase(integer(N), `-42`).
%  N = -42.
%
%  ?- phrase(integer(N), `42 apples`, _Rest), atom_codes(Rest, _Rest).
%  N = 42,
%  Rest = ' apples'.
%
%  ?- phrase(integer(42), _L), atom_codes(A, _L).
%  A = '42'.

integer(Integer, Head, Tail) :-
    nonvar(Integer), !,
    must_be(integer, Integer),
    number_codes(Integer, Codes),
    '$append'(Codes, Tail, Head).
integer(Integer) -->
    int_codes(Codes),
    { number_codes(Integer, Codes) }.

int_codes([0'-,Code|Codes]) --> "-", !, digits_one(Code, Codes).
int_codes([Code|Codes]) --> ( "+" -> [] ; [] ), digits_one(Code, Codes).

digits_one(Code, Codes) --> digit(Code), digits(Codes).

%% float(?Float)//
%
%  Takes a number with a fraction or an exponent. Writes Float if it is bound.
%
%  ?- use_module(library(dcg/basics)).
%  true.
%
%  ?- phrase(float(X), `2.5`).
%  X = 2.5.

float(Float, Head, Tail) :-
    nonvar(Float), !,
    float(Float),
    number_codes(Float, Codes),
    '$append'(Codes, Tail, Head).
float(Float) -->
    number(Float),
    { float(Float) }.

%% number(?Number)//
%
%  Takes an integer or a float. Writes Number if it is bound.
%
%  ?- use_module(library(dcg/basics)).
%  true.
%
%  ?- phrase(number(X), `3.5e2`).
%  X = 350.0.

number(Number, Head, Tail) :-
    nonvar(Number), !,
    must_be(number, Number),
    number_codes(Number, Codes),
    '$append'(Codes, Tail, Head).
number(Number) -->
    int_codes(Whole),
    (   dot_digits(Fraction)
    ->  { Digits = Fraction }
    ;   { Digits = [] }
    ),
    (   exponent(Exponent)
    ->  []
    ;   { Exponent = [] }
    ),
    {   (   Digits == [], Exponent == []
        ->  Codes = Whole
        ;   Digits == []
        ->  '$append'(Whole, [0'.,0'0|Exponent], Codes)
        ;   '$append'(Digits, Exponent, Rest),
            '$append'(Whole, [0'.|Rest], Codes)
        ),
        number_codes(Number, Codes)
    }.

dot_digits([Code|Codes]) --> ".", digit(Code), digits(Codes).

exponent([0'e|Codes]) --> ( "e" -> [] ; "E" ), exponent_digits(Codes).

exponent_digits([0'-,Code|Codes]) --> "-", !, digits_one(Code, Codes).
exponent_digits([Code|Codes]) --> ( "+" -> [] ; [] ), digits_one(Code, Codes).

%% xinteger(?Integer)//
%
%  Takes an Integer in hexadecimal digits, with an optional sign before them. Writes Integer if it is bound.
%
%  ?- use_module(library(dcg/basics)).
%  true.
%
%  ?- phrase(xinteger(N), `ff`).
%  N = 255.

xinteger(Integer, Head, Tail) :-
    nonvar(Integer), !,
    must_be(integer, Integer),
    format(codes(Head, Tail), '~16r', [Integer]).
xinteger(Integer) -->
    (   "-"
    ->  { Sign = -1 }
    ;   "+"
    ->  { Sign = 1 }
    ;   { Sign = 1 }
    ),
    xdigit(First),
    xdigits(Rest),
    { weights_value([First|Rest], 0, Value), Integer is Sign * Value }.

weights_value([], Value, Value).
weights_value([Weight|Weights], Value0, Value) :-
    Value1 is 16 * Value0 + Weight,
    weights_value(Weights, Value1, Value).

%% xdigits(-Weights)//
%
%  Takes as many hexadecimal digits as possible and unifies Weights with their values.
%
%  ?- use_module(library(dcg/basics)).
%  true.
%
%  ?- phrase(xdigits(Weights), `1f`).
%  Weights = [1, 15].

xdigits([Weight|Weights]) --> xdigit(Weight), !, xdigits(Weights).
xdigits([]) --> [].

%% xdigit(-Weight)//
%
%  Takes one hexadecimal digit and unifies Weight with its value.

xdigit(Weight) --> [Code], { code_type(Code, xdigit(Weight)) }.

%% eol//
%
%  Takes the end of the line, or succeeds at the end.
%
%  ?- use_module(library(dcg/basics)).
%  true.
%
%  ?- phrase(( nonblanks(_), eol, integer(N) ), `a\n42`).
%  N = 42.

eol --> "\n", !.
eol --> "\r\n", !.
eol --> eos.

%% eos//
%
%  Succeeds at the end.
%
%  ?- use_module(library(dcg/basics)).
%  true.
%
%  ?- phrase(( integer(N), eos ), `42`).
%  N = 42.
%
%  ?- phrase(( integer(N), eos ), `42x`, _).
%  false.

eos([], []).

%% remainder(-Rest)//
%
%  Takes all remaining codes as Rest.
%
%  ?- use_module(library(dcg/basics)).
%  true.
%
%  ?- phrase(( "a", remainder(_R) ), `abc`), atom_codes(A, _R).
%  A = bc.

remainder(Rest, Rest, []).

%% prolog_symbol(-Codes)//
%
%  Takes one or more Codes of symbol characters, such as those of the operator =.. .
%
%  ?- use_module(library(dcg/basics)).
%  true.
%
%  ?- phrase(prolog_symbol(_S), `:-`), atom_codes(A, _S).
%  A = (:-).

prolog_symbol([Code|Codes]) --> symbol_code(Code), symbol_codes(Codes).

symbol_codes([Code|Codes]) --> symbol_code(Code), !, symbol_codes(Codes).
symbol_codes([]) --> [].

symbol_code(Code) --> [Code], { code_type(Code, prolog_symbol) }.

%% csyms//
%
%  Skips letters, digits and underscores.
%
%  ?- use_module(library(dcg/basics)).
%  true.
%
%  ?- phrase(csyms, `a_b1`).
%  true.

csyms --> csym(_), !, csyms.
csyms --> [].

%% csym(?Code)//
%
%  Takes one Code of a letter, a digit or an underscore.

csym(Code) --> [Code], { code_type(Code, csym) }.

%% prolog_var_name(-Name)//
%
%  Takes the name of a variable and unifies the atom Name with it.

prolog_var_name(Name) -->
    [Code],
    { code_type(Code, prolog_var_start) }, !,
    var_codes(Codes),
    { atom_codes(Name, [Code|Codes]) }.

var_codes([Code|Codes]) --> [Code], { code_type(Code, prolog_identifier_continue) }, !, var_codes(Codes).
var_codes([]) --> [].

%% atom(++Atomic)//
%
%  Writes the text of Atomic.
%
%  ?- use_module(library(dcg/basics)).
%  true.
%
%  ?- phrase(atom(hello), _L), atom_codes(A, _L).
%  A = hello.

atom(Atomic, Head, Tail) :-
    must_be(nonvar, Atomic),
    format(codes(Head, Tail), '~w', [Atomic]).
