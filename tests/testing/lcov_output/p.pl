:- module(p, [app/3]).
:- use_module(q).
:- dynamic seen/1.
seen(a).
seen(b). seen(c).
app([], L, L).
app([X|Xs], Ys, [X|Zs]) :- app(Xs, Ys, Zs).
sign(N, neg) :- N < 0, !.
sign(0, zero) :- !.
sign(_, pos).
unused(X) :- X = 1.
unused(X) :- X = 2.
err(X) :- Y is X + 1, write(Y).
err2(X) :- X > a.
d --> [a], d.
d --> [].
:- table fib/2.
fib(0, 0).
fib(1, 1).
fib(N, F) :- N > 1, A is N-1, B is N-2, fib(A, FA), fib(B, FB), F is FA+FB.
w(X) :- X = Y, Y == 1.
at(f(X)) :- X > 3.
at(f(_)).
one ?- app(Xs, Ys, [a]).
   Xs = [], Ys = [a] ;
   Xs = [a], Ys = [].
?- sign(3, S).
   S = pos.
?- err(foo).
   type_error(evaluable, _).
?- err2(1).
   type_error(evaluable, _).
?- retract(seen(b)), \+ seen(b), seen(X).
   X = a ; X = c.
?- phrase(d, [a,a]).
   true.
?- fib(1, F).
   F = 1.
?- freeze(X, app([], [], [])), at(f(X)).
   error(instantiation_error, _).
?- findall(X, twice(2, X), L).
   L = [4].
