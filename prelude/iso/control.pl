% Control constructs as predicates, for goals made at run time, and what the machine itself calls.
% Clause bodies do not come here: the compiler puts their control constructs in place.

:- module(system, []).

% Grammar rules of programs call it.
:- public('$append'/3).

:- meta_predicate('$within_scope'(0)).
:- meta_predicate('$search_whole'(?, 0, ?)).
:- meta_predicate('$search_part'(?, 0, ?)).

%% ','(:First, :Second)
%  First, Second: both are proved, Second for each solution of First. A cut in either is one of the clause that
%  they stand in. ISO 7.8.5.
%
%  ?- member(X, [1,2,3]), X > 2.
%  X = 3.
(A , B) :- Goal = (A , B), call(Goal).

%% ;(:Either, :Or)
%  Either ; Or: the solutions of Either, then those of Or. A cut in either is one of the clause that they stand
%  in, and takes away the other, too. ISO 7.8.6.
%
%  ( If -> Then ; Else ): for the first solution of If the solutions of Then; those of Else if If has none. A cut
%  in If cuts nothing outside it. ISO 7.8.8.
%
%  ( If *-> Then ; Else ) is the same for all solutions of If.
%
%  ?- findall(X, ( X = 1 ; X = 2 ), L).
%  L = [1, 2].
%
%  ?- ( member(X, [1,2]) -> true ; X = none ).
%  X = 1.
(A ; B) :- '$plain_condition'(A, Plain), Goal = (Plain ; B), call(Goal).

% call/3 of the closure `;` adds modules to the arguments: this takes one off a condition.

'$plain_condition'(Goal, Goal) :- var(Goal), !.
'$plain_condition'(Module:Goal, Plain) :-
    atom(Module), nonvar(Goal), '$with_module'(Goal, Module, Plain), !.
'$plain_condition'(Goal, Goal).

'$with_module'((If -> Then), Module, (Module:If -> Module:Then)).
'$with_module'((If *-> Then), Module, (Module:If *-> Module:Then)).
'$with_module'(Module:Goal, _, Plain) :- '$plain_condition'(Module:Goal, Plain).

%% ->(:If, :Then)
%  If -> Then: for the first solution of If the solutions of Then. It fails if If has none; what is done then
%  stands after a semicolon, ( If -> Then ; Else ). A cut in If cuts nothing outside it. ISO 7.8.7.
%
%  ?- ( 3 > 2 -> X = yes ; X = no ).
%  X = yes.
(A -> B) :- Goal = (A -> B), call(Goal).

%% *->(:If, :Then)
%  If *-> Then: as If -> Then, for all solutions of If. In ( If *-> Then ; Else ) the solutions of Else follow
%  only if If has none.
%
%  ?- findall(X, ( member(X, [1,2]) *-> true ; X = none ), L).
%  L = [1, 2].
(A *-> B) :- Goal = (A *-> B), call(Goal).

%% '|'(:Either, :Or)
%  Either | Or, which is read as Either ; Or.
%
%  ?- findall(X, ( X = 1 | X = 2 ), L).
%  L = [1, 2].
'|'(A, B) :- call(;, A, B).

%% !
%  Succeeds, and takes away all choices since the clause was called that it stands in: the other clauses of the
%  predicate, and other solutions of the goals before it. In call/1, \+ and conditions it cuts nothing outside
%  them. ISO 7.8.4.
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
%  Has no solution. ISO 7.8.2 and Corrigendum 2.
%
%  ?- member(X, [1,2]), write(X), nl, fail.
%  1
%  2
%  false.
fail :- fail.
false :- fail.

%% \+(:Goal)
%  True if Goal has no solution; it binds nothing. ISO 8.15.1. A goal that is a variable is an
%  instantiation_error, one that no goal can be, such as 1, a type_error(callable, Goal).
%
%  ?- \+ member(4, [1,2,3]).
%  true.
%
%  ?- \+ X = 1.
%  false.
\+ Goal :- \+ call(Goal).

%% once(:Goal)
%  The first solution of Goal; fails if it has none. Errors are those of call/1. ISO 8.15.2.
%
%  ?- once(member(X, [1,2,3])).
%  X = 1.
once(Goal) :- call(Goal), !.

%% ignore(:Goal)
%  The first solution of Goal, or true if it has none. Errors are those of call/1.
%
%  ?- ignore(member(X, [])).
%  true.
%
%  ?- ignore(member(X, [1,2])).
%  X = 1.
ignore(Goal) :- ( call(Goal) -> true ; true ).

%% forall(:Condition, :Action)
%  True if Action has a solution for each solution of Condition; it binds nothing. Errors are those of call/1.
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

% The flag occurs_check is heeded by calls of =/2 that are not compiled.
X \= Y :- ( '$heeds_occurs_check' -> \+ call(=, X, Y) ; X \= Y ).

%% findall(?Template, :Goal, -List)
%  List has a copy of Template for each solution of Goal, in order; it is [] if there is none. Errors are those of
%  call/1, and a type_error(list, List) if List is neither a list nor the beginning of one. ISO 8.10.1. For
%  solutions in groups there is bagof/3, without duplicates setof/3.
%
%  ?- findall(X-Y, (member(X, [1,2]), Y is X*X), L).
%  L = [1-1, 2-4].
%
%  ?- findall(X, member(X, []), L).
%  L = [].
findall(Template, Goal, Result) :- findall(Template, Goal, Result).

%% findall(?Template, :Goal, -List, ?Tail)
%  As findall/3; Tail follows the last copy.
%
%  ?- findall(X, member(X, [1,2]), L, [end]).
%  L = [1, 2, end].
findall(Template, Goal, Result, Tail) :-
    findall(Template, Goal, Found),
    '$append'(Found, Tail, Result).

% The machine itself defines these.

%% call(:Goal)
%% call(:Goal, ?A1)
%% call(:Goal, ?A1, ?A2)
%% call(:Goal, ?A1, ?A2, ?A3)
%% call(:Goal, ?A1, ?A2, ?A3, ?A4)
%% call(:Goal, ?A1, ?A2, ?A3, ?A4, ?A5)
%% call(:Goal, ?A1, ?A2, ?A3, ?A4, ?A5, ?A6)
%% call(:Goal, ?A1, ?A2, ?A3, ?A4, ?A5, ?A6, ?A7)
%  Proves Goal, with the further arguments added to its own. Cuts in Goal cut nothing outside it. A Goal that is
%  a variable is an instantiation_error, one that no goal can be, such as 1 or (true, 1), a
%  type_error(callable, Goal). A procedure that there is not is an existence_error(procedure, Name/Arity) unless
%  the flag unknown says otherwise. ISO 7.8.3 and 8.15.4.
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
%  Proves Goal. If it raises an error that unifies with Catcher, or throw/1 raises such a term, all that Goal did
%  is undone and Recovery is proved; other errors go on to the next catch/3 outside. Errors are those of call/1.
%  ISO 7.8.9.
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

% What no clause of a library's predicate is for. SWI-Prolog has rules by single-sided unification there.
'$no_rule'(Goal) :- throw(error(existence_error(matching_rule, Goal), _)).

'$append'([], L, L).
'$append'([X|Xs], Ys, [X|Zs]) :- '$append'(Xs, Ys, Zs).

'$member'(X, [Y|Ys]) :- '$member'(Ys, X, Y).

'$member'(_, X, X).
'$member'([Y|Ys], X, _) :- '$member'(Ys, X, Y).

'$count'(Goal, Count) :- '$count'(Goal, Count).

% What is made of the instances of Template, without a list of them: for `sum` Result is the sum of their values; for
% `max` and `min` a list of the best, [] if there is none; for `max_with` and `min_with` a list of the first of the pairs
% whose first parts are best.

'$fold'(sum, Template, Goal, Result) :- '$fold'(sum, Template, Goal, Result).
'$fold'(max, Template, Goal, Result) :- '$fold'(max, Template, Goal, Result).
'$fold'(min, Template, Goal, Result) :- '$fold'(min, Template, Goal, Result).
'$fold'(max_with, Template, Goal, Result) :- '$fold'(max_with, Template, Goal, Result).
'$fold'(min_with, Template, Goal, Result) :- '$fold'(min_with, Template, Goal, Result).

% What the solutions of a search come to, and those of a part of it.

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

% To be retried makes it no deeper.

%% repeat
%  Succeeds again and again: the goals after it are tried anew until they succeed. ISO 8.15.3.
%
%  ?- nb_setval(n, 0), repeat, nb_getval(n, N0), N is N0 + 1, nb_setval(n, N), N >= 3, !.
%  N0 = 2,
%  N = 3.
repeat :- '$repeat'.

'$repeat'.
'$repeat' :- '$repeat'.

% Goals whose module is known at run time come here if it is none, or if there are prefixes only.

%% :(+Module, :Goal)
%  Module:Goal is proved as a goal of Module does: predicates are those that Module sees. A Module that is a
%  variable is an instantiation_error, one that is no atom a type_error(module, Module).
%
%  ?- lists:append([1], [2], L).
%  L = [1, 2].
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

%% setup_call_cleanup(:Setup, :Goal, :Cleanup)
%  Proves Setup once, then Goal. Cleanup is proved once, as ignore/1 does, as soon as Goal can do no more: it
%  has failed, raised an error, given its last solution, or a cut has taken away the others. Limits and interrupts
%  that come while Setup or Cleanup runs wait for its end, 100,000 inferences or 0.1 seconds at most. A Cleanup
%  that is a variable is an instantiation_error.
%
%  ?- setup_call_cleanup(write(begin), X = 1, write(end)), nl.
%  beginend
%  X = 1.
setup_call_cleanup(Setup, Goal, Cleanup) :-
    '$set_up'(Setup),
    '$must_be_callable'(Cleanup),
    '$call_cleanup'(Goal, Cleanup).

%% call_cleanup(:Goal, :Cleanup)
%  As setup_call_cleanup(true, Goal, Cleanup).
%
%  ?- call_cleanup(member(X, [1,2]), write(done)), !, nl.
%  done
%  X = 1.
call_cleanup(Goal, Cleanup) :-
    '$begin_setup',
    '$must_be_callable'(Cleanup),
    '$call_cleanup'(Goal, Cleanup).

% What stops the query waits until the goal with a cleanup begins.
'$set_up'(Setup) :- '$begin_setup', once(Setup), !.
'$set_up'(_) :- '$end_setup', fail.

'$must_be_callable'(Goal) :- strip_module(Goal, _, Plain), '$must_be_plain'(Plain).

'$must_be_plain'(Goal) :- var(Goal), !, throw(error(instantiation_error, _)).
'$must_be_plain'(Goal) :- callable(Goal), !.
'$must_be_plain'(Goal) :- throw(error(type_error(callable, Goal), _)).

% All of them run; the first exception of one is passed on. While an exception is under way
% already, that one is.

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

% length/2 of a partial list whose end waits for goals: these run between one length and the next.

'$length':attr_unify_hook(Known, [End|Length]) :- '$lengths'(End, Length, Known).

'$lengths'([], Length, Length).
'$lengths'([_|End], Length, Known) :-
    More is Known + 1,
    '$lengths'(End, Length, More).

% A variable that may hold eigenvariables up to the number Limit only.
'$scope':attr_unify_hook(Limit, Value) :- '$keep_scope'(Limit, Value).

% '$undefined_goal'(:Goal): nothing defines the predicate of Goal, which is called. A hook of the program may do so
% now.

'$undefined_goal'(Module:Goal) :-
    functor(Goal, Name, Arity),
    (   Module == user
    ->  Indicator = Name/Arity
    ;   Indicator = Module:Name/Arity
    ),
    '$ask_exception'(undefined_predicate, Indicator),
    '$require_definition'(Module:Goal),
    call(Module:Goal).

% '$undefined_variable'(+Name, +Predicate): Predicate has asked for a global variable that has no value. A hook of
% the program may give it one.

'$undefined_variable'(Name, Predicate) :-
    '$ask_exception'(undefined_global_variable, Name),
    (   '$is_global_variable'(Name)
    ->  true
    ;   throw(error(existence_error(variable, Name), context(Predicate, _)))
    ).

% A hook is not asked again for what it is being asked for: to run it, what it is to define may have to be there.

'$ask_exception'(Kind, Context) :-
    (   '$is_global_variable'('$asked')
    ->  b_getval('$asked', Asked)
    ;   Asked = []
    ),
    (   '$is_asked'(Asked, Kind, Context)
    ->  true
    ;   b_setval('$asked', [Kind-Context|Asked]),
        user:exception(Kind, Context, _)
    ->  b_setval('$asked', Asked)
    ;   true
    ).

'$is_asked'([Kind0-Context0|Asked], Kind, Context) :-
    (   Kind0 == Kind, Context0 == Context
    ->  true
    ;   '$is_asked'(Asked, Kind, Context)
    ).
