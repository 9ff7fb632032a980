% Predicates that are not defined, with others like them.
:- wirte(a).

:- append([a], _).
:- zzzqx(1).
:- initialization(mian).
parent(a, b).
grand(X, Z) :- parnet(X, Y), parent(Y, Z).
main.
parent(_).
:- grand(a, _).
:- atom(a),
   zzzqy(2).
