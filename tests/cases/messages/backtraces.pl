% An uncaught error shows the clauses that led to it, except those that a last call has left.
:- initialization((outer([1, 2, x]), nl)).
:- initialization(deep(1000)).
:- initialization(last_calls).
:- initialization(of_library).
:- initialization(caught_elsewhere).
:- initialization(cleaned).
:- initialization('Odd Name').
:- initialization(mutual(30)).

outer(Xs) :-
    sum(Xs, Sum),
    write(Sum).

sum([], 0).
sum([X|Xs], Sum) :-
    sum(Xs, Rest),
    Sum is X + Rest.

deep(0) :- atom_length(_, _), nl.
deep(N) :- M is N-1, deep(M), nl.

last_calls :- one, nl.
one :- two.
two :- no_such_predicate.

of_library :- maplist(checked, [1, 2, a]), nl.
checked(X) :- Y is X + 1, number(Y).

caught_elsewhere :- catch(last_calls, another_error, true), nl.

cleaned :- setup_call_cleanup(true, last_calls, true), nl.

'Odd Name' :- last_calls, nl.

mutual(0) :- atom_length(_, _).
mutual(N) :- M is N-1, even_more(M), nl.
even_more(N) :- mutual(N), nl.
