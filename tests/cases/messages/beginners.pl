% What people who know other languages write, and what is told of it.
total(X, Y) :- Z == X + Y, print(Z).
known(X, Y) :- Z is X + Y, Z == X + Y.
head(Z, X) :- Z == X + 1.
between_them(X, Z) :- ( X > 0 ; Z == X * 2 ).
inner(X) :- ( X > 0, Y == X * 2 -> print(Y) ; true ).

"loves"(romeo, juliet).

double(X) :- Y is X * 2, return(Y).

puzzle(X) :- solve(X), print(X).

% The only clause of what puzzle/1 calls is left out.
solve(X :- member(X, [a, b]).

:- initialization(puzzle(_)).

% A string is neither a list nor a number.
:- member(_, "abc").
:- X is "abc" + 1, print(X).
