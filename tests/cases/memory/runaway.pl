% Programs that need more and more memory, each of another kind, for runaway.queries.

:- dynamic(kept/1).

nested(X) :- nested(s(X)).

called :- called, done.

done.

choosing :- choosing.
choosing :- done.

choosing_before :- two, choosing_before.

two.
two.

binding([_|T]) :- binding(T).

old_values(N) :- b_setval(old, N), N1 is N + 1, two, old_values(N1).

collecting(N) :- findall(N, collecting([N|N]), _).

endless_bag :- findall(f(a, b, c), repeat, _).

endless_set :- setof(X, (repeat, X = 1), _).

doubled_strings(S) :- string_concat(S, S, T), doubled_strings(T).

facts(N) :- assertz(kept(N)), N1 is N + 1, facts(N1).

large_facts(L) :- assertz(kept(L)), large_facts([x|L]).

catching(N) :- catch(catching([N]), other, true), done.

catching_all(N) :- catch(catching_all([N]), _, true), done.

rethrowing(N) :- catch(rethrowing(s(N)), E, throw(E)), done.

cleaning(N) :- setup_call_cleanup(true, cleaning([N]), done), done.

growing_ball(L) :- catch(throw(ball(L)), ball(B), growing_ball([B|L])).

squares(N) :- M is N * N, squares(M).

numbers(N, L) :- N1 is N + 1, numbers(N1, [N|L]).

captured :- with_output_to(atom(_), endless_text).

endless_text :- write(abcdefghijklmnopqrstuvwxyz), endless_text.

negated :- \+ negated.

for_all :- forall(for_all, true).

counted :- aggregate_all(count, counted, _).

if_then :- ( if_then -> done ; done ), done.

parsed(N) :- phrase(tokens(N), _), done.

tokens(N) --> [N], tokens(s(N)), [N].

tree(N, T) :- put_assoc(N, T, N, T1), N1 is N + 1, tree(N1, T1).

frozen(X) :- freeze(X, true), frozen(X).

% A small term whose text is without measure.
unfolded(0, a) :- !.
unfolded(N, f(T, T)) :- N1 is N - 1, unfolded(N1, T).

% What an engine must still be able to do.
works :-
    length(L, 1000), maplist(=(x), L), msort(L, M), findall(X, member(X, M), N), length(N, 1000),
    atom_codes(A, "still here"), atom_length(A, 10).
