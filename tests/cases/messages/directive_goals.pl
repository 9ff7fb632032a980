p(1).
q(2).
bad(X) :- X > a.

:- p(1), q(3), p(2).
:- p(1),
   ( q(3) -> true ; q(4) ),
   p(1).
:- p(1), \+ q(2).
:- p(1), 1 > 2, q(2).
:- p(1), p(1), [].
:- q(3).
:- initialization((p(1), q(5))).
:- initialization(q(6)).
:- initialization((p(1), atom_length(_, _))).
:- initialization((p(1), bad(1))).
:- initialization((p(1), q(7)), after_load).
:- p(1), initialization(q(8)).
:- forall(p(1), (q(1), p(1))).

r(X) :- q(X).
:- forall(p(X), initialization(r(X))).
:- p(X), q(X).
:- initialization((p(X), q(X), _ = Y, Y = 3)).
