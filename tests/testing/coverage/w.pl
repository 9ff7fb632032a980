% A clause is entered when its head fits, and what its body does in place before its first call holds.
woken(f(X)) :- X > 3.
woken(f(_)).
?- freeze(X, (X = 1, woken(f(5)))), woken(f(X)).
   error(instantiation_error, _).
bound(1).
?- freeze(X, X > 3), bound(X).
   false.
first(X) :- X = a, !.
first(X) :- X = b.
?- first(c).
   false.
raising(X, Y) :- Y is X + 1.
?- raising(_, _).
   instantiation_error.
tried(X) :- ( X = 1 ; X = 2 ).
?- tried(3).
   false.
again(X) :- member(X, [1, 2, 3]).
?- again(X).
   X = 1 ; X = 2 ; X = 3.
called(X) :- X == 1.
?- maplist(called, [1, 1]), forall(called(1), true), \+ called(2).
   true.
:- dynamic(fact/1).
fact(1).
fact(2).
?- assertz(fact(3)), fact(3), retract(fact(1)), fact(2).
   true.
