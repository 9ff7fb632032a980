% What tests/cases/library/threads_numbers.queries is about: a random program, in which choice points of goals that are done once
% more have the numbers of later ones.

:- use_module(library(clpfd)).
:- use_module(library(linear)).
:- dynamic d/1.
d(1). d(3). d(4).
c(G) :- call(G).
k(1). k(4).
f(_, 1). f(2, 2). f(3, 5). f(2, 4). f(X, X).
p1(X) :- c(( catch(X > 4, error(_, _), true) ; between(1, 2, X) )).
p1(X) :- k(X), !, catch(X > 4, error(_, _), true), catch(X =\= 1, error(_, _), fail), format(atom(X), "~w", [2]), !, ( ( format(atom(_), "~w", [0]) -> true ) *-> c(( catch(b_getval(around, A), _, A = 2), ( A = X ; X = 1 ) ; catch(h(X), error(_, _), fail) )) ; findall(Y, ( Z = 2, Y = Z ), L), L \== [], member(X, L) ).
p2(X) :- ( h(4) -<> ( \+ ( f(1, Z), Z > 2 ), between(1, 4, X), h(X) ) ).
p3(X) :- ( h(4) -<> ( f(4, X), h(X) ) ).
p4(X) :- forall(( ( catch(h(Z), error(_, _), fail) ; throw(ball(3)) ) ), Z \== 1), X in 1..4, X #\= 4, label([X]).
p4(X) :- catch(( ( h(0) => ( h(X), catch(X =\= 3, error(_, _), fail) ) ), ( catch(X > 0, error(_, _), true) -> true ) ), ball(_), X = caught).
p5(X) :- between(1, 4, X), f(3, X), once(( catch(b_getval(around, A), _, A = 2), ( A = X ; X = 1 ), format(atom(X), "~w", [2]) )).
p5(X) :- once(( ( p2(X) -> true ), ( between(1, 1, X) ; catch(X > 3, error(_, _), true) ), c(( ( h(3) => ( h(X), catch(X > 0, error(_, _), true) ) ) ; ( h(0) -<> ( format(atom(X), "~w", [4]), h(X) ) ) )) )).
p5(X) :- \+ ( member(Z, [0, 2, 4]), Z > 0 ), p3(X).
p6(X) :- forall(( ( p5(Z) ; k(Z) ) ), Z \== 0), between(1, 4, X), catch(h(X), error(_, _), fail).
p6(X) :- ( X in 1..4, X #\= 3, label([X]), call(( d(X), ! ; f(0, X) )) ; throw(ball(4)) ).
p6(X) :- c(( p1(X) ; member(X, [3, 2, 4]) )).
