% Clauses with lists of their goals that call a predicate. `calls_are_found_where_they_stand` searches for these goals.

:- use_module(library(linear)).

:- table tabled/1.

goal_expansion(old(X), new(X)).
goal_expansion(both(X), ( new(X), p ; p(X) )).

plain :- p, p, p(X), p(X).                              %= p; p; p(X); p(X)
one :- p.                                               %= p
tests(X) :- X = 1, X == 1, p, X > 0, p(X).              %= p; p(X)
choice(X) :- ( p -> p(X) ; p(X), p ; p ), !, p.         %= p; p(X); p(X); p; p; p
soft(X) :- ( p(X) *-> p ; p(X) ).                       %= p(X); p; p(X)
dead :- p, fail, p, p(1).                               %= p
known :- ( true -> p ; p(1) ), ( fail -> p ; p(2) ).    %= p; p(2)
negative(X) :- \+ p(X), \+ \+ p, not(p(X)), p.          %= p(X); p; p(X); p
local(X) :- once(p), ignore(( p(X), p )), call(p), p.   %= p; p(X); p; p; p
all(X) :- forall(p(X), p), findall(Y, p(Y), _), p.      %= p(X); p; p(Y); p
unknown(X) :- p, X, call(X), p(X).                      %= p; X; X; p(X)
bound(X) :- p(X), \+ ( p, X ), once(( X, p )), p.       %= p(X); ( p, X ); ( X, p ); p
module(X) :- user:p, user:( p, p(X) ), user:p(X).       %= user:p; p; p(X); user:p(X)
guarded(X) :- p, $, p(X), ( p ; p(X) ).                 %= p; p(X); p; p(X)
inner(X) :- ( p ; $, p(X), p ), p.                      %= p; p(X); p; p
scopes(X) :- p(7) -<> p, { p(X) }, ( p & p(X) ), p.     %= p; p(X); p; p(X); p
implied(X) :- p(7) => p, forall(Y\ p(Y)), p(X).         %= p; p(Y); p(X)
expanded(X) :- p, old(X), p(X).                         %= p; old(X); p(X)
several(X) :- p(X), both(X).                            %= p(X); both(X); both(X); both(X)
grammar --> p, [a], { p, p(1) }, p.                     %= p; p; p(1); p
grammar(X) --> \+ p, !, "b", ( p ; [], p(X) ), call(X). %= p; p; p(X); call(X)
pushing, [a] --> p, X, p(X).                            %= p; X; p(X)
same :- p(1). same :- p, p(2). same :- p.              %= p(1); p; p(2); p
list(X) :- p, [X], p(X).                                %= p; [X]; p(X)

tabled(X) :- p(X), p, tabled(X).                        %= p(X); p; tabled(X)

p.
p(_).
p(_, _).
p(_, _, _).
new(_).
