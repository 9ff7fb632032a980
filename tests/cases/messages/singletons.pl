% Variables that occur once: in a clause, in a branch, in a negation.
:- dynamic([p/1, p/2, q/0]).
whole(X) :- p(Y).
marked(_X, _X).
also_marked(_Ab, _) :- ( p(_Ab), q ; p(_Ab) ).
not_marked(_x, _x, __Y, __Y).
marked_in_branches(X) :- ( p(X, _Y) ; p(_Y) ).
branch(X) :- ( X = 1, Y = 2 ; X = 2, Y = 3 ).
three(X) :- ( X = 1 ; Y = 2 ; Y = 3 ).
if_then_else(X) :- ( X = 1 -> Y = 2 ; X = 2, Y = 3 ).
else_alone(X) :- ( p(X, Y) -> p(Y) ; p(Y) ).
soft(X) :- ( p(X, Y) *-> q ; p(Y) ).
two_disjunctions(X) :- ( p(X, Y) -> q ; true ), ( p(X, Y) ; true ).
used_after(X) :- ( X = 1, Y = 2 ; X = 2 ), p(Y).
used_before(X) :- p(Y), ( X = 1, Y = 2 ; X = 2 ).
nested(X) :- ( X = 1 -> ( Y = 1 ; p(Y, Y) ) ; p(Y, Y) ).
outer(X) :- ( p(X), Y = 1, ( p(Y) ; p(Y) ) ; p(Y) ).
negation(X) :- \+ p(X, Y), p(Y).
negation_after(X) :- p(Y), \+ p(X, Y).
two_negations(X) :- \+ p(Y, X), \+ p(Y).
branch_in_negation(X) :- \+ ( p(X), ( p(Y) ; p(X, Y) ) ).
negation_in_branch(X) :- ( p(X) ; \+ p(Y) ; p(Y) ).
goals_that_are_called(X) :- findall(Y, ( X = 1, p(Y) ; p(Y) ), L), p(L).
in_head(X, Y) :- ( p(X, Y) ; p(Z, Z) ).
grammar(X) --> ( [X], { p(Y) } | [Y] ).
lines(X) :-
    p(X),
    p(Y),
    \+ p(Z).
:- style_check(-singleton).
silent(X) :- ( p(Y) ; p(Y) ).
