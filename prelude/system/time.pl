% Goals that may use up so much and no more.

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
%  Call Goal, which may make Limit calls for each of its solutions. Result is ! if it has succeeded
%  without choices, true if there may be further solutions, or inference_limit_exceeded; then
%  nothing is bound. Within Goal no catch/3 stops that. What builtins do on large terms, texts and
%  numbers counts as calls, too.
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
%  Call Goal, in which calls may lie Limit deep within each other, Goal itself being the first. What
%  would be deeper fails. Result is the depth of the deepest call so far, one more than Limit if some
%  were refused, or depth_limit_exceeded if there is no further solution and calls were refused. A last
%  call is one deeper than its clause, as any other; unification, arithmetic and tests of types are no
%  calls. Goals are slower while their depth is counted.
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
%  Call Goal once. If it takes longer than Seconds, on the clock, time_limit_exceeded is thrown.
%  Within Goal no catch/3 stops that.

call_with_time_limit(Seconds, Goal) :-
    '$within_time'(Seconds, Goal, time_limit_exceeded).

%% call_with_time_limit(+Seconds, :Goal, +Context)
%
%  The same; time_limit_exceeded(Context) is thrown.

call_with_time_limit(Seconds, Goal, Context) :-
    '$within_time'(Seconds, Goal, time_limit_exceeded(Context)).

'$within_time'(Seconds, Goal, Ball) :-
    '$must_be_amount'(number, Seconds),
    (   Seconds =< 0
    ->  throw(Ball)
    ;   Microseconds is ceiling(min(Seconds, 1.0e13) * 1000000), % longer than any clock tells
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
