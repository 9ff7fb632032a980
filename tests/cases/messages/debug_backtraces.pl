% With the flag debug on a backtrace shows all goals that led to an error, last calls too, with their arguments.
:- set_prolog_flag(debug, true).
:- initialization(main(1)).
:- initialization(catch(main(2), E, print_message(error, E))).
:- initialization(catch(main(3), E, throw(E))).
:- initialization(retried).
:- initialization(cleaned).
:- initialization(recovered).
:- initialization(woken).
:- initialization(counted(100000)).
:- initialization(even(100000)).
:- initialization(deep(20000)).
:- initialization((length(L, 100000), large(f(L)))).
:- initialization(elsewhere:outer(1)).
:- initialization((set_prolog_flag(debug, false), main(4))).

main(X) :- a(X, f(X)).
a(X, Y) :- done(Y), b(Y, X).
b(Y, X) :- findall(Z, c([X, Y], Z), _).
c(L, Z) :- catch(d(L, Z), no, true).
d(L, Z) :- call(e(L), Z).
e(L, Z) :- G = f(L, Z), done(L), G.
f(L, _) :- maplist(g, L).
g(X) :- ( integer(X) -> true ; h(X) ).
h(X) :- Y is X + 1, print(Y).
done(_).

retried :- member(X, [1, 2]), retried(X), X > 1, !.
retried(X) :- shown(X), nl.
shown(X) :- backtrace(9), atom(X).
shown(X) :- shown_again(X).
shown_again(_) :- backtrace(9).

cleaned :- setup_call_cleanup(true, done(1), bad(2)), nl.
bad(X) :- atom_length(X, abc).

recovered :- catch(throws, E, handled(E)), nl.
throws :- throw(oops).
handled(E) :- no_such_predicate(E).

woken :- freeze(X, hook(X)), X = a, nl.
hook(X) :- bad(b(X)).

counted(0) :- bad(_).
counted(N) :- M is N - 1, counted(M).

even(0) :- bad(_).
even(N) :- M is N - 1, odd(M).
odd(N) :- M is N - 1, even(M).

deep(0) :- bad(_).
deep(N) :- M is N - 1, deep(M), nl.

large(_) :- bad(_).

elsewhere:outer(X) :- elsewhere:inner(X).
elsewhere:inner(X) :- user:bad(g(X)).
