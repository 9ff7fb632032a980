% Directives for 7_4_directives.queries.

:- dynamic(counted/1).
:- dynamic([noted/1, noted/2]).
:- discontiguous(parted/1).
:- op(700, xfx, likes).
:- op(200, xfy, &).
:- initialization(assertz(noted(initialised))).
:- assertz(noted(directive)).

parted(1).

tom likes wine.
tom likes X :- X = cheese & bread.

parted(2).

counted(0).

:- set_prolog_flag(double_quotes, codes).
quoted("ab").
