% Control constructs as predicates, for goals created at run time, and predicates that the machine itself calls.
% Clause bodies do not use them: the compiler compiles their control constructs in place.

:- module(system, []).

% Grammar rules of programs call this.
:- public('$append'/3).

:- meta_predicate('$within_scope'(0)).
:- meta_predicate('$search_whole'(?, 0, ?)).
:- meta_predicate('$search_part'(?, 0, ?)).

%% ','(:First, :Second)
%  Proves First, then Second for each solution of First. A cut in either is a cut of the clause that contains
%  them. ISO 7.8.5.
%
%  ?- member(X, [1,2,3]), X > 2.
%  X = 3.
(A , B) :- Goal = (A , B), call(Goal).

%% ;(:Either, :Or)
%  Returns the solutions of Either, then those of Or. A cut in either is a cut of the clause that contains them,
%  and also removes the other branch. ISO 7.8.6.
%
%  ( If -> Then ; Else ) returns the solutions of Then for the first solution of If. If If has no solution, it
%  returns the solutions of Else. A cut in If cuts nothing outside If. ISO 7.8.8.
%
%  ( If *-> Then ; Else ) does the same for all solutions of If.
%
%  ?- findall(X, ( X = 1 ; X = 2 ), L).
%  L = [1, 2].
%
%  ?- ( member(X, [1,2]) -> true ; X = none ).
%  X = 1.
(A ; B) :- '$plain_condition'(A, Plain), Goal = (Plain ; B), call(Goal).

% call/3 of the closure `;` adds modules to the arguments. This predicate removes the module of a condition.

'$plain_condition'(Goal, Goal) :- var(Goal), !.
'$plain_condition'(Module:Goal, Plain) :-
    atom(Module), nonvar(Goal), '$with_module'(Goal, Module, Plain), !.
'$plain_condition'(Goal, Goal).

'$with_module'((If -> Then), Module, (Module:If -> Module:Then)).
'$with_module'((If *-> Then), Module, (Module:If *-> Module:Then)).
'$with_module'(Module:Goal, _, Plain) :- '$plain_condition'(Module:Goal, Plain).

%% ->(:If, :Then)
%  Returns the solutions of Then for the first solution of If. Fails if If has no solution. Use ( If -> Then ;
%  Else ) for another branch. A cut in If cuts nothing outside If. ISO 7.8.7.
%
%  ?- ( 3 > 2 -> X = yes ; X = no ).
%  X = yes.
(A -> B) :- Goal = (A -> B), call(Goal).

%% *->(:If, :Then)
%  Returns the solutions of Then for all solutions of If. In ( If *-> Then ; Else ), runs Else only if If has no
%  solution.
%
%  ?- findall(X, ( member(X, [1,2]) *-> true ; X = none ), L).
%  L = [1, 2].
(A *-> B) :- Goal = (A *-> B), call(Goal).

%% '|'(:Either, :Or)
%  Means Either ; Or: the reader converts Either | Or to it.
%
%  ?- findall(X, ( X = 1 | X = 2 ), L).
%  L = [1, 2].
'|'(A, B) :- call(;, A, B).

%% !
%  Succeeds and removes all choice points since the call of the clause that contains the cut. These are the
%  other clauses of the predicate, and other solutions of the goals before the cut. In call/1, \+ and
%  conditions, it cuts nothing outside them. ISO 7.8.4.
%
%  ?- member(X, [1,2,3]), !.
%  X = 1.
%
%  ?- member(X, [1,2,3]), X > 1, !.
%  X = 2.
! .

%% true
%  Succeeds once. ISO 7.8.1.
%
%  ?- true.
%  true.
true.

%% fail
%% false
%  Fails. ISO 7.8.2 and Corrigendum 2.
%
%  ?- member(X, [1,2]), write(X), nl, fail.
%  1
%  2
%  false.
fail :- fail.
false :- fail.

%% \+(:Goal)
%  True if Goal has no solution. Binds nothing. ISO 8.15.1. Raises an instantiation_error if Goal is unbound,
%  and type_error(callable, Goal) if it cannot be a goal, such as 1.
%
%  ?- \+ member(4, [1,2,3]).
%  true.
%
%  ?- \+ X = 1.
%  false.
\+ Goal :- \+ call(Goal).

%% once(:Goal)
%  Returns the first solution of Goal. Fails if Goal has none. Raises the same errors as call/1. ISO 8.15.2.
%
%  ?- once(member(X, [1,2,3])).
%  X = 1.
once(Goal) :- call(Goal), !.

%% ignore(:Goal)
%  Returns the first solution of Goal, or succeeds if Goal has none. Raises the same errors as call/1.
%
%  ?- ignore(member(X, [])).
%  true.
%
%  ?- ignore(member(X, [1,2])).
%  X = 1.
ignore(Goal) :- ( call(Goal) -> true ; true ).

%% forall(:Condition, :Action)
%  True if Action has a solution for each solution of Condition. Binds nothing. Raises the same errors as
%  call/1.
%
%  ?- forall(member(X, [1,2,3]), X > 0).
%  true.
%
%  ?- forall(member(X, [1,2,3]), X < 3).
%  false.
forall(Condition, Action) :- \+ ( call(Condition), \+ call(Action) ).

%% \=(?X, ?Y)
%  True if X and Y do not unify. ISO 8.2.3.
%
%  ?- f(a) \= f(b).
%  true.
%
%  ?- X \= a.
%  false.

% Calls of =/2 that are not compiled respect the flag occurs_check.
X \= Y :- ( '$heeds_occurs_check' -> \+ call(=, X, Y) ; X \= Y ).

%% findall(?Template, :Goal, -List)
%  Collects a copy of Template for each solution of Goal in List, in order. List is [] if Goal has no solution.
%  Raises the same errors as call/1, and type_error(list, List) if List is neither a list nor a partial list.
%  ISO 8.10.1. Use bagof/3 for groups of solutions, setof/3 for solutions without duplicates.
%
%  ?- findall(X-Y, (member(X, [1,2]), Y is X*X), L).
%  L = [1-1, 2-4].
%
%  ?- findall(X, member(X, []), L).
%  L = [].
findall(Template, Goal, Result) :- findall(Template, Goal, Result).

%% findall(?Template, :Goal, -List, ?Tail)
%  Collects copies like findall/3, followed by Tail.
%
%  ?- findall(X, member(X, [1,2]), L, [end]).
%  L = [1, 2, end].
findall(Template, Goal, Result, Tail) :-
    findall(Template, Goal, Found),
    '$append'(Found, Tail, Result).

% The machine itself defines these predicates.

%% call(:Goal)
%% call(:Goal, ?A1)
%% call(:Goal, ?A1, ?A2)
%% call(:Goal, ?A1, ?A2, ?A3)
%% call(:Goal, ?A1, ?A2, ?A3, ?A4)
%% call(:Goal, ?A1, ?A2, ?A3, ?A4, ?A5)
%% call(:Goal, ?A1, ?A2, ?A3, ?A4, ?A5, ?A6)
%% call(:Goal, ?A1, ?A2, ?A3, ?A4, ?A5, ?A6, ?A7)
%  Proves Goal with the further arguments appended to its own. Cuts in Goal cut nothing outside Goal. An unbound
%  Goal raises an instantiation_error. A Goal that cannot be a goal, such as 1 or (true, 1), raises
%  type_error(callable, Goal). An unknown procedure raises existence_error(procedure, Name/Arity), unless the
%  flag unknown changes this. ISO 7.8.3 and 8.15.4.
%
%  ?- call(append([1]), [2], L).
%  L = [1, 2].
%
%  ?- G = format("~w~n"), call(G, [hello]).
%  hello
%  G = format("~w~n").
%
%  ?- call(1).
%  error: Type error: `callable' expected, found `1' (an integer) [type_error(callable, 1)]

%% catch(:Goal, ?Catcher, :Recovery)
%  Proves Goal. If Goal raises an exception that unifies with Catcher, all effects of Goal on bindings are
%  undone and Recovery is proved. Other exceptions pass on to the next outer catch/3. Raises the same errors as
%  call/1. ISO 7.8.9.
%
%  ?- catch(atom_length(X, N), error(E, _), true).
%  E = instantiation_error.
%
%  ?- catch(throw(my_ball), Ball, (write(caught), nl)).
%  caught
%  Ball = my_ball.
%
%  ?- catch(X is 1 / 0, error(evaluation_error(E), _), true).
%  E = zero_divisor.

% Raises the error of a library predicate that has no clause for its arguments. SWI-Prolog defines these
% predicates by single-sided unification rules.
'$no_rule'(Goal) :- throw(error(existence_error(matching_rule, Goal), _)).

'$append'([], L, L).
'$append'([X|Xs], Ys, [X|Zs]) :- '$append'(Xs, Ys, Zs).

'$member'(X, [Y|Ys]) :- '$member'(Ys, X, Y).

'$member'(_, X, X).
'$member'([Y|Ys], X, _) :- '$member'(Ys, X, Y).

'$count'(Goal, Count) :- '$count'(Goal, Count).

% Folds the instances of Template without a list of them. For `sum`, Result is the sum of their values. For
% `max` and `min`, Result is a list of the best value, or [] if there is no solution. For `max_with` and
% `min_with`, Result is a list of the first pair whose first part is best.

'$fold'(sum, Template, Goal, Result) :- '$fold'(sum, Template, Goal, Result).
'$fold'(max, Template, Goal, Result) :- '$fold'(max, Template, Goal, Result).
'$fold'(min, Template, Goal, Result) :- '$fold'(min, Template, Goal, Result).
'$fold'(max_with, Template, Goal, Result) :- '$fold'(max_with, Template, Goal, Result).
'$fold'(min_with, Template, Goal, Result) :- '$fold'(min_with, Template, Goal, Result).

% Computes the result of all solutions of a search, and of the solutions of a part of it.

'$search_whole'(count, Goal, Count) :- '$count'(Goal, Count).
'$search_whole'(list(Template), Goal, List) :- findall(Template, Goal, List).
'$search_whole'(sum(E), Goal, Result) :- '$fold'(sum, E, Goal, Result).
'$search_whole'(max(E), Goal, Result) :- '$fold'(max, E, Goal, Result).
'$search_whole'(min(E), Goal, Result) :- '$fold'(min, E, Goal, Result).
'$search_whole'(max_with(E), Goal, Result) :- '$fold'(max_with, E, Goal, Result).
'$search_whole'(min_with(E), Goal, Result) :- '$fold'(min_with, E, Goal, Result).

'$search_part'(count, Goal, Count) :- '$count'(( '$search_enter', call(Goal) ), Count), '$search_leave'.
'$search_part'(list(Template), Goal, List) :- findall(Template, ( '$search_enter', call(Goal) ), List), '$search_leave'.
'$search_part'(sum(E), Goal, Result) :- '$fold'(sum, E, ( '$search_enter', call(Goal) ), Result), '$search_leave'.
'$search_part'(max(E), Goal, Result) :- '$fold'(max, E, ( '$search_enter', call(Goal) ), Result), '$search_leave'.
'$search_part'(min(E), Goal, Result) :- '$fold'(min, E, ( '$search_enter', call(Goal) ), Result), '$search_leave'.
'$search_part'(max_with(E), Goal, Result) :- '$fold'(max_with, E, ( '$search_enter', call(Goal) ), Result), '$search_leave'.
'$search_part'(min_with(E), Goal, Result) :- '$fold'(min_with, E, ( '$search_enter', call(Goal) ), Result), '$search_leave'.

% Defines repeat so that a retry does not increase the depth.

%% repeat
%  Succeeds again on every backtracking, so the goals after it run again until they succeed. ISO 8.15.3.
%
%  ?- nb_setval(n, 0), repeat, nb_getval(n, N0), N is N0 + 1, nb_setval(n, N), N >= 3, !.
%  N0 = 2,
%  N = 3.
repeat :- '$repeat'.

'$repeat'.
'$repeat' :- '$repeat'.

% The machine calls this when the module of a goal, known only at run time, is invalid, or when the goal has
% only prefixes.

%% :(+Module, :Goal)
%  Proves Goal in Module: its predicates are those that Module sees. Raises an instantiation_error if Module is
%  unbound, and type_error(module, Module) if it is no atom.
%
%  ?- lists:append([1], [2], L).
%  L = [1, 2].
Module:_ :- var(Module), throw(error(instantiation_error, _)).
Module:_ :- \+ atom(Module), throw(error(type_error(module, Module), _)).
Module:Goal :- cyclic_term(Goal), throw(error(type_error(acyclic_term, Module:Goal), _)).
Module:Goal :- Qualified = Module:Goal, call(Qualified).

% Run the parts of a body that is run as a term. Conditions are opaque to cuts ([] instead of a choice point);
% the other parts are not.

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

%% setup_call_cleanup(:Setup, :Goal, :Cleanup)
%  Proves Setup once, then Goal. Runs Cleanup once, like ignore/1, as soon as Goal is finished. Goal is finished
%  when it fails, raises an exception or returns its last solution, or when a cut removes its other solutions.
%  Limits and interrupts that occur during Setup or Cleanup wait until it ends, at most 100,000 inferences or
%  0.1 seconds. Raises an instantiation_error if Cleanup is unbound.
%
%  ?- setup_call_cleanup(write(begin), X = 1, write(end)), nl.
%  beginend
%  X = 1.
setup_call_cleanup(Setup, Goal, Cleanup) :-
    '$set_up'(Setup),
    '$must_be_callable'(Cleanup),
    '$call_cleanup'(Goal, Cleanup).

%% call_cleanup(:Goal, :Cleanup)
%  Calls Goal like setup_call_cleanup(true, Goal, Cleanup).
%
%  ?- call_cleanup(member(X, [1,2]), write(done)), !, nl.
%  done
%  X = 1.
call_cleanup(Goal, Cleanup) :-
    '$begin_setup',
    '$must_be_callable'(Cleanup),
    '$call_cleanup'(Goal, Cleanup).

% Delays events that stop the query until the goal with a cleanup begins.
'$set_up'(Setup) :- '$begin_setup', once(Setup), !.
'$set_up'(_) :- '$end_setup', fail.

'$must_be_callable'(Goal) :- strip_module(Goal, _, Plain), '$must_be_plain'(Plain).

'$must_be_plain'(Goal) :- var(Goal), !, throw(error(instantiation_error, _)).
'$must_be_plain'(Goal) :- callable(Goal), !.
'$must_be_plain'(Goal) :- throw(error(type_error(callable, Goal), _)).

% Runs all cleanups and raises their first exception again. If another exception is already being handled, that
% one continues instead.

'$clean_up'(Goals) :- '$run_cleanups'(Goals), '$end_cleanup'.

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

% Runs the wake-ups of attributed variables, oldest first.

'$run_wakeups'(Pending) :-
    '$reverse'(Pending, [], Ordered),
    '$wake_all'(Ordered).

% Calls goals of Lolli that Prolog proves while there are eigenvariables.

'$within_scope'(Goal) :-
    '$scope_mark'(Mark),
    call(Goal),
    '$scopes_kept'(Mark, Goal, Last),
    (   Last == 1
    ->  !
    ;   true
    ).

'$wake_within_scope'(Pending) :- '$within_scope'('$run_wakeups'(Pending)).

% Decides \= if unification would bind attributed variables.

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

% Completes length/2 of a partial list whose end has suspended goals. These goals run between one length and the
% next.

'$length':attr_unify_hook(Known, [End|Length]) :- '$lengths'(End, Length, Known).

'$lengths'([], Length, Length).
'$lengths'([_|End], Length, Known) :-
    More is Known + 1,
    '$lengths'(End, Length, More).

% Restricts a variable to terms with eigenvariables up to the number Limit.
'$scope':attr_unify_hook(Limit, Value) :- '$keep_scope'(Limit, Value).

% '$undefined_goal'(:Goal): handles a call of Goal whose predicate is not defined. A hook of the program may
% define it now.

'$undefined_goal'(Module:Goal) :-
    functor(Goal, Name, Arity),
    (   Module == user
    ->  Indicator = Name/Arity
    ;   Indicator = Module:Name/Arity
    ),
    '$call_exception_hook'(undefined_predicate, Indicator),
    '$require_definition'(Module:Goal),
    call(Module:Goal).

% '$undefined_variable'(+Name, +Predicate): handles a read of a global variable without value by Predicate. A
% hook of the program may set it.

'$undefined_variable'(Name, Predicate) :-
    '$call_exception_hook'(undefined_global_variable, Name),
    (   '$is_global_variable'(Name)
    ->  true
    ;   throw(error(existence_error(variable, Name), context(Predicate, _)))
    ).

% Does not call a hook again for a definition that it is already making, since the hook itself may need that
% definition.

'$call_exception_hook'(Kind, Context) :-
    (   '$is_global_variable'('$asked')
    ->  b_getval('$asked', Asked)
    ;   Asked = []
    ),
    (   '$is_being_handled'(Asked, Kind, Context)
    ->  true
    ;   b_setval('$asked', [Kind-Context|Asked]),
        user:exception(Kind, Context, _)
    ->  b_setval('$asked', Asked)
    ;   true
    ).

'$is_being_handled'([Kind0-Context0|Asked], Kind, Context) :-
    (   Kind0 == Kind, Context0 == Context
    ->  true
    ;   '$is_being_handled'(Asked, Kind, Context)
    ).
