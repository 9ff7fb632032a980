:- dynamic(item/2).

take_all(0, N) :- !, take(N, N).
take_all(I, N) :- J is I - 1, asserta(item(same, I)), take_all(J, N).

take(0, _) :- !.
take(I, N) :- retract(item(_, I)), !, J is I - 1, take(J, N).
