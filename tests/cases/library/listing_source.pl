% Clauses with names, for listing/1,2.
:- dynamic seen/2.

first(_Unused, Bar, _) :- member(Bar, [A0, _]), A0 = 1, \+ Bar = 2.
called(Goal, Goal) :- Goal, ( call(Goal) -> true ; Goal ).

seen(1, Who) :-
    % a comment
    first(Who, 1, 2).
seen(A, A).

:- table reach/2.
reach(X, Y) :- edge(X, Y).
reach(X, Y) :- reach(X, Z), edge(Z, Y).
edge(a, b).
