% Limits of time, inferences and depth for goals.

:- module(time, [
    call_with_depth_limit/3, call_with_inference_limit/3, call_with_time_limit/2,
    call_with_time_limit/3
]).

:- meta_predicate(call_with_depth_limit(0, +, -)).
:- meta_predicate(call_with_inference_limit(0, +, -)).
:- meta_predicate(call_with_time_limit(+, 0)).
:- meta_predicate(call_with_time_limit(+, 0, ?)).

%% call_with_inference_limit(:Goal, +Limit, -Result)
%
%  Calls Goal with a limit of Limit calls for each of its solutions. Unifies Result with ! if Goal has succeeded
%  without choice points, with true if it may have more solutions, or with inference_limit_exceeded. In the last
%  case Goal binds nothing. No catch/3 within Goal stops that. Work within builtins on large terms, texts and
%  numbers also counts as calls.
%
%  ?- call_with_inference_limit(member(X, [1,2]), 1000, Result).
%  X = 1,
%  Result = true .
%
%  ?- call_with_inference_limit((repeat, fail), 1000, Result).
%  Result = inference_limit_exceeded.

call_with_inference_limit(Goal, Limit, Result) :-
    '$must_be_amount'(integer, Limit),
    '$open_budget'(inferences, Limit, Budget),
    catch('$within_budget'(Goal, Budget, Result),
          '$budget'(Budget),
          ( '$close_budget'(Budget), Result = inference_limit_exceeded )).

'$within_budget'(Goal, Budget, Result) :-
    call_cleanup(
        '$spend_budget'(Goal, Budget),
        ( '$close_budget'(Budget), Done = true )),
    (   Done == true
    ->  Result = (!)
    ;   '$stop_budget'(Budget),
        Result = true
    ;   '$start_budget'(Budget),
        fail
    ).

'$spend_budget'(Goal, Budget) :- '$start_budget'(Budget), call(Goal).

%% call_with_depth_limit(:Goal, +Limit, -Result)
%
%  Calls Goal with at most Limit nested calls, including Goal itself. Deeper calls fail. Unifies Result with the
%  depth of the deepest call so far, or with Limit + 1 if calls were refused. Result is depth_limit_exceeded if
%  calls were refused and there is no further solution. A last call is one level deeper than its clause, like
%  any other call. Unification, arithmetic and type tests are no calls. Counting the depth makes goals slower.
%
%  ?- call_with_depth_limit(true, 100, Depth).
%  Depth = 1.

call_with_depth_limit(Goal, Limit, Result) :-
    '$must_be_amount'(integer, Limit),
    (   Limit < 0
    ->  throw(error(domain_error(not_less_than_zero, Limit), _))
    ;   true
    ),
    '$open_depth'(Limit, Number),
    call_cleanup('$within_depth'(Goal, Number, Result), '$close_depth'(Number)).

'$within_depth'(Goal, Number, Result) :-
    '$choice'(Before),
    '$start_depth'(Number),
    call(Goal),
    '$stop_depth'(Number, Reached),
    '$choice'(After),
    (   Before == After
    ->  !
    ;   true
    ;   '$start_depth'(Number),
        fail
    ),
    Result = Reached.
'$within_depth'(_, Number, depth_limit_exceeded) :- '$stop_too_deep'(Number).

%% call_with_time_limit(+Seconds, :Goal)
%
%  Calls Goal once. Raises time_limit_exceeded if it takes longer than Seconds of real time. No catch/3 within
%  Goal catches this exception.

call_with_time_limit(Seconds, Goal) :-
    '$within_time'(Seconds, Goal, time_limit_exceeded).

%% call_with_time_limit(+Seconds, :Goal, +Context)
%
%  Calls Goal like call_with_time_limit/2, but raises time_limit_exceeded(Context).

call_with_time_limit(Seconds, Goal, Context) :-
    '$within_time'(Seconds, Goal, time_limit_exceeded(Context)).

'$within_time'(Seconds, Goal, Ball) :-
    '$must_be_amount'(number, Seconds),
    (   Seconds =< 0
    ->  throw(Ball)
    ;   Microseconds is ceiling(min(Seconds, 1.0e13) * 1000000), % longer than any clock measures
        '$open_budget'(time, Microseconds, Budget),
        catch('$once_within'(Goal, Budget),
              '$budget'(Budget),
              ( '$close_budget'(Budget), throw(Ball) ))
    ).

'$once_within'(Goal, Budget) :-
    call_cleanup(
        '$spend_budget_once'(Goal, Budget),
        '$close_budget'(Budget)).

'$spend_budget_once'(Goal, Budget) :- '$start_budget'(Budget), call(Goal), !.

'$must_be_amount'(_, Amount) :- var(Amount), !, throw(error(instantiation_error, _)).
'$must_be_amount'(integer, Amount) :- integer(Amount), !.
'$must_be_amount'(number, Amount) :- number(Amount), !.
'$must_be_amount'(Type, Amount) :- throw(error(type_error(Type, Amount), _)).
