% Directives that SWI-Prolog has; lazily_imported.pl is beside it.
:- autoload(library(apply)).
:- autoload(library(ugraphs), [vertices/2, no_such/9]).
:- autoload(library(no_such_library)).
:- autoload([library(pairs), library(dcg/basics)]).
:- autoload(lazily_imported, [both/1, only_there/1]).
% The program's own definitions replace such imports.
maplist(own, maplist).
vertices(own, vertices).
:- dynamic both/1.
both(here).
:- license(mit).
:- license(gpl, component).
:- volatile(both/1), volatile([both/1, at/2]).
:- volatile both/1, at/2.
:- noprofile([both/1, at/2]).
:- non_terminal(words//0).
:- predicate_options(at/2, 2, [depth(integer)]).
:- thread_initialization(assertz(started)).
:- thread_initialization assertz(started).
:- thread_local of_thread/1, of_thread/2.
:- load_files(library(lists)).
:- redefine_system_predicate(at(_, _)).
:- dynamic([several/1, several/2], [incremental(true), abstract(0), multifile(true)]).
:- dynamic((as_one/1, as_one/2) as incremental).
:- style_check([-singleton, +discontiguous]).
'$member'(own, [_|_]).
mode_of(X) :- X = 1.
:- mode(mode_of(-)).
words --> [].
early(1).
early(X) :- early(Y), Y < 3, X is Y + 1.
elsewhere.
:- table early/1.
early(4).
:- table power(+, -).
power(0, 1) :- !.
power(N, V) :- M is N - 1, power(M, W), V is 2 * W.
:- table (reach/2, no_clauses/1) as subsumptive, step/2 as (incremental, shared).
reach(X, Y) :- step(X, Y).
reach(X, Y) :- reach(X, Z), step(Z, Y).
step(1, 2).
step(2, 3).
step(3, 1).
