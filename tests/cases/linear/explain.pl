% Programs for explain.queries.
:- use_module(library(linear)).

% Paths by using vertices up; nothing leads to the last.
edge(1, 2). edge(2, 3).
path(P) :- (v(1), v(2), v(3), v(4)) -<> (v(A), walk(A, P)).
walk(A, [A]).
walk(A, [A|P]) :- edge(A, B), v(B), walk(B, P).

% A position that moves.
at_goal(T) :- at(0) -<> move(T).
move(T) :- at(T).
move(T) :- at(S), S < T, S1 is S+1, (at(S1) -<> move(T)).

hidden :- key -<> {door}.
door :- key.
writes :- a -<> (write(hello), a).
counts :- a -<> (nb_setval(explain_count, 1), a).
caught :- a -<> (catch(write(hello), _, true), b).
loop :- loop.
spin :- repeat, fail.
cleans :- a -<> setup_call_cleanup(true, assertz(note), true).
rule(X) :- (forall Y\ (double(Y, Z) :- Z is 2*Y)) -<> (double(3, X), double(4, _)).
assume_all(N, N) :- show_context, erase.
assume_all(I, N) :- I < N, I1 is I+1, v(I1) -<> assume_all(I1, N).

% The text of a file that a predicate writes.
show_file(File) :-
    setup_call_cleanup(open(File, read, In), read_string(In, _, Text), close(In)),
    delete_file(File),
    write(Text).
