% Goals that are known only when they are called, some of them as last calls.
:- initialization(first).
:- initialization(step(no_such(2))).
:- initialization(inner).
:- initialization(called(no_such(4))).
:- initialization(among(1, no_such(5))).

first :- G = no_such(1), G.
step(G) :- write(step), nl, G.
inner :- G = (true, atom_length(_, _)), G, write(no).
called(G) :- call(G), write(no).
among(N, G) :- N > 0, write(N), nl, ( N > 1 -> atom_length(N, 1) ; G ).
