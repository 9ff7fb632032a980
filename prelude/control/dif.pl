% Terms that must differ: dif/2.
%
% A constraint is '$dif'(Done, Lefts, Rights, Watcher): the lists Lefts and Rights must not become identical. As
% long as a list of equations between a variable and a term would make them identical, the constraint watches
% the variables of one equation. Watcher is the first of these variables. While this equation does not hold, the
% lists differ. When a watched variable is bound, dif_check computes the equations again and a new constraint
% replaces the old one. Done is bound when a new constraint replaces this one, or when the lists can no longer
% become identical. So dif/2 need not search for the constraint among the many that a variable may watch.

:- module(dif, [
    dif/2
]).

:- public((attr_unify_hook/2, attribute_goals/3)).

%% dif(?X, ?Y)
%
%  True if X and Y are different terms. If this is not yet known, waits until it is. Fails as soon as X and Y
%  are identical.
%
%  ?- dif(X, a), X = a.
%  false.
%
%  ?- dif(X, a), X = b.
%  X = b.
%
%  ?- dif(f(X), f(Y)), X = 1.
%  X = 1,
%  dif(Y, 1).

dif(X, Y) :-
    (   unifiable(X, Y, Equations)
    ->  Equations = [_|_],
        dif_sides(Equations, Lefts, Rights),
        Lefts = [Left|_],
        Rights = [Right|_],
        dif_watch(Left, Right, Lefts, Rights)
    ;   true
    ).

dif_sides([], [], []).
dif_sides([Left=Right|Equations], [Left|Lefts], [Right|Rights]) :-
    dif_sides(Equations, Lefts, Rights).

dif_watch(Left, Right, Lefts, Rights) :-
    Constraint = '$dif'(_, Lefts, Rights, Left),
    dif_add(Left, Constraint),
    (   var(Right)
    ->  dif_add(Right, Constraint)
    ;   true
    ).

dif_add(Var, Constraint) :-
    (   get_attr(Var, dif, Constraints)
    ->  put_attr(Var, dif, [Constraint|Constraints])
    ;   put_attr(Var, dif, [Constraint])
    ).

attr_unify_hook(Constraints, _) :-
    dif_check(Constraints).

dif_check([]).
dif_check([Constraint|Constraints]) :-
    Constraint = '$dif'(Done, Lefts, Rights, _),
    (   nonvar(Done)
    ->  true
    ;   Done = done,
        unifiable(Lefts, Rights, Equations)
    ->  Equations = [Left=Right|_],
        dif_watch(Left, Right, Lefts, Rights)
    ;   true
    ),
    dif_check(Constraints).

attribute_goals(Var, Goals0, Goals) :-
    get_attr(Var, dif, Constraints),
    dif_oldest_first(Constraints, [], Ordered),
    dif_goals(Ordered, Var, Goals0, Goals).

dif_oldest_first([], Constraints, Constraints).
dif_oldest_first([Constraint|Constraints0], Constraints1, Constraints) :-
    dif_oldest_first(Constraints0, [Constraint|Constraints1], Constraints).

% Shows a constraint at its Watcher.

dif_goals([], _, Goals, Goals).
dif_goals([Constraint|Constraints], Var, Goals0, Goals) :-
    Constraint = '$dif'(Done, Lefts, Rights, Watcher),
    (   var(Done),
        Watcher == Var,
        unifiable(Lefts, Rights, Equations)
    ->  dif_goal(Equations, Goal),
        Goals0 = [Goal|Goals1]
    ;   Goals0 = Goals1
    ),
    dif_goals(Constraints, Var, Goals1, Goals).

dif_goal([Left=Right], Goal) :-
    !,
    (   var(Right),
        Right @< Left
    ->  Goal = dif(Right, Left)
    ;   Goal = dif(Left, Right)
    ).
dif_goal(Equations, dif(Left, Right)) :-
    dif_sides(Equations, Lefts, Rights),
    Left =.. [f|Lefts],
    Right =.. [f|Rights].
