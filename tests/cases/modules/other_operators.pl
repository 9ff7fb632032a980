:- module(other_operators, []).
:- reexport(own_operators, except([op(_, xfx, _)])).
