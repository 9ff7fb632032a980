% A program's own predicates and operators of the names of constraints are its own.

:- op(700, xfx, #=).
:- op(700, xfx, #>).

X #= Y :- X = own(Y).
_ #> _.

equal(X) :- X #= 1 + 2.
greater(X) :- X #> 1, X = yes.
chosen(N, first) :- N #> 0.
chosen(_, second).
