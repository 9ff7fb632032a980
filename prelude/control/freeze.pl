% Goals that wait for a variable: freeze/2 and frozen/2.

:- module(freeze, [
    freeze/2,
    frozen/2
]).

:- public((attr_unify_hook/2, attribute_goals/3)).

:- meta_predicate(freeze(?, 0)).

%% freeze(?Term, :Goal)
%
%  Calls Goal as soon as Term is bound.
%
%  ?- freeze(X, (write(got(X)), nl)), X = 1.
%  got(1)
%  X = 1.
%
%  ?- freeze(X, X > 3), X = 2.
%  false.
%
%  ?- freeze(X, X > 3).
%  freeze(X, X>3).

freeze(Term, Goal) :-
    (   var(Term)
    ->  freeze_add(Term, Goal)
    ;   call(Goal)
    ).

freeze_add(Var, Goal) :-
    (   get_attr(Var, freeze, Goals)
    ->  put_attr(Var, freeze, '$and'(Goals, Goal))
    ;   put_attr(Var, freeze, Goal)
    ).

attr_unify_hook(Goals, Other) :-
    (   attvar(Other)
    ->  freeze_add(Other, Goals)
    ;   var(Other)
    ->  put_attr(Other, freeze, Goals)
    ;   freeze_call(Goals)
    ).

freeze_call(Goal) :-
    var(Goal),
    !,
    call(Goal).
freeze_call('$and'(Goals, Goal)) :-
    !,
    freeze_call(Goals),
    freeze_call(Goal).
freeze_call(Goal) :-
    call(Goal).

attribute_goals(Var, Goals0, Goals) :-
    get_attr(Var, freeze, Frozen),
    freeze_goals(Frozen, Var, Goals0, Goals).

freeze_goals(Frozen, Var, Goals0, Goals) :-
    nonvar(Frozen),
    Frozen = '$and'(Frozen1, Frozen2),
    !,
    freeze_goals(Frozen1, Var, Goals0, Goals1),
    freeze_goals(Frozen2, Var, Goals1, Goals).
freeze_goals(Goal0, Var, [freeze(Var, Module:Goal)|Goals], Goals) :-
    strip_module(Goal0, Module, Goal).

%% frozen(@Term, -Goal)
%
%  Unifies Goal with the conjunction of the goals that wait for variables of Term, in the standard order, or
%  with true. The goals are freeze(Variable, Module:Waiting), and those of dif/2, when/2 and other attributes.
%
%  ?- freeze(X, true), frozen(X, Goal).
%  Goal = freeze(X, user:true),
%  freeze(X, true).
%
%  ?- dif(X, a), frozen(f(X), Goal).
%  Goal = dif(X, a),
%  dif(X, a).

frozen(Term, Goal) :-
    term_attvars(Term, Vars),
    '$waiting_goals'(Vars, Goals),
    sort(Goals, Ordered),
    freeze_conjunction(Ordered, Goal).

freeze_conjunction([], true).
freeze_conjunction([Goal|Goals], Conjunction) :-
    freeze_conjunction(Goals, Goal, Conjunction).

freeze_conjunction([], Goal, Goal).
freeze_conjunction([Goal|Goals], Goal0, (Goal0, Conjunction)) :-
    freeze_conjunction(Goals, Goal, Conjunction).
