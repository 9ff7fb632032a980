% Assertions and debug messages: the predicates that SWI-Prolog's library(debug)
% documents.

:- module(debug, [
    assertion/1,
    debug/1,
    nodebug/1,
    debug/3,
    debugging/0,
    debugging/1,
    debugging/2
]).

:- use_module(library(messages), [print_message/2]).

:- meta_predicate(assertion(0)).

:- dynamic(debug_topic/1).

%% assertion(:Goal)
%
%  True if Goal is true; undoes its bindings. If Goal fails or raises an exception, assertion/1 prints a message
%  and raises error(assertion_error(Reason, Goal), _). Reason is `fail` or the exception. If
%  prolog:assertion_failed(Reason, Goal) is true, assertion/1 succeeds instead. Exceptions that end a query from
%  outside, such as a time limit, are raised again unchanged.
%
%  ?- assertion(1 < 2).
%  true.

assertion(Goal) :-
    (   \+ \+ catch(Goal, Ball, debug_assertion(Ball, Goal))
    ->  true
    ;   debug_assertion(fail, Goal)
    ).

debug_assertion(Why, Goal) :-
    predicate_property(prolog:assertion_failed(_, _), defined),
    prolog:assertion_failed(Why, Goal), !.
debug_assertion(Why, _) :-
    debug_ends_query(Why), !,
    throw(Why).
debug_assertion(Why, Goal) :-
    print_message(error, assertion_failed(Why, Goal)),
    throw(error(assertion_error(Why, Goal), _)).

debug_ends_query(time_limit_exceeded).
debug_ends_query(time_limit_exceeded(_)).
debug_ends_query('$aborted').
debug_ends_query(unwind(_)).

%% debug(+Topic)
%
%  Shows the messages of Topic from now on.

debug(Topic) :-
    (   debug_topic(Topic)
    ->  true
    ;   '$assertz'(debug_topic(Topic))
    ).

%% nodebug(+Topic)
%
%  Hides the messages of Topic from now on.

nodebug(Topic) :-
    '$retractall'(debug_topic(Topic)).

%% debugging
%
%  Prints the state of the tracer, its spy points, and the topics whose messages are shown.

debugging :-
    '$trace_mode'(Mode),
    debug_mode_text(Mode, Text),
    debug_told('~w', Text),
    '$spied'(Spied),
    (   Spied == []
    ->  true
    ;   debug_told('Spy points on ~q', Spied)
    ),
    findall(Topic, debug_topic(Topic), Topics),
    (   Topics == []
    ->  true
    ;   debug_told('Messages are shown of ~q', Topics)
    ).

debug_told(Format, What) :-
    format(user_error, '% ', []),
    format(user_error, Format, [What]),
    nl(user_error).

debug_mode_text(off, 'Debug mode is off').
debug_mode_text(leap, 'Debug mode: stops at spy points').
debug_mode_text(creep, 'Debug mode: goals are traced').

%% debugging(?Topic)
%
%  True if the messages of Topic are shown. Enumerates the topics on backtracking.

debugging(Topic) :-
    debug_topic(Topic).

%% debugging(?Topic, ?Shown)
%
%  Unifies Shown with true if the messages of Topic are shown.

debugging(Topic, true) :-
    debug_topic(Topic).

%% debug(+Topic, +Format, +Arguments)
%
%  Prints a message if the messages of Topic are shown. Format and Arguments are those of format/2.

debug(Topic, Format, Arguments) :-
    (   \+ debug_topic(Topic)
    ->  true
    ;   print_message(debug(Topic), format(Format, Arguments))
    ).
