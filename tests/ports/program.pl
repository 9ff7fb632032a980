% What the goals in tests/ports/goals.txt call.
p(1).
p(2).
second :- p(X), X > 1.
first :- p(_), !.
none :- p(X), X > 2.
raises :- p(_), inner.
inner :- p(X), throw(X).
caught :- catch(inner, _, p(_)).
called :- call(p, 2).
all(L) :- findall(X, p(X), L).
not :- \+ p(3).
loop(0).
loop(N) :- N > 0, M is N-1, loop(M).
frozen :- freeze(X, p(X)), bound(X).
bound(2).
