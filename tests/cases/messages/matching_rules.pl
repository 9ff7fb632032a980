% Rules by single-sided unification, before and after the program makes `=>` an operator of its own.
p(X) => q(X).
p(X), X > 1 => q(X).
:- assertz((r(X) => q(X))).
p(X) --> { X => 1 }.
q(_).
:- op(700, xfx, =>).
p(a) => q(b).
:- initialization(( p(_) => Q, print_message(error, format("~q", [Q])) )).
