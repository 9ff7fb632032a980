% SWI-Prolog's library(thread). Several threads, each with its own engine, run goals without effects that take
% longer than a millisecond. Other goals run one after the other. The results are the same.

:- module(thread, [
    concurrent/3,
    concurrent_forall/2,
    concurrent_forall/3,
    concurrent_and/2,
    concurrent_and/3,
    concurrent_maplist/2,
    concurrent_maplist/3,
    concurrent_maplist/4,
    first_solution/3,
    thread_self/1,
    is_thread/1,
    thread_local/1,
    with_mutex/2,
    mutex_create/1,
    mutex_destroy/1,
    mutex_lock/1,
    mutex_trylock/1,
    mutex_unlock/1,
    mutex_unlock_all/0
]).

:- meta_predicate(concurrent(+, :, +)).
:- meta_predicate(concurrent_forall(0, 0)).
:- meta_predicate(concurrent_forall(0, 0, +)).
:- meta_predicate(concurrent_and(0, 0)).
:- meta_predicate(concurrent_and(0, 0, +)).
:- meta_predicate(concurrent_maplist(1, +)).
:- meta_predicate(concurrent_maplist(2, ?, ?)).
:- meta_predicate(concurrent_maplist(3, ?, ?, ?)).
:- meta_predicate(first_solution(-, :, +)).
:- meta_predicate(thread_local(:)).
:- meta_predicate(with_mutex(+, 0)).

% thread_mutex(Mutex, Locks): Locks is the number of locks of Mutex
:- dynamic(thread_mutex/2).

%% concurrent(+Count, :Goals, +Options)
%
%  Runs each goal of a list once, with Count threads. Fails or raises an exception like the first goal in the
%  list that does. Goals with common variables do not see the bindings of each other; these are unified at the
%  end. Options are ignored.
%
%  ?- concurrent(2, [X = 1, Y = 2], []).
%  X = 1,
%  Y = 2.

concurrent(Count, Spec, Options) :-
    strip_module(Spec, Module, Goals),
    must_be(positive_integer, Count),
    must_be(list(callable), Goals),
    must_be(list, Options),
    '$threads_each'(Module:Goals, Count).

%% concurrent_forall(:Generator, :Action)
%
%  True if Action is true for each solution of Generator, like forall/2.
%
%  ?- concurrent_forall(member(X, [1,2]), X > 0).
%  true.

concurrent_forall(Generator, Action) :-
    concurrent_forall(Generator, Action, []).

%% concurrent_forall(:Generator, :Action, +Options)
%
%  Tests like concurrent_forall/2. With the option threads(Count), Count threads run the goals.

concurrent_forall(Generator, Action, Options) :-
    must_be(list, Options),
    thread_count(Count),
    option(threads(Threads), Options, Count),
    catch(thread_forall(Generator, Action, Threads, True), error(permission_error(use, effect, search), _), true),
    (   var(True)
    ->  forall(Generator, Action)
    ;   True == true
    ).

thread_forall(Generator, Action, Threads, True) :-
    Failing = ( Generator, \+ Action, throw(thread_failed) ),
    catch(( count_solutions(Failing, _, [threads(Threads)]), True = true ), thread_failed, True = false).

thread_count(Count) :-
    (   current_prolog_flag(cpu_count, Count0)
    ->  Count = Count0
    ;   Count = 1
    ).

%% concurrent_and(:Generator, :Test)
%
%  Calls Generator and Test like their conjunction.
%
%  ?- concurrent_and(member(X, [1,2,3]), X > 1).
%  X = 2 ;
%  X = 3.

concurrent_and(Generator, Test) :-
    call(Generator),
    call(Test).

%% concurrent_and(:Generator, :Test, +Options)
%
%  Calls like concurrent_and/2. Options are options of threads.

concurrent_and(Generator, Test, Options) :-
    must_be(list, Options),
    call(Generator),
    call(Test).

%% concurrent_maplist(:Goal, +List)
%
%  Calls Goal like once(maplist(Goal, List)).
%
%  ?- concurrent_maplist(integer, [1,2]).
%  true.

concurrent_maplist(Goal, List) :-
    thread_goals(Goal, [List], Goals),
    thread_each(Goals).

% Makes the goals of one list or of several lists. If no list has a known length, one thread runs them.

thread_goals(Goal, Lists, Goals) :-
    (   member(List, Lists),
        is_list(List)
    ->  length(List, Length),
        thread_lengths(Lists, Length),
        thread_goals_(Lists, Goal, Goals)
    ;   Applied =.. [maplist,Goal|Lists],
        Goals = [Applied]
    ).

thread_lengths([], _).
thread_lengths([List|Lists], Length) :-
    length(List, Length),
    thread_lengths(Lists, Length).

thread_goals_(Lists, _, []) :-
    Lists = [[]|_], !.
thread_goals_(Lists, Goal, [Applied|Goals]) :-
    thread_heads(Lists, Heads, Tails),
    Applied =.. [call,Goal|Heads],
    thread_goals_(Tails, Goal, Goals).

thread_heads([], [], []).
thread_heads([[Head|Tail]|Lists], [Head|Heads], [Tail|Tails]) :-
    thread_heads(Lists, Heads, Tails).

thread_each(Goals) :-
    thread_count(Threads),
    '$threads_each'(user:Goals, Threads).

%% concurrent_maplist(:Goal, ?List1, ?List2)
%
%  Calls Goal like once(maplist(Goal, List1, List2)).
%
%  ?- concurrent_maplist(succ, [1,2,3], L).
%  L = [2, 3, 4].

concurrent_maplist(Goal, List1, List2) :-
    thread_goals(Goal, [List1,List2], Goals),
    thread_each(Goals).

%% concurrent_maplist(:Goal, ?List1, ?List2, ?List3)
%
%  Calls Goal like once(maplist(Goal, List1, List2, List3)).

concurrent_maplist(Goal, List1, List2, List3) :-
    thread_goals(Goal, [List1,List2,List3], Goals),
    thread_each(Goals).

%% first_solution(-X, :Goals, +Options)
%
%  Unifies X with the X of a solution of one of the goals in a list. All goals run at once, each in its own
%  thread. The first goal with a solution stops the others, so the result may differ between runs. Binds only X.
%  Goals with effects run one after the other. If a goal fails or raises an exception, so does first_solution/3.
%  The option on_fail(continue) or on_error(continue) continues with the other goals instead. The default of
%  both is stop.
%
%  ?- first_solution(X, [( repeat, fail ), member(X, [1,2])], []).
%  X = 1.

first_solution(X, Spec, Options) :-
    strip_module(Spec, Module, Goals),
    must_be(list(callable), Goals),
    option(on_fail(OnFail), Options, stop),
    option(on_error(OnError), Options, stop),
    must_be(oneof([stop,continue]), OnFail),
    must_be(oneof([stop,continue]), OnError),
    '$threads_first'(Module:Goals, X, how(OnFail, OnError)).

%% thread_self(-Thread)
%
%  Unifies Thread with main.
%
%  ?- thread_self(Thread).
%  Thread = main.

thread_self(main).

%% is_thread(@Term)
%
%  True if Term is main, the only thread.

is_thread(Term) :-
    Term == main.

%% thread_local(:Predicates)
%
%  Declares predicates like dynamic/1, since there are no other threads.

thread_local(Predicates) :-
    dynamic(Predicates).

%% with_mutex(+Mutex, :Goal)
%
%  Runs Goal once, with Mutex locked.
%
%  ?- with_mutex(m, X = 1).
%  X = 1.

with_mutex(Mutex, Goal) :-
    setup_call_cleanup(mutex_lock(Mutex), once(Goal), mutex_unlock(Mutex)).

%% mutex_create(?Mutex)
%
%  Creates the mutex Mutex, or one without a name.

mutex_create(Mutex) :-
    (   var(Mutex)
    ->  gensym('$mutex', Mutex)
    ;   thread_check_mutex(Mutex),
        thread_mutex(Mutex, _)
    ->  throw(error(permission_error(create, mutex, Mutex), context(mutex_create/1, 'it exists')))
    ;   true
    ),
    '$assertz'(thread_mutex(Mutex, 0)).

thread_check_mutex(Mutex) :-
    must_be(atom, Mutex).

%% mutex_destroy(+Mutex)
%
%  Removes Mutex.

mutex_destroy(Mutex) :-
    thread_check_mutex(Mutex),
    (   '$retract'(thread_mutex(Mutex, _))
    ->  true
    ;   throw(error(existence_error(mutex, Mutex), _))
    ).

%% mutex_lock(+Mutex)
%
%  Locks Mutex. Creates it if needed. A mutex may be locked several times.

mutex_lock(Mutex) :-
    thread_check_mutex(Mutex),
    (   '$retract'(thread_mutex(Mutex, Locks0))
    ->  true
    ;   Locks0 = 0
    ),
    Locks is Locks0 + 1,
    '$assertz'(thread_mutex(Mutex, Locks)).

%% mutex_trylock(+Mutex)
%
%  Locks Mutex like mutex_lock/1, since no other thread can have locked it.

mutex_trylock(Mutex) :-
    mutex_lock(Mutex).

%% mutex_unlock(+Mutex)
%
%  Undoes one mutex_lock/1.

mutex_unlock(Mutex) :-
    thread_check_mutex(Mutex),
    (   \+ thread_mutex(Mutex, _)
    ->  throw(error(existence_error(mutex, Mutex), _))
    ;   thread_mutex(Mutex, Locks0),
        Locks0 > 0
    ->  '$retract'(thread_mutex(Mutex, Locks0)),
        Locks is Locks0 - 1,
        '$assertz'(thread_mutex(Mutex, Locks))
    ;   throw(error(permission_error(unlock, mutex, Mutex), context(mutex_unlock/1, 'not locked')))
    ).

%% mutex_unlock_all
%
%  Unlocks all mutexes.

mutex_unlock_all :-
    findall(Mutex, '$retract'(thread_mutex(Mutex, _)), Mutexes),
    forall(member(Mutex, Mutexes), '$assertz'(thread_mutex(Mutex, 0))).
