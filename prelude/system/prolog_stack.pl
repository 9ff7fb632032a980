% The goals under way, for programs that log where they are: what SWI-Prolog's library(prolog_stack)
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
%  Backtrace has the goals under way, Most at most, as backtrace/1 writes them.

get_prolog_backtrace(Most, Backtrace) :-
    get_prolog_backtrace(Most, Backtrace, []).

%% get_prolog_backtrace(+Most, -Backtrace, +Options)
%
%  The same. Options are ignored.

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
%  Writes a backtrace, a line for each frame.

print_prolog_backtrace(Stream, Backtrace) :-
    print_prolog_backtrace(Stream, Backtrace, []).

%% print_prolog_backtrace(+Stream, +Backtrace, +Options)
%
%  The same. Options are ignored.

print_prolog_backtrace(Stream, Backtrace, Options) :-
    must_be(list, Options),
    stack_print(Backtrace, Stream).

stack_print([], _).
stack_print([frame(Level, Line)|Frames], Stream) :-
    format(Stream, '  [~d] ~w~n', [Level,Line]),
    stack_print(Frames, Stream).

%% prolog_stack_frame_property(+Frame, ?Property)
%
%  Property of a frame of a backtrace: level(N), its number, 1 for the innermost.
%
%  ?- prolog_stack_frame_property(frame(2, "p/1"), P).
%  P = level(2).

prolog_stack_frame_property(frame(Level, _), level(Level)).
