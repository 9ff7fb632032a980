:- set_prolog_flag(double_quotes, codes).

:- throw("oops").
:- X is "a" + "bc", write(X).
:- X is "bc", write(X).
:- throw([]).
:- throw([a, f(b)]).
:- X is [1, 2] + 1, write(X).
