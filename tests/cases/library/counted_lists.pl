% What tests/cases/library/counted_lists.queries is about.

:- use_module(library(clpfd)).
:- use_module(library(linear)).
:- dynamic seen/1.
:- linear a/1.

number_of(G, N) :- findall(x, G, L), length(L, N).
sum_of(X, G, S) :- findall(X, G, L), sum_list(L, S).
older(X, G, S) :- findall(X, G, L), sumlist(L, S).
both(X, G, L, N) :- findall(X, G, L), length(L, N).
again(X, G, N, S) :- findall(X, G, L), length(L, N), sum_list(L, S).
within(X, G, N) :- findall(X-L, G, L), length(L, N).
same(X, G, L) :- findall(X, G, L), length(L, L).
three(G) :- findall(x, G, L), length(L, 3).
if(G, R) :- ( findall(x, G, L), length(L, 2) -> R = two ; R = other ).
nested(N) :- findall(M, ( member(X, [1, 2, 3]), findall(Y, between(1, X, Y), L), length(L, M) ), Ms), sum_list(Ms, N).
note(X) :- assertz(seen(X)).
effects(S) :- retractall(seen(_)), findall(X, ( member(X, [1, foo, 3]), note(X) ), L), sum_list(L, S).
called(N, L) :- G = ( findall(X, member(X, [a, b]), L), length(L, N) ), call(G).
frozen(N) :- findall(X, ( freeze(X, X > 1), member(X, [1, 2, 3]) ), L), length(L, N).
constraints(N) :- findall(X, ( X in 1..9, X #> 6, label([X]) ), L), length(L, N).
assumed(N) :- a(1) -<> ( findall(X, a(X), L), length(L, N), a(_) ).
