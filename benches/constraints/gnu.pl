% Definitions of the names in the benches of constraints by constraints of GNU Prolog's own solver.
% Auxiliary predicates have names that begin with gnu_. GNU Prolog has no mod/2 in constraints, no automaton, no circuit and no
% cumulative. This file builds them from other constraints, as users of GNU Prolog would.

:- op(450, xfx, ..).
:- op(700, xfx, in).
:- op(700, xfx, ins).
:- op(760, yfx, #<==>).

Xs ins Low..High :- fd_domain(Xs, Low, High).

X in Domain :- gnu_interval(Domain, Low, High), !, fd_domain(X, Low, High).
X in Domain :- gnu_values(Domain, [], Values), fd_domain(X, Values).

gnu_interval(Low..High, Low, High).
gnu_interval(Value, Value, Value) :- integer(Value).

gnu_values(A \/ B, Values0, Values) :- !, gnu_values(B, Values0, Values1), gnu_values(A, Values1, Values).
gnu_values(Value, Values, [Value|Values]) :- integer(Value).

A #<==> B :- A #<=> B.

all_different(Xs) :- fd_all_different(Xs).

all_distinct(Xs) :- fd_all_different(Xs).

sum([X|Xs], Relation, Right) :-
    gnu_total(Xs, X, Left),
    gnu_relation(Relation, Left, Right).

gnu_total([], Sum, Sum).
gnu_total([X|Xs], Sum0, Sum) :- gnu_total(Xs, Sum0 + X, Sum).

scalar_product([C|Cs], [X|Xs], Relation, Right) :-
    gnu_weighed(Cs, Xs, C * X, Left),
    gnu_relation(Relation, Left, Right).

gnu_weighed([], [], Sum, Sum).
gnu_weighed([C|Cs], [X|Xs], Sum0, Sum) :- gnu_weighed(Cs, Xs, Sum0 + C * X, Sum).

gnu_relation(#=, A, B) :- A #= B.
gnu_relation(#>, A, B) :- A #> B.

% element/3 for a list of integers. The benches use no other lists.
element(Index, Values, Value) :- fd_element(Index, Values, Value).

label(Xs) :- fd_labeling(Xs).

labeling([], Xs) :- fd_labeling(Xs).
labeling([Option|_], Xs) :- gnu_search(Option, Xs).

gnu_search(ff, Xs) :- fd_labeling(Xs, [variable_method(ff)]).
gnu_search(down, Xs) :- fd_labeling(Xs, [value_method(max)]).
gnu_search(min(Cost), Xs) :- fd_minimize(fd_labeling(Xs), Cost).

aggregate_all(count, Goal, _) :- g_assign(solutions, 0), call(Goal), g_inc(solutions), fail.
aggregate_all(count, _, Count) :- g_read(solutions, Count).

% The states are variables with integers from 0. The arcs are a relation between each state, the value and the next state.
automaton(Xs, [source(Source), sink(Sink)], Arcs) :-
    findall([State, Value, Next], member(arc(State, Value, Next), Arcs), Rows),
    gnu_steps(Xs, Rows, Source, Sink).

gnu_steps([], _, Last, Last).
gnu_steps([X|Xs], Rows, State, Last) :-
    fd_relation(Rows, [State, X, Next]),
    gnu_steps(Xs, Rows, Next, Last).

% At the start of each task, the tasks that run then need no more than the limit.
cumulative(Tasks, [limit(Limit)]) :-
    gnu_tasks_end(Tasks),
    gnu_starts_within(Tasks, Tasks, Limit).

gnu_tasks_end([]).
gnu_tasks_end([task(Start, Duration, End, _, _)|Tasks]) :- End #= Start + Duration, gnu_tasks_end(Tasks).

gnu_starts_within([], _, _).
gnu_starts_within([task(Start, _, _, _, _)|Tasks], All, Limit) :-
    gnu_usage(All, Start, 0, Usage),
    Usage #=< Limit,
    gnu_starts_within(Tasks, All, Limit).

gnu_usage([], _, Usage, Usage).
gnu_usage([task(Start, Duration, _, Need, _)|Tasks], Time, Usage0, Usage) :-
    (   Start == Time
    ->  Runs = 1
    ;   Runs #<=> ((Start #=< Time) #/\ (Time #< Start + Duration))
    ),
    gnu_usage(Tasks, Time, Usage0 + Need * Runs, Usage).

% Each node has a time, from 0 for the first node to N - 1. Its successor has the next time. After the last node the time
% is N.
circuit(Successors) :-
    length(Successors, N),
    fd_domain(Successors, 1, N),
    fd_all_different(Successors),
    length([0|Times], N),
    Last is N - 1,
    fd_domain(Times, 1, Last),
    fd_all_different(Times),
    gnu_successive(Successors, 1, [0|Times], [N|Times]).

gnu_successive([], _, [], _).
gnu_successive([Successor|Successors], Node, [Time|Times], Reached) :-
    Successor #\= Node,
    fd_element_var(Successor, Reached, Next),
    Next #= Time + 1,
    Node1 is Node + 1,
    gnu_successive(Successors, Node1, Times, Reached).
