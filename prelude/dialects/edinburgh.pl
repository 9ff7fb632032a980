% Predicates of C-Prolog and its successors: those of SWI-Prolog's library(edinburgh).

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
%  Writes Term without operators to Stream.

display(Stream, Term) :-
    write_term(Stream, Term, [ignore_ops(true)]).

%% unknown(-Old, +New)
%
%  Unifies Old with the current action for calls of unknown procedures: error, fail or warning. Then sets the
%  action to New. See the flag unknown.

unknown(Old, New) :-
    current_prolog_flag(unknown, Old),
    (   Old == New
    ->  true
    ;   set_prolog_flag(unknown, New)
    ).

%% reconsult(:Files)
%
%  Loads files like consult/1.

reconsult(Files) :-
    consult(Files).

%% debug
%
%  Sets the flag debug to true. The tracer then stops at spy points. The backtrace of an error then shows all
%  goals that led to it, with their arguments.

debug :-
    set_prolog_flag(debug, true),
    (   '$trace_mode'(creep)
    ->  true
    ;   '$trace_begin'(1)
    ).

%% nodebug
%
%  Sets the flag debug to false. The tracer then does nothing and ignores spy points.

nodebug :-
    set_prolog_flag(debug, false),
    '$trace_begin'(0).
