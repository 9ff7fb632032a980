:- use_module(library(linear)).

m(1).
m(2).

within(X) :- p -<> (p, m(X), !).
called(X) :- call((m(X), (p -<> (p, !)))).
called_term(X) :- G = (m(X), (p -<> (p, !))), call(G).
called_all(X) :- call((p -<> (p, m(X), !) ; X = last)).
goal_variable(X) :- G = !, call((p -<> (p, m(X), G))).
if_then(X) :- G = (m(X) -> true), once((p -<> (p, (G ; X = last)))).
bang(X) :- call((m(X), {!})).
no_goal(G) :- call((true ; p -<> (p, G))).
