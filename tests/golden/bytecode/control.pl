% Code of three/1, choose/2, soft/2, unless/2, joined/2, chain/2, negated/2, test_or/1, all/1.
three(X) :- ( X = 1 ; X = 2 ; X = 3 ).

choose(X, Y) :- ( p(X) -> Y = yes ; Y = no ).

soft(X, Y) :- ( p(X) *-> Y = X ; Y = none ).

unless(X, Y) :- \+ p(X), p(Y).

joined(X, Z) :- ( X > 0 -> Y = 1 ; X < 0 -> Y = 2 ; Y = 3 ), Z = f(Y).

chain(X, Z) :- ( X == a -> p(Y) ; X == b -> q(Y) ; Y = c ), q(Z), p(Y).

negated(X, Y) :- ( \+ X = Y -> p(X) ; p(Y) ).

test_or(X) :- ( X < 1 ; X > 9 ), !.
test_or(X) :- ( ( X =:= 3 ; X =:= 4 ) -> p(X) ; q(X) ).

all(X) :- forall(p(X), q(X)).

p(_).
q(_).
