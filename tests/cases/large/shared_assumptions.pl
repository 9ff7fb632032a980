% Two goals of `&` that use the same linear assumptions, each in its own order.
:- use_module(library(linear)).

assume(0, Goal) :- !, call(Goal).
assume(N, Goal) :- M is N - 1, (token(N) -<> assume(M, Goal)).

oldest_first(0).
oldest_first(N) :- token(N), M is N - 1, oldest_first(M).

newest_first(N, N) :- !, token(N).
newest_first(I, N) :- token(I), J is I + 1, newest_first(J, N).

% As the first arguments of two predicates that are used in other orders, with scopes between.
assume(0, _, Goal) :- !, call(Goal).
assume(N, Modulus, Goal) :-
    M is N - 1, Rest is N mod Modulus,
    (left(N, Rest) -<> right(Rest, N) -<> assume(M, Modulus, Goal)).

lefts([]).
lefts([N|Ns]) :- left(N, _), ( 0 is N mod 5 -> own(N) -<> own(a) -<> ( own(N), own(a) ) ; true ), lefts(Ns).
rights(_, []).
rights(Modulus, [N|Ns]) :- Rest is N mod Modulus, right(Rest, N), rights(Modulus, Ns).

stride(N, Step, Ns) :- findall(X, (between(1, N, I), X is I * Step mod (N + 1)), Ns).

each_in_its_order(N) :-
    stride(N, 1, As), stride(N, 2, Bs), stride(N, 30, Cs), reverse(Cs, Ds),
    assume(N, 7, (
        ((lefts(As), rights(7, Bs)) & (rights(7, Cs), lefts(Ds)))
        & ((lefts(Bs), rights(7, Ds)) & (rights(7, As), lefts(Cs))))).
