% Terms with goal variables, which are converted when they are called.
:- initialization(beside).
:- initialization(collected).
:- initialization(for_all).
:- initialization(no_goal).
:- initialization(in_branches).

beside :- G = true, once((G, no_such(1))).
collected :- G = true, findall(X, ( member(X, [1]), G, no_such(X) ), _).
for_all :- G = true, forall(G, ( G, atom_length(_, _) )).
no_goal :- G = 1, call((write(never), G)).
in_branches :- G = fail, ( once(( G ; fail )) ; \+ ( G ; atom_length(1, _), atom_length(_, _) ) ).
