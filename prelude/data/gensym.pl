% New atoms: the predicates that SWI-Prolog's library(gensym) documents.

:- module(gensym, [
    gensym/2,
    reset_gensym/1,
    reset_gensym/0
]).

:- use_module(library(error), [must_be/2]).

:- dynamic(gensym_last/2).

%% gensym(+Base, -Atom)
%
%  Unifies Atom with Base followed by a number. The number starts at 1 and increases with each call.
%
%  ?- gensym(node, A), gensym(node, B).
%  A = node1,
%  B = node2.

gensym(Base, Atom) :-
    must_be(atomic, Base),
    (   '$retract'(gensym_last(Base, Last))
    ->  true
    ;   Last = 0
    ),
    Next is Last + 1,
    '$assertz'(gensym_last(Base, Next)),
    atom_concat(Base, Next, Atom).

%% reset_gensym(+Base)
%
%  Resets the next number of Base to 1.
%
%  ?- gensym(x, A), reset_gensym(x), gensym(x, B).
%  A = B, B = x1.

reset_gensym(Base) :-
    must_be(atomic, Base),
    '$retractall'(gensym_last(Base, _)).

%% reset_gensym
%
%  Resets the next number of every base to 1.

reset_gensym :-
    '$retractall'(gensym_last(_, _)).
