% Evaluable functions of programs: library(arithmetic).

:- use_module(library(arithmetic)).

:- arithmetic_function(double/1).
:- arithmetic_function(three/0).

double(X, Y) :- Y is X * 2.

three(3).

value(X, Y) :- Y is double(X + 1) + 1.

holds(X) :- X > double(2), X =:= three + three, \+ X =\= double(three).

late(Expression, Y) :- Y is Expression.
