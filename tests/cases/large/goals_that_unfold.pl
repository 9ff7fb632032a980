% A small term that unfolds into 2 ** N parts, made by this functor.
unfolds(0, _, T, T) :- !.
unfolds(N, F, T0, T) :- M is N - 1, T1 =.. [F, T0, T0], unfolds(M, F, T1, T).

% The goal runs into the limit.
limited(Goal) :-
    catch(call_with_time_limit(0.1, Goal), Ball, true),
    Ball == time_limit_exceeded.

% The error that the goal raises.
raised(Goal, Error) :- catch(Goal, error(Error, _), true).
