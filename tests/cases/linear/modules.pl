% Programs for modules.queries: modules of Lolli called from Prolog.
:- use_module(library(linear)).
:- consult('stock.ll').
:- [value].
:- use_module('../../../programs/tomnjerry.ll').

moves(Moves) :- tomnjerry --o solve(s(s(s(s(s(s(s(s(s(z))))))))), Moves).
made(X) :- stock --o (made(X), erase).
made_or(X) :- fail ; stock --o (made(X), erase).
only(X) :- stock --o only(X).
both(X, Y) :- stock --o (only(X), too(Y)).
items(L) :- stock --o (findall(X, item(X), L), erase).
value(X) :- value(v) --o val(X).
test(X, Y) :- value(v) --o (val(X) -> Y = yes ; Y = no).
assumed(X) :- value(v) --o (val(_), (new(K) :- val(K)) => new(X)).
hidden(X) :- value(v) --o (val(_), secret(X)).
quantified :- value(v) --o (forall X\ (new(X) => new(X))).
prolog(X) :- value(v) --o (val(_), user:double(4, X)).
prolog_by_name(X) :- value(v) --o (val(_), double(4, X)).
negated :- value(v) --o \+ val(u).
double(X, Y) :- Y is 2 * X.
seen(X) :- lolli:seen(X).
choice(X) :- ( lolli:(X = 1) ; lolli:(X = 2 ; X = 3) ).
test_of_lolli(X) :- lolli:(fail -> X = 1 ; X = 2).
