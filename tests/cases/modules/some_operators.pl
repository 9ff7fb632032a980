:- module(some_operators, [p/1, op(700, xfx, infix_of_some), op(200, fy, prefix_of_some)]).
p(1).
