% Active goals, for programs that log their position: the predicates that SWI-Prolog's library(prolog_stack)
% documents. A backtrace is a list of frames, one for each clause that waits, innermost first.

:- module(prolog_stack, [
    get_prolog_backtrace/2,
    get_prolog_backtrace/3,
    print_prolog_backtrace/2,
    print_prolog_backtrace/3,
    prolog_stack_frame_property/2
]).

:- use_module(library(error), [must_be/2]).

%% get_prolog_backtrace(+Most, -Backtrace)
%
%  Unifies Backtrace with the active goals, at most Most, as backtrace/1 writes them.

get_prolog_backtrace(Most, Backtrace) :-
    get_prolog_backtrace(Most, Backtrace, []).

%% get_prolog_backtrace(+Most, -Backtrace, +Options)
%
%  Collects frames like get_prolog_backtrace/2. Options are ignored.

get_prolog_backtrace(Most, Backtrace, Options) :-
    must_be(nonneg, Most),
    must_be(list, Options),
    '$backtrace'(Most, Lines),
    stack_frames(Lines, 1, Backtrace).

stack_frames([], _, []).
stack_frames([Line|Lines], Level, [frame(Level, Line)|Frames]) :-
    Next is Level + 1,
    stack_frames(Lines, Next, Frames).

%% print_prolog_backtrace(+Stream, +Backtrace)
%
%  Writes Backtrace to Stream, a line for each frame.

print_prolog_backtrace(Stream, Backtrace) :-
    print_prolog_backtrace(Stream, Backtrace, []).

%% print_prolog_backtrace(+Stream, +Backtrace, +Options)
%
%  Writes frames like print_prolog_backtrace/2. Options are ignored.

print_prolog_backtrace(Stream, Backtrace, Options) :-
    must_be(list, Options),
    stack_print(Backtrace, Stream).

stack_print([], _).
stack_print([frame(Level, Line)|Frames], Stream) :-
    format(Stream, '  [~d] ~w~n', [Level,Line]),
    stack_print(Frames, Stream).

%% prolog_stack_frame_property(+Frame, ?Property)
%
%  True if a frame of a backtrace has Property: level(N), its number, 1 for the innermost.
%
%  ?- prolog_stack_frame_property(frame(2, "p/1"), P).
%  P = level(2).

prolog_stack_frame_property(frame(Level, _), level(Level)).
