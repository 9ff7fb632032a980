% The place of an error is the goal that raised it, in the innermost clause of the program.
:- initialization(p(3)).
:- initialization(p(1)).
:- initialization(p(a)).
:- initialization(of_library([x])).
:- initialization(first).
:- initialization(phrase(rule, [a])).
:- initialization(loop(3)).
:- initialization(cleaned).
:- initialization(collected).
:- initialization(twice(2)).
:- initialization(twice(0)).
:- initialization(negated).
:- initialization(caught).
:- initialization(several(1)).
:- initialization(thrown_again).
:- initialization((true, p(b))).

p(X) :- X > 0, q(X).
q(X) :-
    Y is X + 1,
    ( Y > 3 -> Z is foo + Y ; Z = Y ),
    r(Z).
r(Z) :- atom_length(Z, L), write(L), nl, undefined_one(L).

of_library(X) :- nth0(a, X, _).

% Last calls leave no frame behind.
first :- second.
second :- third.
third :- no_such.

rule --> [a], { atom_length(_, _) }, other.
other --> [].

loop(0) :- !, X is a+1, write(X).
loop(N) :- M is N-1, loop(M).

cleaned :- setup_call_cleanup(true, third, write(cleanup)), nl.
collected :- findall(X, (member(X, [1, a]), X > 0), L), write(L).

twice(X) :- Y is 6/X, Z is foo+Y, W is bar+Z, write(W).
negated :- \+ ( true, atom_length(1, b) ), write(no).
caught :- catch(third, no_error, true), write(done).

% Which last call it was is not sure.
several(1) :- several_more(_).
several(2) :- atom_length(_, _).
several_more(X) :- atom_length(X, 1).
several_more(X) :- atom_length(X, 2).

thrown_again :- catch(atom_length(_, _), E, (nl(user_error), throw(E))).

% A goal that comes later in the directive has not raised it.
:- initialization((foldl(no_such, [a], 1, _), later(x))).
later(Z) :- catch((call(Z), Z), _, true).
