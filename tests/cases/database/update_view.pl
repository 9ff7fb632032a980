% Clauses for update_view.queries.

:- dynamic(item/1).
:- dynamic(counter/1).
:- dynamic(pair/2).
:- dynamic(wide/2).

item(1).
item(2).
item(3).

counter(0).

fill(N, N) :- !.
fill(I, N) :- I1 is I + 1, assertz(wide(I1, I)), fill(I1, N).

bump(0) :- !.
bump(N) :- retract(counter(C)), C1 is C + 1, assertz(counter(C1)), N1 is N - 1, bump(N1).

% Every call leaves a choice point behind.
drain(0) :- !.
drain(N) :- retract(wide(_, _)), N1 is N - 1, drain(N1).
