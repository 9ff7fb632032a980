% Each goal enters a mode of the machine and leaves it.
:- use_module(library(prolog_debug)).

enter(depth) :- call_with_depth_limit(true, 100, _).
enter(depth_met) :- call_with_depth_limit(deep(30), 20, _).
enter(depth_failed) :- \+ call_with_depth_limit(fail, 20, _).
enter(depth_thrown) :- catch(call_with_depth_limit(throw(a), 20, _), a, true).
enter(depths) :- call_with_depth_limit(call_with_depth_limit(true, 5, _), 20, _).
enter(depth_cut) :- call_with_depth_limit(member(_, [a, b]), 20, _), !.
enter(tracer) :- trace, deep(2), notrace.
enter(tracer_thrown) :- catch((trace, throw(a)), a, true), notrace.
enter(spy_point) :- debug, spied, nodebug.
enter(recorder) :- trace_context, deep(1), notrace_context.
enter(graph) :- causal_graph(deep(1), _).
enter(graph_failed) :- \+ causal_graph(fail, _).
enter(profiler) :- with_output_to(string(_), profile(deep(1))).
enter(wake) :- freeze(X, true), X = 1.
enter(wake_in_head) :- freeze(X, true), one(X).
enter(wake_failed) :- freeze(X, fail), \+ X = 1.
enter(wake_thrown) :- freeze(X, throw(a)), catch(X = 1, a, true).
enter(wake_both) :- dif(X, Y), when(( nonvar(X) ; nonvar(Y) ), true), X = 1, Y = 2.
enter(not_unifiable) :- freeze(X, true), ( X \= 1 -> fail ; true ).
enter(wake_at_depth) :- freeze(X, true), call_with_depth_limit(X = 1, 20, _).
enter(depth_at_wake) :- freeze(X, call_with_depth_limit(true, 20, _)), X = 1.
enter(tracer_at_wake) :- freeze(X, trace), X = 1, notrace.
enter(recorder_at_depth) :- call_with_depth_limit(causal_graph(one(_), _), 50, _).
enter(caught) :- catch(throw(a), a, true).
enter(cleanup) :- setup_call_cleanup(true, true, true).
enter(budget) :- call_with_inference_limit(true, 1000, _).
enter(host) :- called_host.

one(1).

spied.

deep(0) :- !.
deep(N) :- M is N - 1, deep(M).

% In one run, by backtracking and without.
failing(Mode, N) :- forall(between(1, N, _), enter(Mode)).

going_on(_, 0) :- !.
going_on(Mode, N) :- enter(Mode), M is N - 1, going_on(Mode, M).

% The query is stopped each time.
stopping(N) :- forall(between(1, N, _), break).
