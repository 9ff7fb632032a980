% Solutions found by several threads. Each thread has its own engine, a copy of this one, and searches its own
% parts of the search tree. Results come in the order of one thread.

:- module(threads, [
    count_solutions/3,
    findall/5,
    '$threads_aggregate'/4,
    '$threads_each'/2,
    '$threads_units'/3,
    '$threads_count'/4,
    '$threads_first'/3,
    '$threads_best'/5
]).

:- use_module(library(error), [must_be/2, domain_error/2, instantiation_error/1]).
:- use_module(library(option), [option/3]).

:- meta_predicate(count_solutions(0, ?, +)).
:- meta_predicate(findall(?, 0, ?, ?, +)).
:- meta_predicate('$threads_aggregate'(?, 0, ?, +)).
:- meta_predicate('$threads_each'(:, ?)).
:- meta_predicate('$threads_units'(0, +, -)).
:- meta_predicate('$threads_count'(0, +, +, -)).
:- meta_predicate('$threads_first'(:, -, +)).

% threads_goal(Args): the goal of the current search
:- dynamic(threads_goal/1).

%% count_solutions(:Goal, ?Count, +Options)
%
%  Counts solutions like count_solutions/2. With the option threads(Threads), Threads threads count if that
%  takes longer than a millisecond. Goal must have no effects, because their order would be undefined.
%
%  ?- count_solutions(( between(1, 100, X), X mod 7 =:= 0 ), Count, [threads(2)]).
%  Count = 14.
%
%  ?- count_solutions(( member(X, [1,2]), write(X) ), Count, [threads(2)]).
%  error: write/1: a goal that several threads search must not have effects [permission_error(use, effect, search)]
%    help: effects are output, changes of clauses, flags and global variables, random numbers, and calls of tabled predicates

count_solutions(Goal, Count, Options) :-
    threads_of(Options, How),
    threads_search(count, Goal, How, Parts),
    sum_list(Parts, Count0),
    '$search_settle',
    Count = Count0.

%% findall(?Template, :Goal, -Instances, ?Tail, +Options)
%
%  Collects solutions like findall/4, with the options of count_solutions/3. The instances are in the order in
%  which one thread finds them.
%
%  ?- findall(X, ( between(1, 9, X), X mod 2 =:= 0 ), Xs, [], [threads(2)]).
%  Xs = [2, 4, 6, 8].

findall(Template, Goal, Instances, Tail, Options) :-
    threads_of(Options, How),
    threads_search(list(Template), Goal, How, Parts),
    threads_join(Parts, All, End),
    '$search_settle',
    Instances = All,
    Tail = End.

% Aggregates like aggregate_all/3, for one aggregate.

'$threads_aggregate'(What, Goal, Result, Options) :-
    threads_of(Options, How),
    threads_kind(What, Kind),
    threads_search(Kind, Goal, How, Parts),
    threads_whole(What, Parts, Whole),
    '$search_settle',
    Result = Whole.

threads_kind(count, count).
threads_kind(bag(Template), list(Template)).
threads_kind(set(Template), list(Template)).
threads_kind(sum(E), sum(E)).
threads_kind(max(E), max(E)).
threads_kind(min(E), min(E)).
threads_kind(max(E, W), max_with(E-W)).
threads_kind(min(E, W), min_with(E-W)).

threads_whole(count, Parts, Count) :-
    sum_list(Parts, Count).
threads_whole(sum(_), Parts, Sum) :-
    sum_list(Parts, Sum).
threads_whole(bag(_), Parts, Bag) :-
    append(Parts, Bag).
threads_whole(set(_), Parts, Set) :-
    append(Parts, Bag),
    sort(Bag, Set).
threads_whole(max(_), Parts, Max) :-
    '$search_whole'(max(V), member([V], Parts), [Max]).
threads_whole(min(_), Parts, Min) :-
    '$search_whole'(min(V), member([V], Parts), [Min]).
threads_whole(max(_, _), Parts, max(Max, Witness)) :-
    '$search_whole'(max_with(V), member([V], Parts), [Max-Witness]).
threads_whole(min(_, _), Parts, min(Min, Witness)) :-
    '$search_whole'(min_with(V), member([V], Parts), [Min-Witness]).

% Runs each goal of a list once, with Threads threads and its own copy of the variables. Then unifies the
% results in the order of the goals. Goals with effects run one after the other.

'$threads_each'(Spec, Threads) :-
    strip_module(Spec, Module, Goals),
    length(Goals, Count),
    All =.. [goals|Goals],
    catch(threads_each(All, Module, Count, Threads, Found), error(permission_error(use, effect, search), _), true),
    (   var(Found)
    ->  threads_one_by_one(Goals, Module)
    ;   length(Found, Count),
        Found = Goals
    ).

threads_each(All, Module, Count, Threads, Found) :-
    Goal = ( between(1, Count, I), arg(I, All, One), ( call(Module:One) -> true ; throw(threads_failed) ) ),
    catch(findall(One, Goal, Found, [], [threads(Threads)]), threads_failed, Found = []).

threads_one_by_one([], _).
threads_one_by_one([Goal|Goals], Module) :-
    call(Module:Goal), !,
    threads_one_by_one(Goals, Module).

% Divides the search of Goal into at most Most units and unifies Units with the list of their parts. Together
% the units cover the whole search. '$threads_count'/4 takes a unit as Parts, also in another process that has
% the same program.

'$threads_units'(Goal, Most, Units) :-
    term_variables(Goal, Variables),
    Args =.. [args|Variables],
    setup_call_cleanup(
        threads_begin_units(Goal, Args, Most),
        threads_units(Args, Most, Units0),
        threads_end_units),
    Units = Units0.

threads_begin_units(Goal, Args, Most) :-
    threads_define(Goal, Args),
    '$division_open'(Most).

threads_units(Args, Most, Units) :-
    threads_divide(Args),
    '$division_units'(Most, Units).

threads_end_units :-
    '$division_close',
    '$retractall'(threads_goal(_)).

threads_divide(Args) :-
    (   '$division_next'(Budget)
    ->  catch(threads_part(goal(Args), count, Count), '$budget'(Budget), true),
        '$division_replace'(Count),
        threads_divide(Args)
    ;   true
    ).

% Unifies Count with the number of solutions of parts of the search of Goal. Threads threads search.

'$threads_count'(Goal, Parts, Threads, Count) :-
    threads_search(count, Goal, how(Threads, parts(Parts)), Counts),
    sum_list(Counts, Count0),
    '$search_settle',
    Count = Count0.

% Unifies X with the X of the first solution that one of the goals in a list finds, and stops the others. How is
% how(OnFail, OnError), each of them `stop` or `continue`. Goals with effects run one after the other.

'$threads_first'(Spec, X, How) :-
    strip_module(Spec, Module, Goals),
    All =.. [goals|Goals],
    (   threads_raced(Goals, All, Module, X, How, Outcome)
    ->  Outcome = found(X)
    ;   threads_in_turn(Goals, Module, X, How)
    ).

threads_raced([_,_|Goals], All, Module, X, How, Outcome) :-
    \+ '$search_alone',
    length([_,_|Goals], Count),
    catch(threads_race(Count, threads_racing(All, Module, X, How), Found), error(permission_error(use, effect, search), _), fail),
    (   Found = [raised(Ball)]
    ->  (   Ball = threads_won(Outcome0)
        ->  Outcome = Outcome0
        ;   throw(Ball)
        )
    ;   Outcome = failed
    ).

threads_race(Count, Goal, Found) :-
    setup_call_cleanup(
        '$search_open'(threads, Goal, Count, race),
        ( '$search_race', '$search_found'(Found) ),
        '$search_close'),
    (   Found = [raised(error(permission_error(use, effect, search), Context))]
    ->  throw(error(permission_error(use, effect, search), Context))
    ;   '$search_settle'
    ).

threads_racing(All, Module, X, How) :-
    threads_work(list(X), try(All, Module, X, How)).

threads_try(All, Module, X, How) :-
    '$search_piece'(Number),
    arg(Number, All, Goal),
    threads_outcome(Module:Goal, X, How, Outcome),
    throw(threads_won(Outcome)).

% threads_outcome(:Goal, X, +How, -Outcome): Outcome is found(X) or failed if it decides the race.

threads_outcome(Goal, X, how(OnFail, OnError), Outcome) :-
    (   OnError == stop
    ->  threads_once(Goal, X, Result)
    ;   catch(threads_once(Goal, X, Result), error(E, Context), threads_error(E, Context, Result))
    ),
    (   Result = found(_)
    ->  true
    ;   Result == failed,
        OnFail == stop
    ),
    Outcome = Result.

threads_once(Goal, X, Result) :-
    (   call(Goal)
    ->  Result = found(X)
    ;   Result = failed
    ).

threads_error(E, Context, Result) :-
    (   E = permission_error(use, effect, search)
    ->  throw(error(E, Context))
    ;   Result = raised
    ).

threads_in_turn([Goal|Goals], Module, X, How) :-
    (   threads_outcome(Module:Goal, X, How, Outcome)
    ->  Outcome = found(X)
    ;   threads_in_turn(Goals, Module, X, How)
    ).

% Finds the best value of a variable in a labeling that several threads search. Fails if there is no solution.
% Idle threads help, and all threads search only for values better than the best one found.

'$threads_best'(Value, Sign, Vector, How, Best) :-
    Goal = best(Value, Sign, Vector, How),
    (   Sign == 1
    ->  What = min(Value)
    ;   What = max(Value)
    ),
    setup_call_cleanup(
        '$search_open_within'(threads, threads_work(What, Goal)),
        threads_best(What, Goal, Best),
        '$search_close').

threads_best(What, Goal, Best) :-
    threads_work(What, Goal),
    '$search_found'(Found),
    threads_results(Found, Parts),
    (   threads_whole(What, Parts, Best0)
    ->  true
    ;   true
    ),
    '$search_settle',
    nonvar(Best0), !,
    Best = Best0.

threads_better(Value, Sign, Vector, How, Found) :-
    '$fd_search'(Vector, How, better(Value, Sign, Found, none)),
    (   integer(Value)
    ->  '$fd_improve'(Found, Sign, Value)
    ;   throw(error(instantiation_error, _))
    ).

threads_join([], Tail, Tail).
threads_join([Part|Parts], Instances, Tail) :-
    append(Part, Rest, Instances),
    threads_join(Parts, Rest, Tail).

threads_of(Options, how(Threads, Split)) :-
    must_be(list, Options),
    threads_options(Options),
    option(threads(Threads), Options, 1),
    option(split(Split), Options, needed).

threads_options([]).
threads_options([Option|Options]) :-
    (   var(Option)
    ->  instantiation_error(Option)
    ;   Option = threads(Threads)
    ->  must_be(positive_integer, Threads)
    ;   Option = split(Split)
    ->  must_be(oneof([needed,always]), Split)
    ;   domain_error(threads_option, Option)
    ),
    threads_options(Options).

% Collects the results of the parts of a search, in order. One thread alone searches a nested search.

threads_search(What, Goal, How, Parts) :-
    (   ( '$search_alone' ; How = how(1, needed) )
    ->  '$search_whole'(What, Goal, Part),
        Parts = [Part]
    ;   term_variables(What-Goal, Variables),
        Args =.. [args|Variables],
        setup_call_cleanup(
            threads_open(What, Goal, Args, How),
            threads_run(What, Args, Found),
            threads_close),
        threads_results(Found, Parts)
    ).

threads_open(What, Goal, Args, How) :-
    threads_define(Goal, Args),
    How = how(Threads, Split),
    '$search_open'(threads, threads_work(What, goal(Args)), Threads, Split).

threads_define(Goal, Args) :-
    strip_module(Goal, Module, Plain),
    catch(threads_assert(Args, Module, Plain),
          error(type_error(callable, _), Context),
          throw(error(type_error(callable, Plain), Context))).

threads_assert(Args, Module, Plain) :-
    '$assertz'((threads_goal(Args) :- Module:Plain)).

threads_run(What, Args, Found) :-
    threads_work(What, goal(Args)),
    '$search_found'(Found).

threads_close :-
    '$search_close',
    '$retractall'(threads_goal(_)).

threads_work(What, Goal) :-
    (   '$search_next'(Budget)
    ->  catch(threads_do_part(Goal, What), '$budget'(Budget), '$search_abandon'),
        threads_work(What, Goal)
    ;   true
    ).

% The budget of the part can be spent until its result is given.

threads_do_part(Goal, What) :-
    threads_result(Goal, What, Result),
    threads_give(Result).

threads_result(Goal, What, Result) :-
    catch(threads_part(Goal, What, Part), Ball, true),
    (   var(Ball)
    ->  Result = found(Part)
    ;   Result = raised(Ball)
    ).

threads_give(found(Part)) :-
    '$search_give'(Part).
threads_give(raised(Ball)) :-
    '$search_raised'(Ball).

threads_part(goal(Args), What, Part) :-
    '$search_part'(What, threads_goal(Args), Part).
threads_part(best(Value, Sign, Vector, How), What, Part) :-
    Found =.. [found,none],
    '$search_part'(What, threads_better(Value, Sign, Vector, How, Found), Part).
threads_part(try(All, Module, X, How), What, Part) :-
    '$search_part'(What, threads_try(All, Module, X, How), Part).

threads_results([], []).
threads_results([Result|Results], Parts) :-
    (   Result = found(Part)
    ->  Parts = [Part|Parts1],
        threads_results(Results, Parts1)
    ;   Result = raised(Ball),
        throw(Ball)
    ).
