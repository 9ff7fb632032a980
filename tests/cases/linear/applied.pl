% Goals of Lolli that Prolog meets at run time, with answers that are put together for it.
:- use_module(library(linear)).
called_later(Z) :- G = lolli:p(Y), G, Y = f(Z).
held_later(Z) :- G = p(Y), lolli:G, Y = f(Z).
collected_later(Z) :- G = lolli:p(Y), findall(Y, (true, G), Ys), Ys = [f(Z)].
