% Errors of goals that several threads search have the place that they have without threads.
larger(X) :- member(X, [1, 2, a]), Y is X + 1, Y > 0.
pair(X, Y) :- larger(X), larger(Y), X < Y.
:- count_solutions(pair(_, _), _, [threads(2)]).

:- table reached/1.
reached(1).
reached(X) :- reached(Y), Y < 3, X is Y + 1.
far(X) :- reached(X), X > 2.
:- count_solutions(far(_), _, [threads(2)]).

named(X) :- member(X, [a, b]), gensym(X, Y), Y \== X.
:- aggregate_all(count, named(_), _, [threads(2)]).
