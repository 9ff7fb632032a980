% Aggregation of the solutions of a goal: the predicates that SWI-Prolog's library(aggregate) documents.

:- module(aggregate, [
    aggregate_all/3,
    aggregate_all/4,
    aggregate/3,
    '$aggregate_value'/2,
    aggregate/4,
    foreach/2
]).

:- use_module(library(error), [must_be/2, domain_error/2, type_error/2, instantiation_error/1]).
:- use_module(library(threads), ['$threads_aggregate'/4]).
:- use_module(library(pairs), [pairs_values/2]).

:- meta_predicate(aggregate_all(?, 0, ?)).
:- meta_predicate(aggregate_all(?, ?, 0, ?)).
:- meta_predicate(aggregate(?, ^, ?)).
:- meta_predicate(aggregate(?, ?, ^, ?)).
:- meta_predicate(foreach(0, 0)).

%% aggregate_all(+What, :Goal, -Result)
%
%  Aggregates the solutions of Goal by What and unifies Result with the result. All variables of Goal are local
%  to it. Values of What and their results:
%
%    count         the number of solutions.
%    sum(E)        the sum of the values of E, 0 for no solution.
%    max(E)        the largest value of E.
%    min(E)        the smallest value of E.
%    max(E, W)     max(V, W1): the largest value of E, and W of that solution.
%    min(E, W)     min(V, W1): the smallest value of E, and W of that solution.
%    bag(T)        the list of the instances of T.
%    set(T)        the list of the instances of T in the standard order without duplicates.
%    f(What1, ...) f(Result1, ...): several aggregates at once.
%
%  Without a solution, max and min fail. max and min compare values that are not numbers in the standard order.
%  Goal may begin with marks Var^.
%
%  ?- aggregate_all(count, member(_, [a,b]), N).
%  N = 2.
%
%  ?- aggregate_all(sum(X), member(X, [1,2,3]), Sum).
%  Sum = 6.
%
%  ?- aggregate_all(max(X-Name), member(X-Name, [1-a,3-b,2-c]), Max).
%  Max = 3-b.
%
%  ?- aggregate_all(max(X, Name), member(X-Name, [1-a,3-b,2-c]), Max).
%  Max = max(3, b).
%
%  ?- aggregate_all(max(X), member(X, []), Max).
%  false.
%
%  ?- aggregate_all(bag(X), member(X, [c,a,b,a]), Xs).
%  Xs = [c, a, b, a].

aggregate_all(What, Goal, Result) :-
    (   var(What)
    ->  instantiation_error(What)
    ;   aggregate_unmarked(Goal, Plain),
        aggregate_all_of(What, Plain, Result)
    ).

aggregate_unmarked(Goal, Plain) :-
    strip_module(Goal, Module, Inner),
    (   nonvar(Inner),
        Inner = _ ^ Marked
    ->  aggregate_unmarked(Module:Marked, Plain)
    ;   Plain = Goal
    ).

aggregate_all_of(count, Goal, Count) :-
    !,
    count_solutions(Goal, Count).
aggregate_all_of(bag(Template), Goal, Bag) :-
    !,
    findall(Template, Goal, Items),
    Bag = Items.
aggregate_all_of(set(Template), Goal, Set) :-
    !,
    findall(Template, Goal, Items),
    sort(Items, Sorted),
    Set = Sorted.
aggregate_all_of(sum(E), Goal, Sum) :-
    !,
    '$fold'(sum, E, Goal, Sum0),
    Sum = Sum0.
aggregate_all_of(max(E), Goal, Max) :-
    !,
    '$fold'(max, V, (call(Goal), aggregate_value(E, V)), [Max0]),
    Max = Max0.
aggregate_all_of(min(E), Goal, Min) :-
    !,
    '$fold'(min, V, (call(Goal), aggregate_value(E, V)), [Min0]),
    Min = Min0.
aggregate_all_of(max(E, W), Goal, Result) :-
    !,
    '$fold'(max_with, V-W, (call(Goal), aggregate_value(E, V)), [Max-Witness]),
    Result = max(Max, Witness).
aggregate_all_of(min(E, W), Goal, Result) :-
    !,
    '$fold'(min_with, V-W, (call(Goal), aggregate_value(E, V)), [Min-Witness]),
    Result = min(Min, Witness).
aggregate_all_of(What, Goal, Result) :-
    aggregate_outer(What, Template),
    findall(Template, Goal, Items),
    aggregate_result(What, Items, Result).

%% aggregate_all(+What, ?Discriminator, :Goal, -Result)
%
%  Aggregates like aggregate_all/3, but solutions with the same Discriminator and the same values count once.
%
%  ?- aggregate_all(count, X, member(X, [a,b,a]), N).
%  N = 2.
%
%  aggregate_all(+What, :Goal, -Result, +Options) is aggregate_all/3 with the options of count_solutions/3. It
%  applies if Options is a list and Result is no goal.
%
%  ?- aggregate_all(max(X), member(X, [1,3,2]), Max, [threads(2)]).
%  Max = 3.

aggregate_all(What, Discriminator, Goal, Result) :-
    strip_module(Goal, Module, Inner),
    (   var(What)
    ->  instantiation_error(What)
    ;   \+ callable(Inner),
        is_list(Result)
    ->  aggregate_with_options(What, Module:Discriminator, Inner, Result)
    ;   aggregate_outer(What, Template),
        aggregate_unmarked(Goal, Plain),
        findall(Discriminator-Template, Plain, Pairs0),
        sort(Pairs0, Pairs),
        pairs_values(Pairs, Items),
        aggregate_result(What, Items, Result)
    ).

aggregate_with_options(What, Goal, Result, Options) :-
    aggregate_unmarked(Goal, Plain),
    (   aggregate_single(What, Plain, Single, Made)
    ->  '$threads_aggregate'(Single, Made, Result, Options)
    ;   aggregate_outer(What, Template),
        findall(Template, Plain, Items, [], Options),
        aggregate_result(What, Items, Result)
    ).

'$aggregate_value'(E, V) :-
    aggregate_value(E, V).

aggregate_single(count, Goal, count, Goal).
aggregate_single(bag(T), Goal, bag(T), Goal).
aggregate_single(set(T), Goal, set(T), Goal).
aggregate_single(sum(E), Goal, sum(E), Goal).
aggregate_single(max(E), Goal, max(V), ( Goal, aggregate:'$aggregate_value'(E, V) )).
aggregate_single(min(E), Goal, min(V), ( Goal, aggregate:'$aggregate_value'(E, V) )).
aggregate_single(max(E, W), Goal, max(V, W), ( Goal, aggregate:'$aggregate_value'(E, V) )).
aggregate_single(min(E, W), Goal, min(V, W), ( Goal, aggregate:'$aggregate_value'(E, V) )).

%% aggregate(+What, :Goal, -Result)
%
%  Aggregates like aggregate_all/3, but groups by the free variables of Goal like bagof/3. Fails if Goal has no
%  solution.
%
%  ?- aggregate(count, N^member(Name-N, [ann-1,bob-2,ann-3]), Count).
%  Name = ann,
%  Count = 2 ;
%  Name = bob,
%  Count = 1.
%
%  ?- aggregate(count, member(_, []), N).
%  false.

aggregate(What, Goal, Result) :-
    (   var(What)
    ->  instantiation_error(What)
    ;   aggregate_outer(What, Template),
        bagof(Template, Goal, Items),
        aggregate_result(What, Items, Result)
    ).

%% aggregate(+What, ?Discriminator, :Goal, -Result)
%
%  Aggregates like aggregate/3, but solutions with the same Discriminator and the same values count once.

aggregate(What, Discriminator, Goal, Result) :-
    (   var(What)
    ->  instantiation_error(What)
    ;   aggregate_outer(What, Template),
        setof(Discriminator-Template, Goal, Pairs),
        pairs_values(Pairs, Items),
        aggregate_result(What, Items, Result)
    ).

%% foreach(:Generator, :Goal)
%
%  True if the conjunction of Goal for all solutions of Generator is true. Unlike forall/2, keeps bindings of
%  variables of Goal that are not in Generator.
%
%  ?- foreach(member(X, [1,2,3]), dif(X, Y)), Y = 4.
%  Y = 4.

foreach(Generator, Goal) :-
    term_variables(Generator, GeneratorVars),
    term_variables(Goal, GoalVars),
    aggregate_shared(GoalVars, GeneratorVars, Shared, Others),
    findall(Shared, Generator, Instances),
    aggregate_goals(Instances, Shared, Others, Goal, Goals),
    aggregate_call(Goals).

aggregate_shared([], _, [], []).
aggregate_shared([Var|Vars], Among, Shared, Others) :-
    (   aggregate_variable(Among, Var)
    ->  Shared = [Var|Shared1],
        aggregate_shared(Vars, Among, Shared1, Others)
    ;   Others = [Var|Others1],
        aggregate_shared(Vars, Among, Shared, Others1)
    ).

aggregate_variable([Var1|Vars], Var) :-
    (   Var1 == Var
    ->  true
    ;   aggregate_variable(Vars, Var)
    ).

% Makes all goals before it calls the first one, since that may bind Others.

aggregate_goals([], _, _, _, []).
aggregate_goals([Instance|Instances], Shared, Others, Goal, [Goal1|Goals]) :-
    copy_term(Others-Shared-Goal, Others-Instance-Goal1),
    aggregate_goals(Instances, Shared, Others, Goal, Goals).

aggregate_call([]).
aggregate_call([Goal|Goals]) :-
    call(Goal),
    aggregate_call(Goals).

% aggregate_template(+What, -Template): Template is the term to collect.

aggregate_outer(What, Template) :-
    (   acyclic_term(What)
    ->  aggregate_template(What, Template)
    ;   domain_error(aggregate_template, What)
    ).

aggregate_template(What, Template) :-
    (   aggregate_simple(What, Template0)
    ->  Template = Template0
    ;   compound(What)
    ->  What =.. [Name|Whats],
        aggregate_templates(Whats, Templates),
        Template =.. [Name|Templates]
    ;   var(What)
    ->  instantiation_error(What)
    ;   atom(What)
    ->  domain_error(aggregate_template, What)
    ;   type_error(aggregate_template, What)
    ).

aggregate_templates([], []).
aggregate_templates([What|Whats], [Template|Templates]) :-
    aggregate_outer(What, Template),
    aggregate_templates(Whats, Templates).

aggregate_simple(What, _) :-
    var(What),
    !,
    fail.
aggregate_simple(count, 1).
aggregate_simple(sum(E), E).
aggregate_simple(max(E), E).
aggregate_simple(min(E), E).
aggregate_simple(max(E, W), E-W).
aggregate_simple(min(E, W), E-W).
aggregate_simple(bag(T), T).
aggregate_simple(set(T), T).

% aggregate_result(+What, +Items, -Result)

aggregate_result(count, Items, Count) :-
    !,
    length(Items, Count).
aggregate_result(sum(_), Items, Sum) :-
    !,
    aggregate_sum(Items, 0, Sum).
aggregate_result(max(_), Items, Max) :-
    !,
    Items = [E|Es],
    aggregate_value(E, V),
    aggregate_max(Es, V, Max).
aggregate_result(min(_), Items, Min) :-
    !,
    Items = [E|Es],
    aggregate_value(E, V),
    aggregate_min(Es, V, Min).
aggregate_result(max(_, _), Items, Result) :-
    !,
    Items = [E-W|Pairs],
    aggregate_value(E, V),
    aggregate_max(Pairs, V, W, Max, Witness),
    Result = max(Max, Witness).
aggregate_result(min(_, _), Items, Result) :-
    !,
    Items = [E-W|Pairs],
    aggregate_value(E, V),
    aggregate_min(Pairs, V, W, Min, Witness),
    Result = min(Min, Witness).
aggregate_result(bag(_), Items, Bag) :-
    !,
    Bag = Items.
aggregate_result(set(_), Items, Set) :-
    !,
    sort(Items, Sorted),
    Set = Sorted.
aggregate_result(What, Items, Result) :-
    functor(What, Name, Arity),
    functor(Result0, Name, Arity),
    aggregate_results(0, Arity, What, Items, Result0),
    Result = Result0.

aggregate_results(Arity, Arity, _, _, _) :-
    !.
aggregate_results(I0, Arity, What, Items, Result) :-
    I is I0 + 1,
    arg(I, What, What1),
    arg(I, Result, Result1),
    aggregate_column(Items, I, Items1),
    aggregate_result(What1, Items1, Result1),
    aggregate_results(I, Arity, What, Items, Result).

aggregate_column([], _, []).
aggregate_column([Item|Items], I, [Arg|Args]) :-
    arg(I, Item, Arg),
    aggregate_column(Items, I, Args).

aggregate_sum([], Sum, Sum).
aggregate_sum([E|Es], Sum0, Sum) :-
    Sum1 is Sum0 + E,
    aggregate_sum(Es, Sum1, Sum).

% Unifies V with the value of an expression, or with any other term itself.

aggregate_value(E, V) :-
    (   number(E)
    ->  V = E
    ;   var(E)
    ->  instantiation_error(E)
    ;   aggregate_expression(E)
    ->  V is E
    ;   V = E
    ).

aggregate_expression(E) :-
    callable(E),
    catch(_ is E, error(type_error(evaluable, _), _), fail).

aggregate_max([], Max, Max).
aggregate_max([E|Es], Max0, Max) :-
    aggregate_value(E, V),
    (   number(V),
        number(Max0)
    ->  Max1 is max(Max0, V),
        aggregate_max(Es, Max1, Max)
    ;   aggregate_less(Max0, V)
    ->  aggregate_max(Es, V, Max)
    ;   aggregate_max(Es, Max0, Max)
    ).

aggregate_min([], Min, Min).
aggregate_min([E|Es], Min0, Min) :-
    aggregate_value(E, V),
    (   number(V),
        number(Min0)
    ->  Min1 is min(Min0, V),
        aggregate_min(Es, Min1, Min)
    ;   aggregate_less(V, Min0)
    ->  aggregate_min(Es, V, Min)
    ;   aggregate_min(Es, Min0, Min)
    ).

aggregate_max([], Max, Witness, Max, Witness).
aggregate_max([E-W|Pairs], Max0, W0, Max, Witness) :-
    aggregate_value(E, V),
    (   aggregate_less(Max0, V)
    ->  aggregate_max(Pairs, V, W, Max, Witness)
    ;   aggregate_max(Pairs, Max0, W0, Max, Witness)
    ).

aggregate_min([], Min, Witness, Min, Witness).
aggregate_min([E-W|Pairs], Min0, W0, Min, Witness) :-
    aggregate_value(E, V),
    (   aggregate_less(V, Min0)
    ->  aggregate_min(Pairs, V, W, Min, Witness)
    ;   aggregate_min(Pairs, Min0, W0, Min, Witness)
    ).

aggregate_less(A, B) :-
    (   number(A),
        number(B)
    ->  A < B
    ;   A @< B
    ).
