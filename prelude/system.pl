% What is always there without being loaded, and may be replaced by a program's own definitions.

:- module(system, []).

:- meta_predicate(not(0)).
:- meta_predicate(count_solutions(0, -)).
:- meta_predicate(apply(:, +)).

otherwise.

not(Goal) :- \+ call(Goal).

%% apply(:Goal, +Extra)
%  Calls Goal with the members of the list Extra as further arguments.
apply(Goal, Extra) :-
    '$add_arguments'(Goal, Extra, Called),
    call(Called).

'$add_arguments'(Module:Goal, Extra, Module:Called) :- !,
    '$add_arguments'(Goal, Extra, Called).
'$add_arguments'(Goal, Extra, Called) :-
    Goal =.. List0,
    '$append'(List0, Extra, List),
    Called =.. List.

%% count_solutions(:Goal, ?Count)
%  True when Goal has Count solutions. They are counted, never built.
count_solutions(Goal, Count) :- '$count'(Goal, Count).
