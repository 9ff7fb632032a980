% What C-Prolog and its successors had: the predicates of SWI-Prolog's library(edinburgh).

:- module(edinburgh, [
    display/1,
    display/2,
    unknown/2,
    reconsult/1,
    debug/0,
    nodebug/0
]).

:- meta_predicate(reconsult(:)).

%% display(+Term)
%
%  Writes Term without operators.

display(Term) :-
    write_term(Term, [ignore_ops(true)]).

%% display(+Stream, +Term)
%
%  The same, to Stream.

display(Stream, Term) :-
    write_term(Stream, Term, [ignore_ops(true)]).

%% unknown(-Old, +New)
%
%  Old is what happens when an unknown procedure is called: error, fail or warning; it
%  will be New. See the flag unknown.

unknown(Old, New) :-
    current_prolog_flag(unknown, Old),
    (   Old == New
    ->  true
    ;   set_prolog_flag(unknown, New)
    ).

%% reconsult(:Files)
%
%  As consult/1.

reconsult(Files) :-
    consult(Files).

%% debug
%
%  Sets the flag debug to true: the tracer stops at spy points, and the backtrace of an error shows
%  all goals that led to it, with their arguments.

debug :-
    set_prolog_flag(debug, true),
    (   '$trace_mode'(creep)
    ->  true
    ;   '$trace_begin'(1)
    ).

%% nodebug
%
%  Sets it to false: the tracer does nothing, and spy points are not heeded.

nodebug :-
    set_prolog_flag(debug, false),
    '$trace_begin'(0).
