% Predicates that exist without loading and that a program may redefine.

:- module(system, []).

:- meta_predicate(not(0)).
:- meta_predicate(count_solutions(0, -)).
:- meta_predicate(apply(:, +)).

otherwise.

%% not(:Goal)
%  True if Goal has no solution: \+ Goal.
%
%  ?- not(member(4, [1,2,3])).
%  true.
not(Goal) :- \+ call(Goal).

%% apply(:Goal, +Extra)
%  Calls Goal with the members of the list Extra as further arguments.
%
%  ?- apply(plus(1), [2,X]).
%  X = 3.
apply(Goal, Extra) :-
    '$add_arguments'(Goal, Extra, Called),
    call(Called).

'$add_arguments'(Goal, Extra, Module:Called) :-
    strip_module(Goal, Module, Plain),
    '$must_be_plain'(Plain),
    Plain =.. [Name|Arguments0],
    '$append'(Arguments0, Extra, Arguments),
    '$must_be_list'(Arguments),
    Called =.. [Name|Arguments].

%% garbage_collect
%  Runs a garbage collection: frees terms that no goal can reach any more.
garbage_collect :-
    '$want_collection'(terms),
    '$collected'.

%% garbage_collect_atoms
%  Runs a garbage collection that also frees unused atoms.
garbage_collect_atoms :-
    '$want_collection'(atoms),
    '$collected'.

% A call of a goal is a point where a collection can run.
'$collected'.

%% count_solutions(:Goal, ?Count)
%  Unifies Count with the number of solutions of Goal. Counts the solutions without storing them.
%
%  ?- count_solutions(member(_, [a,b,c]), Count).
%  Count = 3.
count_solutions(Goal, Count) :- '$count'(Goal, Count).

:- meta_predicate(time(0)).

%% time(:Goal)
%  Calls Goal and prints its time and inferences to user_error, for every solution and for the failure. They
%  count from the call, or from the request for another solution.
time(Goal) :-
    '$time_marks'(Marks),
    '$begin_setup',
    (   catch('$call_cleanup'(Goal, Last = true), Error, true)
    *-> '$report_time'(Marks),
        ( nonvar(Error) -> throw(Error) ; true ),
        ( Last == true -> ! ; '$time_again'(Marks) )
    ;   '$report_time'(Marks),
        fail
    ).

% Restarts the clock on backtracking for the next solution.
'$time_again'(_).
'$time_again'(Marks) :-
    '$time_marks'(marks(Cpu, Wall, Inferences)),
    nb_setarg(1, Marks, Cpu),
    nb_setarg(2, Marks, Wall),
    nb_setarg(3, Marks, Inferences),
    fail.

'$time_marks'(marks(Cpu, Wall, Inferences)) :-
    statistics(cputime, Cpu),
    get_time(Wall),
    statistics(inferences, Inferences).

'$report_time'(marks(Cpu0, Wall0, Inferences0)) :-
    '$time_marks'(marks(Cpu1, Wall1, Inferences1)),
    Inferences is Inferences1 - Inferences0,
    Cpu is Cpu1 - Cpu0,
    Wall is Wall1 - Wall0,
    (   Wall > 0 -> Share is round(100 * Cpu / Wall) ; Share = 100 ),
    (   Cpu > 0 -> Lips is truncate(Inferences / Cpu) ; Lips = 'Infinite' ),
    format(user_error, '% ~D inferences, ~3f CPU in ~3f seconds (~w% CPU, ~w Lips)~n',
           [Inferences, Cpu, Wall, Share, Lips]).

:- meta_predicate(catch_with_backtrace(0, ?, 0)).

%% catch_with_backtrace(:Goal, +Catcher, :Recovery)
%  Calls Goal like catch/3. In SWI-Prolog the ball also contains a backtrace. Wamlet needs none to show an
%  uncaught error at its goal.
%
%  ?- catch_with_backtrace(throw(oops), Ball, true).
%  Ball = oops.
catch_with_backtrace(Goal, Catcher, Recovery) :- catch(Goal, Catcher, Recovery).

%% statistics
%  Prints the time, inferences, memory and symbols used by the engine to user_error.
statistics :-
    statistics(cputime, Cpu),
    statistics(inferences, Inferences),
    statistics(atoms, Atoms),
    statistics(functors, Functors),
    statistics(predicates, Predicates),
    statistics(modules, Modules),
    statistics(clauses, Clauses),
    format(user_error, '% ~3f seconds cpu time for ~D inferences~n', [Cpu, Inferences]),
    format(user_error, '% ~D atoms, ~D functors, ~D predicates, ~D modules, ~D clauses~n',
           [Atoms, Functors, Predicates, Modules, Clauses]),
    '$statistics_area'('Local', localused),
    '$statistics_area'('Global', globalused),
    '$statistics_area'('Trail', trailused),
    statistics(garbage_collection, [Collections, Freed, Time|_]),
    format(user_error, '% ~D garbage collections gained ~D bytes in ~3d seconds~n',
           [Collections, Freed, Time]).

'$statistics_area'(Name, Key) :-
    statistics(Key, Bytes),
    format(user_error, '% ~w stack: ~t~D~*| bytes in use~n', [Name, Bytes, 30]).
