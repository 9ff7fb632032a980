:- use_module(library(linear)).

held(Y) :- forall X\ same(f(X), Y).
same(X, X).
called(Y) :- G = (forall X\ same(X, Y)), call(G).

% Which clause is chosen, and by which test.
kind(X, atomic) :- atomic(X), !.
kind(X, compound) :- compound(X), !.
kind(_, other).
tested(X, Kind) :-
    (   var(X) -> Kind = var
    ;   atom(X) -> Kind = atom
    ;   compound(X) -> Kind = compound
    ;   atomic(X) -> Kind = atomic
    ;   Kind = other
    ).
listed(f(_), f).
listed(X, compound) :- compound(X).
listed(X, atomic) :- atomic(X).
only(X) :- atomic(X).
only([]).
only(f(_)).
