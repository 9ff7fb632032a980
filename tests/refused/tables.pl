% Predicates that make tables grow, for tables.txt.

:- use_module(library(lists)).
:- use_module(library(apply)).
:- use_module(library(assoc)).
:- use_module(library(linear)).
:- use_module(library(yall)).
:- use_module(library(explain)).

:- dynamic((fact/1, fact/2, rule/1, kept/2)).

many(300).

each(Goal) :- many(N), forall(between(1, N, I), call(Goal, I)).

named(Prefix, I, Name) :- atom_concat(Prefix, I, Name).

:- table path/2, number_of/1, cheapest(_, _, min).

path(X, Y) :- edge(X, Y).
path(X, Y) :- path(X, Z), edge(Z, Y).

edge(X, Y) :- between(1, 20, X), Y is X + 1.
edge(21, 1).

number_of(N) :- between(1, 400, N).

cheapest(X, Y, 1) :- edge(X, Y).
cheapest(X, Y, C) :- cheapest(X, Z, C0), edge(Z, Y), C is C0 + 1.

% Goals that depend on each other: continuations are kept, or rounds are made.
:- table up/1, on/1, again/1.
up(0).
up(X) :- on(Y), Y < 400, X is Y + 1.
on(X) :- up(Y), X is Y + 1.
again(0).
again(X) :- findall(Y, again(Y), L), member(Y, L), Y < 30, X is Y + 1.

:- table fib/2.
fib(0, 0).
fib(1, 1).
fib(N, F) :- N > 1, A is N - 1, B is N - 2, fib(A, FA), fib(B, FB), F is FA + FB.

assume(0, G) :- !, call(G).
assume(N, G) :- M is N - 1, (item(M) -<> assume(M, G)).
assume_rules(0, G) :- !, call(G).
assume_rules(N, G) :- M is N - 1, (stock(M, x) => assume_rules(M, G)).
assume_names(0, G) :- !, call(G).
assume_names(N, G) :- M is N - 1, atom_concat(assumed_, N, A), T =.. [A, N], (T -<> assume_names(M, G)).
use_items(0) :- !.
use_items(N) :- M is N - 1, item(M), use_items(M).
use_names(0) :- !.
use_names(N) :- atom_concat(assumed_, N, A), T =.. [A, X], call(T), X == N, M is N - 1, use_names(M).

text_of(Clause, N, Text) :-
    findall(T, (between(1, N, I), format(atom(T), Clause, [I, I, I])), Ts),
    atomic_list_concat(Ts, Text).

load_text(Text) :-
    tmp_file_stream(text, File, S),
    call_cleanup(( write(S, Text), close(S), consult(File) ), delete_file(File)).

close_alias(I) :-
    atom_concat(alias_, I, A),
    forall(stream_property(S, alias(A)), close(S)).
