% Stepping through a program: the tracer and its spy points.

:- module(prolog_debug, [
    trace/0, notrace/0, tracing/0, trace/1, notrace/1,
    spy/1, nospy/1, nospyall/0,
    leash/1, visible/1,
    break/0, backtrace/1,
    profile/1, profile/2
]).

:- meta_predicate(trace(:)).
:- meta_predicate(notrace(:)).
:- meta_predicate(spy(:)).
:- meta_predicate(nospy(:)).
:- meta_predicate(profile(0)).
:- meta_predicate(profile(0, +)).

%% trace
%
%  Makes the tracer show each call, exit, failure, redo and exception from the next goal on. At a terminal it
%  stops at each of them for a key; h lists the keys.

trace :- '$trace_begin'(2).

%% notrace
%
%  Stops the tracer from showing goals. Keeps spy points active.

notrace :- '$spied'(Spied), ( Spied == [] -> '$trace_begin'(0) ; '$trace_begin'(1) ).

%% tracing
%
%  True if the tracer shows goals.

tracing :- '$trace_mode'(creep).

%% trace(:What)
%
%  Shows all calls of the predicates What from now on without stopping: Name/Arity, a list of these, or the name
%  of a predicate. Calls any other What as a goal and traces it until it ends.

trace(What) :-
    strip_module(What, Module, Plain),
    (   debug_names(Plain)
    ->  debug_each(Plain, Module, show, 'Trace point')
    ;   trace_goal(Module:Plain)
    ).

trace_goal(Goal) :-
    '$trace_mode'(Mode),
    setup_call_cleanup('$trace_begin'(2), debug_called(Goal), debug_restore(Mode)).

debug_called(Goal) :- call(Goal).

debug_restore(off) :- '$trace_begin'(0).
debug_restore(leap) :- '$trace_begin'(1).
debug_restore(creep) :- '$trace_begin'(2).

debug_names(Var) :- var(Var), !, throw(error(instantiation_error, _)).
debug_names(_/_).
debug_names(_//_).
debug_names([_|_]).
debug_names(Name) :-
    atom(Name),
    '$spy'(Name, none, Found),
    Found \== [],
    \+ memberchk(Name/0, Found).

%% notrace(:What)
%
%  Ends trace/1 for predicates.

notrace(What) :- nospy(What).

%% spy(:What)
%
%  Sets spy points at the predicates that match What: Name/Arity, Name//Arity, a name, or a list of these. If
%  the module user has no such predicate, What means those of the program's other modules. Programs then run in
%  debug mode. The tracer stops at each port of a predicate with a spy point and waits for a command.

spy(What) :-
    strip_module(What, Module, Plain),
    debug_each(Plain, Module, stop, 'Spy point').

debug_each(Var, _, _, _) :- var(Var), !, throw(error(instantiation_error, _)).
debug_each([], _, _, _) :- !.
debug_each([What|More], Module, How, Kind) :- !,
    debug_each(What, Module, How, Kind),
    debug_each(More, Module, How, Kind).
debug_each(Module:What, _, How, Kind) :- !,
    debug_each(What, Module, How, Kind).
debug_each(What, Module, How, Kind) :-
    '$spy'(Module:What, How, Found),
    (   Found == []
    ->  throw(error(existence_error(procedure, What), _))
    ;   debug_tell(Found, Kind)
    ),
    (   '$trace_mode'(off)
    ->  '$trace_begin'(1)
    ;   true
    ).

debug_tell([], _).
debug_tell([Predicate|More], Kind) :-
    format(user_error, '% ~w on ~q~n', [Kind, Predicate]),
    debug_tell(More, Kind).

%% nospy(:What)
%
%  Removes the spy points at the predicates that match What.

nospy(What) :-
    strip_module(What, Module, Plain),
    debug_none(Plain, Module).

debug_none(Var, _) :- var(Var), !, throw(error(instantiation_error, _)).
debug_none([], _) :- !.
debug_none([What|More], Module) :- !,
    debug_none(What, Module),
    debug_none(More, Module).
debug_none(Module:What, _) :- !, debug_none(What, Module).
debug_none(What, Module) :-
    '$spy'(Module:What, none, Found),
    debug_tell(Found, 'No spy point').

%% nospyall
%
%  Removes all spy points.

nospyall :- '$nospyall'.

%% leash(?Ports)
%
%  Sets the ports at which the tracer stops. Ports is a list of ports: call, exit, redo, fail, exception,
%  assume, consume. +Port and -Port add and remove one port. all, full, loose, half, tight and off are sets. An
%  unbound Ports is unified with the list of the present ports.

leash(Ports) :- debug_ports(Ports, leash).

%% visible(?Ports)
%
%  Sets the ports that the tracer shows, with the arguments of leash/1.

visible(Ports) :- debug_ports(Ports, visible).

debug_ports(Ports, Which) :-
    var(Ports), !,
    '$trace_ports'(Asked, Shown),
    (   Which == leash
    ->  Ports = Asked
    ;   Ports = Shown
    ).
debug_ports(+Port, Which) :- !, debug_port(Port, Which, 1).
debug_ports(-Port, Which) :- !, debug_port(Port, Which, 0).
debug_ports(Name, Which) :- debug_port_set(Name, Ports), !, debug_ports(Ports, Which).
debug_ports(Ports, Which) :-
    must_be(list, Ports),
    '$set_trace_port'(Which, all, 0),
    debug_port_list(Ports, Which).

debug_port_set(full, [call, exit, redo, fail, exception]).
debug_port_set(half, [call, redo, fail, exception]).
debug_port_set(tight, [call, redo, fail, exception]).
debug_port_set(loose, [call, exception]).
debug_port_set(off, []).
debug_port_set(all, [all]).

debug_port_list([], _).
debug_port_list([Port|Ports], Which) :-
    debug_port(Port, Which, 1),
    debug_port_list(Ports, Which).

debug_port(Var, _, _) :- var(Var), !, throw(error(instantiation_error, _)).
debug_port(Port, Which, Add) :- atom(Port), '$set_trace_port'(Which, Port, Add), !.
debug_port(Port, _, _) :- throw(error(domain_error(port, Port), _)).

%% break
%
%  Opens a session within the present query, until end_of_file. At the prompt it opens another prompt; elsewhere
%  it reads goals and runs them.

break :- '$may_break', !, '$trace_begin'(3).
break :-
    format(user_error, '% Break: end_of_file ends this session~n', []),
    repeat,
    debug_read(Goal, Names),
    (   Goal == end_of_file
    ->  true
    ;   catch(debug_answer(Goal, Names), Error, print_message(error, Error)),
        fail
    ),
    !.

% Reads the next goal after a syntax error. Other errors while reading end the session.

debug_read(Goal, Names) :-
    prompt(Old, 'break ?- '),
    catch(read_term(user_input, Goal0, [variable_names(Names0)]), Error, true),
    prompt(_, Old),
    (   var(Error)
    ->  Goal = Goal0,
        Names = Names0
    ;   Error = error(syntax_error(_), _)
    ->  print_message(error, Error),
        fail
    ;   throw(Error)
    ).

debug_answer(Goal, Names) :-
    (   call(user:Goal)
    ->  debug_bindings(Names),
        format(user_error, 'true.~n', [])
    ;   format(user_error, 'false.~n', [])
    ).

debug_bindings([]).
debug_bindings([Name=Value|More]) :-
    (   var(Value)
    ->  true
    ;   format(user_error, '~w = ~q,~n', [Name, Value])
    ),
    debug_bindings(More).

%% backtrace(+Most)
%
%  Writes the clauses that wait for the present goal, at most Most, to the standard error output. Shows the file
%  and line of the goal for which each clause waits. Clauses that a last call has left do not wait. While the
%  flag debug is on, writes all goals that led to the present one, with their arguments.

backtrace(Most) :-
    '$backtrace'(Most, Lines),
    debug_lines(Lines).

debug_lines([]).
debug_lines([Line|Lines]) :-
    format(user_error, '  ~w~n', [Line]),
    debug_lines(Lines).

%% profile(:Goal)
%
%  Calls Goal like once/1 and writes a profile to the standard error output. The profile shows for each
%  predicate the number of calls, the time of its own clauses, and their time including all called goals. Calls
%  are counted exactly. Time is sampled 4000 times a second from the waiting clauses, which exclude those that a
%  last call has left. Profiling makes the goal several times slower.

profile(Goal) :- debug_profile(Goal, []).

%% profile(:Goal, +Options)
%
%  Profiles like profile/1. The option svg(File) also writes a flame graph to File. Above each predicate it
%  shows the called predicates, with a width proportional to their time.

profile(Goal, Options) :-
    must_be(list, Options),
    debug_profile(Goal, Options).

debug_profile(Goal, Options) :-
    setup_call_cleanup(true, debug_once(Goal, Result), '$profile_end'),
    '$profile_table',
    debug_graph(Options),
    Result == true.

% Does not count goals before and after the profiled goal.
debug_once(Goal, Result) :-
    (   '$profile_begin',
        call(Goal)
    ->  '$profile_end',
        Result = true
    ;   '$profile_end',
        Result = false
    ).

debug_graph(Options) :- \+ memberchk(svg(_), Options), !.
debug_graph(Options) :-
    memberchk(svg(File), Options),
    '$profile_graph'(File).
