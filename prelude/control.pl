% Control constructs as predicates, for goals made at run time, and what the machine itself calls.
% Clause bodies do not come here: the compiler puts their control constructs in place.

:- module(system, []).

(A , B) :- Goal = (A , B), call(Goal).
(A ; B) :- Goal = (A ; B), call(Goal).
(A -> B) :- Goal = (A -> B), call(Goal).
(A *-> B) :- Goal = (A *-> B), call(Goal).

'|'(A, B) :- call((A ; B)).

! .
true.

fail :- fail.
false :- fail.

\+ Goal :- \+ call(Goal).
once(Goal) :- call(Goal), !.
ignore(Goal) :- ( call(Goal) -> true ; true ).
forall(Condition, Action) :- \+ ( call(Condition), \+ call(Action) ).

%% \=(?X, ?Y)
%  True if X and Y do not unify. ISO 8.2.3.
% The flag occurs_check is heeded by calls of =/2 that are not compiled.
X \= Y :- ( '$heeds_occurs_check' -> \+ call(=, X, Y) ; X \= Y ).

findall(Template, Goal, Result) :- findall(Template, Goal, Result).
findall(Template, Goal, Result, Tail) :-
    findall(Template, Goal, Found),
    '$append'(Found, Tail, Result).

'$append'([], L, L).
'$append'([X|Xs], Ys, [X|Zs]) :- '$append'(Xs, Ys, Zs).

'$member'(X, [Y|Ys]) :- '$member'(Ys, X, Y).

'$member'(_, X, X).
'$member'([Y|Ys], X, _) :- '$member'(Ys, X, Y).

'$count'(Goal, Count) :- '$count'(Goal, Count).

% To be retried makes it no deeper.
repeat :- '$repeat'.

'$repeat'.
'$repeat' :- '$repeat'.

% Goals whose module is known at run time come here if it is none, or if there are prefixes only.

Module:_ :- var(Module), throw(error(instantiation_error, _)).
Module:_ :- \+ atom(Module), throw(error(type_error(module, Module), _)).
Module:Goal :- cyclic_term(Goal), throw(error(type_error(acyclic_term, Module:Goal), _)).
Module:Goal :- Qualified = Module:Goal, call(Qualified).

% The parts of a body that is run as a term: conditions are opaque to cuts ([] instead of a choice
% point), the rest is not.

'$and'(A, B, Module, Cut) :- '$body'(A, Module, Cut), '$body'(B, Module, Cut).

'$or'(A, _, Module, Cut) :- '$body'(A, Module, Cut).
'$or'(_, B, Module, Cut) :- '$body'(B, Module, Cut).

'$if'(C, T, Module, Cut) :- ( '$body'(C, Module, []) -> '$body'(T, Module, Cut) ).

'$if'(C, T, E, Module, Cut) :-
    ( '$body'(C, Module, []) -> '$body'(T, Module, Cut) ; '$body'(E, Module, Cut) ).

'$soft'(C, T, Module, Cut) :- '$body'(C, Module, []), '$body'(T, Module, Cut).

'$soft'(C, T, E, Module, Cut) :-
    ( '$body'(C, Module, []) *-> '$body'(T, Module, Cut) ; '$body'(E, Module, Cut) ).

% Cleanup.

setup_call_cleanup(Setup, Goal, Cleanup) :-
    once(Setup),
    '$defer_stop',
    '$must_be_callable'(Cleanup),
    '$call_cleanup'(Goal, Cleanup).

call_cleanup(Goal, Cleanup) :-
    '$must_be_callable'(Cleanup),
    '$call_cleanup'(Goal, Cleanup).

'$must_be_callable'(Goal) :- strip_module(Goal, _, Plain), '$must_be_plain'(Plain).

'$must_be_plain'(Goal) :- var(Goal), !, throw(error(instantiation_error, _)).
'$must_be_plain'(Goal) :- callable(Goal), !.
'$must_be_plain'(Goal) :- throw(error(type_error(callable, Goal), _)).

% All of them run; the first exception of one is passed on. While an exception is under way
% already, that one is.

'$run_cleanups'([]).
'$run_cleanups'([Goal|Goals]) :-
    catch(ignore(Goal), Ball, true),
    (   var(Ball)
    ->  '$run_cleanups'(Goals)
    ;   catch('$run_cleanups'(Goals), _, true),
        throw(Ball)
    ).

'$run_cleanups_silently'(Goals) :-
    catch('$run_cleanups'(Goals), _, true).

% Wake-ups of attributed variables, oldest first.

'$run_wakeups'(Pending) :-
    '$reverse'(Pending, [], Ordered),
    '$wake_all'(Ordered).

% Goals of Lolli that Prolog proves while there are eigenvariables.

'$within_scope'(Goal) :-
    '$scope_mark'(Mark),
    call(Goal),
    '$scopes_kept'(Mark, Goal, Last),
    (   Last == 1
    ->  !
    ;   true
    ).

'$wake_within_scope'(Pending) :- '$within_scope'('$run_wakeups'(Pending)).

% For \=, where variables with attributes would be bound.

'$try_unify'(X, Y) :- ( \+ X = Y -> '$tried'(false) ; '$tried'(true) ).

'$reverse'([], L, L).
'$reverse'([X|Xs], Ys, Zs) :- '$reverse'(Xs, [X|Ys], Zs).

'$wake_all'([]).
'$wake_all'(['$wakeup'(Attributes, Value)|Pending]) :-
    '$call_hooks'(Attributes, Value),
    '$wake_all'(Pending).

'$call_hooks'([], _).
'$call_hooks'(att(Module, Attribute, Rest), Value) :-
    Module:attr_unify_hook(Attribute, Value),
    '$call_hooks'(Rest, Value).

% A variable that may hold eigenvariables up to the number Limit only.
'$scope':attr_unify_hook(Limit, Value) :- '$keep_scope'(Limit, Value).
