% Effects that remain after limits, for cleanups_under_limits.queries.
:- dynamic(held/0).

% Goals that hold something while they run, and end in each way.
guarded(exit)   :- hold((between(1, 5, X), X >= 5)).
guarded(fail)   :- hold((between(1, 5, X), X >= 9)).
guarded(cut)    :- hold(member(_, [1, 2, 3])), !.
guarded(throw)  :- catch(hold((between(1, 5, X), X >= 5, throw(x))), x, true).
guarded(memory) :- catch(hold(throw(error(resource_error(memory), _))), error(_, _), true).
guarded(deep)   :- hold(setup_call_cleanup(some, some, some)).
guarded(told)   :- setup_call_catcher_cleanup(assertz(held), member(_, [1, 2]), How, (nonvar(How), retract(held))), !.
guarded(ended)  :- hold((repeat, fail)).

hold(Goal) :- setup_call_cleanup((some, assertz(held)), Goal, (some, retract(held))).

some :- between(1, 8, X), X >= 8, !.

% The limits among the first ones that leave what Goal holds.
leaves(Goal, Limits) :-
    findall(Limit, ( between(1, 150, Limit), ends(call_with_inference_limit(Goal, Limit, _)), held ), Limits).

ends(Goal) :- retractall(held), ( catch(Goal, _, true) -> true ; true ).

% The differences of the limit around another one of 1000 that leave what it holds.
leaves_within(Differences) :-
    findall(D,
            (   between(-40, 40, D),
                Outer is 1000 + D,
                ends(call_with_inference_limit(call_with_inference_limit(guarded(ended), 1000, _), Outer, _)),
                held
            ),
            Differences).

% How far a goal gets that follows.
inferences(Goal, Inferences) :-
    statistics(inferences, Before),
    call(Goal),
    statistics(inferences, After),
    Inferences is After - Before.

within(D) :-
    Outer is 1000 + D,
    call_with_inference_limit((call_with_inference_limit(guarded(ended), 1000, _), repeat, fail), Outer, _).

% The same with limits of time: seconds within another limit, and its end.
timed(Inner, Outer) :-
    catch(call_with_time_limit(Outer, catch(call_with_time_limit(Inner, guarded(ended)), time_limit_exceeded, true)),
          time_limit_exceeded, true).

lost(Inner, Outer, Count) :-
    aggregate_all(count, ( between(1, 50, _), ends(timed(Inner, Outer)), held ), Count).

spin(Seconds) :-
    get_time(Start),
    catch(call_with_time_limit(Seconds, (catch(call_with_time_limit(Seconds, (repeat, fail)), time_limit_exceeded, true), repeat, fail)),
          time_limit_exceeded, true),
    get_time(End),
    End - Start < 0.08.
