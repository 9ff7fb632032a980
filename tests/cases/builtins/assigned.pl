% Clauses that assign to arguments of their own terms.

changed_list(L) :- L = [6, a], nb_setarg(1, L, x).

changed_parts(S) :- S = s([a, b], _), arg(1, S, L), setarg(1, L, x).

changed_array(A) :-
    A = a(1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15, 16, 17, 18),
    forall(member(N, [1, 2, 18]), nb_setarg(N, A, z)).

changed_head([1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15, 16, 17, 18], L) :- setarg(1, L, z).

counted(Count) :-
    State = [0, []],
    (   member(X, [a, b, c]),
        State = [Count0, Xs],
        Count1 is Count0 + 1,
        nb_setarg(1, State, Count1),
        arg(2, State, Rest),
        nb_setarg(1, Rest, [X|Xs]),
        fail
    ;   State = [Count|_]
    ).

handed_over(Count) :- State = state(0), ( member(_, [a, b]), step(State), fail ; arg(1, State, Count) ).

step(State) :- arg(1, State, Count0), Count is Count0 + 1, nb_setarg(1, State, Count).

shared_list([1, 2]).

given_list(L) :- L = [1, 2].
