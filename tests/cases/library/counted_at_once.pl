% Solutions that are counted without visiting each are as many as a list of them has elements.

f(1). f(2). f(3).

g(a, 1, x). g(a, 2, _). g(b, f(_), x). g(_, 4, y). g(a, 1, z).

same(X, X). same(a, b). same(_, c).

mixed(1).
mixed(2) :- true.
mixed(3).

none(_) :- fail.

nested(X, f(X)). nested(X, g(_, X)). nested(_, h).

nullary. nullary. nullary.

:- dynamic d/2, ruled/1, closed/0.
ruled(1). ruled(X) :- X = 2. ruled(3).
closed. closed.
d(1, a). d(2, a). d(3, b).

step(X, Y) :- between(1, 2, X), f(Y).
through(X) :- step(X, _).
committed(X) :- f(X), !.
kept(X, Y) :- f(Y), member(X, [a, b]).

counts(Goal, N) :-
    aggregate_all(count, Goal, N),
    findall(x, Goal, L),
    msort(L, Sorted),
    length(Sorted, N).

counts(Goal) :-
    (   counts(Goal, N)
    ->  write(N)
    ;   write(different)
    ),
    nl.
