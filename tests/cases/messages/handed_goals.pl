% A fault in a goal that is handed on marks that goal, where it is sure which one it was.
:- initialization(above).
:- initialization(next).
:- initialization(total).
:- initialization(counted).
:- initialization(within).
:- initialization(unsure).
:- initialization(called).

above :- maplist([X]>>(X > a), [f(x)]).

next :-
    maplist([X,Y]>>(
                Y is X+1
            ),
            [f(x)], _).

total :- N = foo, foldl({N}/[X,A0,A]>>(A is A0+X*N), [1], 0, _).

counted :- aggregate_all(count, (member(X, [a]), X > 1), _).

within :- findall(L, maplist([X]>>atom_length(X, _), [L]), _), true.

% The goal that was called may have done it, or the one beside it.
unsure :- maplist([X]>>(size(X), atom_length(X, _)), [f(x)]).

size(X) :- atom_length(X, 1).

called :- maplist(succ_or_zero, [a]), maplist([X]>>(_ is X), [1]).

succ_or_zero(X) :- X > 0.

conjoined :- maplist([X]>>(X > a, write(X)), [1]).

:- initialization(conjoined).
