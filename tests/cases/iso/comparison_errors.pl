deep(X, Y) :- X > 1 + foo(Y).
unbound(X, Y) :- X + 1 =< 2 * Y.
turned(X) :- 3 >= X - 1.
with_constant(X) :- abs(X) =\= 3.
division(X) :- ( 1 // X =:= 2 -> true ; true ).
apart(X, Y) :- Z is X + foo(Y), Z > 3.
later(X, Y) :- Z is X + 1, Z < Y mod 2.
guarded(X, small) :- X + 1 < 10, !.
guarded(_, large).
