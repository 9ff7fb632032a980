:- use_module(own_operators).
:- use_module(some_operators, [op(_, xfx, _), p/1]).
:- use_module(no_operators, except([op(_, _, _)])).
:- use_module(other_operators).

:- op(700, xfx, of_user).
