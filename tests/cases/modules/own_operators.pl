:- module(own_operators, [parts/1, term_of/2, op(700, xfx, ==>>), op(200, xfy, &&)]).

% The operators that the module defines are its own, except those in its list of exports.
:- op(700, xfx, ===>).
% Here this is no operator.
:- op(0, xfx, =@=).

parts(List) :- Term = (a ===> b), Term =.. List.

% At run time, texts are read with the operators of user.
term_of(Text, Term) :- term_to_atom(Term, Text).

:- set_prolog_flag(double_quotes, atom).
:- set_prolog_flag(unknown, fail).

missing :- nothing_defines_this.
text("abc").
