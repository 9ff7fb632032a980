% Goals that wait for a condition: when/2.

:- module(when, [
    when/2
]).

:- public((attr_unify_hook/2, attribute_goals/3)).

:- meta_predicate(when(+, 0)).

%% when(+Condition, :Goal)
%
%  Calls Goal as soon as Condition is true. Condition is nonvar(X), ground(T), ?=(X, Y) (X and Y are identical
%  or cannot be unified), (C1, C2) or (C1 ; C2). A condition that contains itself raises
%  type_error(acyclic_term, Condition).
%
%  ?- when(ground(X + Y), Z is X + Y), X = 1, Y = 2.
%  X = 1,
%  Y = 2,
%  Z = 3.
%
%  ?- when(?=(X, Y), writeln(known)), X = a, Y = b.
%  known
%  X = a,
%  Y = b.
%
%  ?- when(nonvar(X), true).
%  when(nonvar(X), true).

when(Condition, Goal) :-
    (   acyclic_term(Condition)
    ->  true
    ;   when_endless(Condition, [])
    ->  throw(error(type_error(acyclic_term, Condition), _))
    ;   true
    ),
    when_check(Condition, Condition),
    when_run(Condition, Goal, _).

% when_endless(@Condition, +Above): true if a conjunction or disjunction contains itself. Above are the
% conditions that contain Condition.

when_endless(Condition, Above) :-
    nonvar(Condition),
    (   Condition = (A, B)
    ;   Condition = (A ; B)
    ),
    (   '$member'(Outer, Above),
        Outer == Condition
    ;   when_endless(A, [Condition|Above])
    ;   when_endless(B, [Condition|Above])
    ),
    !.

when_check(Condition, Whole) :-
    (   var(Condition)
    ->  throw(error(instantiation_error, _))
    ;   when_condition(Condition, Whole)
    ->  true
    ;   throw(error(domain_error(when_condition, Whole), _))
    ).

when_condition(nonvar(_), _).
when_condition(ground(_), _).
when_condition(?=(_, _), _).
when_condition((A, B), Whole) :-
    when_check(A, Whole),
    when_check(B, Whole).
when_condition((A ; B), Whole) :-
    when_check(A, Whole),
    when_check(B, Whole).

% when_run(+Condition, +Goal, ?Done): binds Done when Goal has been called. Goal is called once, even if it
% watches several variables.

when_run(Condition, Goal, Done) :-
    (   when_watched(Condition, Vars)
    ->  when_add(Vars, '$when'(Done, Condition, Goal))
    ;   Done = done,
        call(Goal)
    ).

% when_again(+Condition, +Goal, ?Done): does the same when a watched variable is bound. For few variables, a new
% suspended goal with its own Done replaces the old one. So nobody need search for the goal among the many that
% may wait for these variables.

when_again(Condition, Goal, Done) :-
    (   when_watched(Condition, Vars)
    ->  Suspended = '$when'(Done, Condition, Goal),
        (   Vars = [_, _, _, _, _, _, _, _, _|_]
        ->  when_add_once(Vars, Suspended)
        ;   Done = done,
            when_add(Vars, '$when'(_, Condition, Goal))
        )
    ;   Done = done,
        call(Goal)
    ).

% when_watched(+Condition, -Vars): succeeds if Condition is not true yet, and cannot become true before one of
% Vars is bound.

when_watched(nonvar(X), [X]) :-
    var(X).
when_watched(ground(Term), [Var]) :-
    term_variables(Term, [Var|_]).
when_watched(?=(X, Y), Vars) :-
    unifiable(X, Y, Equations),
    Equations = [_|_],
    term_variables(Equations, Vars).
when_watched((A, B), Vars) :-
    (   when_watched(A, Vars0)
    ->  Vars = Vars0
    ;   when_watched(B, Vars)
    ).
when_watched((A ; B), Vars) :-
    when_watched(A, VarsA),
    when_watched(B, VarsB),
    term_variables(VarsA+VarsB, Vars).

when_add([], _).
when_add([Var|Vars], Suspended) :-
    (   get_attr(Var, when, All)
    ->  put_attr(Var, when, '$and'(All, Suspended))
    ;   put_attr(Var, when, Suspended)
    ),
    when_add(Vars, Suspended).

when_add_once([], _).
when_add_once([Var|Vars], Suspended) :-
    (   get_attr(Var, when, All)
    ->  (   when_has(All, Suspended)
        ->  true
        ;   put_attr(Var, when, '$and'(All, Suspended))
        )
    ;   put_attr(Var, when, Suspended)
    ),
    when_add_once(Vars, Suspended).

when_has('$and'(All, Suspended1), Suspended) :-
    (   when_has(Suspended1, Suspended)
    ->  true
    ;   when_has(All, Suspended)
    ).
when_has('$when'(Done1, _, _), '$when'(Done, _, _)) :-
    Done1 == Done.

% Runs when a variable is bound to a term or to another variable: watches again the conditions that are still
% not true.

attr_unify_hook(All, Other) :-
    when_wake(All),
    when_forget(Other).

when_wake('$and'(All, Suspended)) :-
    when_wake(All),
    when_wake(Suspended).
when_wake('$when'(Done, Condition, Goal)) :-
    (   var(Done)
    ->  when_again(Condition, Goal, Done)
    ;   true
    ).

% when_forget(+Other): removes the finished goals of a variable.

when_forget(Var) :-
    attvar(Var),
    get_attr(Var, when, All), !,
    when_left(All, Left),
    (   Left == none
    ->  del_attr(Var, when)
    ;   put_attr(Var, when, Left)
    ).
when_forget(_).

when_left('$and'(All, Suspended), Left) :- !,
    when_left(All, Left0),
    (   when_done(Suspended)
    ->  Left = Left0
    ;   Left0 == none
    ->  Left = Suspended
    ;   Left = '$and'(Left0, Suspended)
    ).
when_left(Suspended, Left) :-
    ( when_done(Suspended) -> Left = none ; Left = Suspended ).

when_done('$when'(Done, _, _)) :-
    nonvar(Done).

attribute_goals(Var, Goals0, Goals) :-
    get_attr(Var, when, All),
    when_goals(All, Var, Goals0, Goals).

when_goals('$and'(All, Suspended), Var, Goals0, Goals) :-
    when_goals(All, Var, Goals0, Goals1),
    when_goals(Suspended, Var, Goals1, Goals).
when_goals('$when'(Done, Condition, Goal), Var, Goals0, Goals) :-
    (   var(Done),
        when_watched(Condition, Vars),
        sort(Vars, [First|_]),
        First == Var
    ->  strip_module(Goal, Module, Plain),
        Goals0 = [when(Condition, Module:Plain)|Goals]
    ;   Goals0 = Goals
    ).
