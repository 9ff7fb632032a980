:- module(no_operators, [q/1, op(700, xfx, of_no)]).
q(1).
