app([], L, L).
app([X|Xs], L, [X|Ys]) :-
    app(Xs, L, Ys).

p(X) :- q(X), r(X).
q(1).
q(2).
r(X) :- X > 1, write(X), nl.

first(X) :- q(X), X > 1, !, r(X).
count(0) :- !.
count(N) :- M is N-1, count(M).

wrong(X) :- atom_length(X, _), nl.
caught(X) :- catch(wrong(_), error(Error, _), (write(Error), nl)), q(X).
cleaned :- setup_call_cleanup(true, q(_), r(3)), nl.
delayed(Y) :- freeze(Y, q(Y)), Y = 2, r(Y).
all :- forall(q(X), seen(X)), findall(Y, q(Y), _), \+ q(5).
seen(_).

:- dynamic d/1.
d(1).
d(2).

:- table path/2.
path(X, Y) :- edge(X, Y).
path(X, Y) :- path(X, Z), edge(Z, Y).
edge(a, b).
edge(b, a).

loop(0).
loop(N) :- length(L, 50), N > 0, M is N-1, loop(M), L = [_|_].
