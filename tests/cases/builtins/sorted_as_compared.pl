% Lists of terms made at random, long enough to be sorted by what their terms begin with, beside an
% insertion sort that knows nothing but compare/3.

:- use_module(library(lists)).

next(X0, X) :- X is (X0 * 25173 + 13849) mod 1048576.

below(N, X0, X, V) :- next(X0, X), V is (X >> 4) mod N.

terms(_, 0, X, X, []) :- !.
terms(Kind, N, X0, X, [T|Ts]) :-
    made(Kind, X0, X1, T),
    N1 is N-1,
    terms(Kind, N1, X1, X, Ts).

made(integers, X0, X, T) :- below(40, X0, X, V), T is V-20.
made(large, X0, X, T) :- below(9, X0, X, V), nth0(V, [0, -1, 1152921504606846975, -1152921504606846976,
    1152921504606846976, 99999999999999999999, -99999999999999999999, 7, -7], T).
made(numbers, X0, X, T) :- below(12, X0, X, V), nth0(V, [0, 0.0, -0.0, 1, 1.0, 1.5, 9007199254740993,
    9007199254740992.0, -1.0e300, 1.0e300, 99999999999999999999, -3], T).
made(atoms, X0, X, T) :- below(60, X0, X, V), atom_concat(a, V, T).
made(prefixed, X0, X, T) :- below(30, X0, X, V), W is V*V*V*V*V, atom_concat('prefix_', W, T).
made(odd, X0, X, T) :- below(14, X0, X, V), nth0(V, ['', a, 'a\0\', 'a\0\\0\', 'é', 'e', 'zzzzzzz', 'zzzzzzzz',
    'zzzzzzz\0\', '日本', '日本語', [], '[]', "a"], T).
made(strings, X0, X, T) :- below(30, X0, X, V), W is V*V*V, number_codes(W, Cs), string_codes(T, [0's, 0't|Cs]).
made(pairs, X0, X, A-B) :- made(integers, X0, X1, A), made(atoms, X1, X, B).
made(lists, X0, X, f(A, [B, C])) :-
    made(integers, X0, X1, A), made(odd, X1, X2, B), made(integers, X2, X, C).
made(lengths, X0, X, L) :- below(4, X0, X1, V), terms(integers, V, X1, X, L).
made(deep, X0, X, f(g(h(i(j(A)))), B)) :- made(integers, X0, X1, A), made(integers, X1, X, B).
made(wide, X0, X, T) :- made(integers, X0, X, A), T = f(1, 2, 3, 4, 5, 6, 7, 8, A).
made(functors, X0, X, T) :- below(6, X0, X1, V), made(integers, X1, X, A),
    nth0(V, [f(A), g(A), foobarbaz(A), foobarbax(A), f(A, 1), foobarbaz], T).
made(mixed, X0, X, T) :- below(9, X0, X1, V),
    nth0(V, [integers, numbers, atoms, odd, strings, pairs, lists, functors, lengths], Kind),
    made(Kind, X1, X, T).
made(inner, X0, X, k(A, B)) :- made(mixed, X0, X1, A), made(mixed, X1, X, B).
made(shared, X0, X, s(V, A)) :- made(mixed, X0, X, A), V = [A, A].

kind(K) :- member(K, [integers, large, numbers, atoms, prefixed, odd, strings, pairs, lists, lengths, deep, wide,
    functors, mixed, inner, shared]).

inserted([], []).
inserted([X|Xs], Sorted) :- inserted(Xs, Sorted0), insert(Sorted0, X, Sorted).

insert([], X, [X]).
insert([Y|Ys], X, Sorted) :-
    compare(Order, X, Y),
    (   Order = (>) -> Sorted = [Y|Rest], insert(Ys, X, Rest)
    ;   Sorted = [X, Y|Ys]
    ).

% Kinds of terms for which some list is sorted differently.
wrong(Kind, Seed) :-
    kind(Kind), member(Seed, [1, 77, 4711, 99999]),
    terms(Kind, 120, Seed, _, List),
    inserted(List, Expected),
    msort(List, Sorted),
    \+ Sorted == Expected.

% Keys with numbers that show whether equal ones keep their order.
keyed([], _, []).
keyed([T|Ts], N, [T-N|Ps]) :- N1 is N+1, keyed(Ts, N1, Ps).

moved(Kind) :-
    kind(Kind), terms(Kind, 120, 31337, _, List), keyed(List, 1, Pairs),
    keysort(Pairs, Sorted), \+ in_order(Sorted, @<).
moved_back(Kind) :-
    kind(Kind), terms(Kind, 120, 31337, _, List), keyed(List, 1, Pairs),
    sort(1, @>=, Pairs, Sorted), \+ in_order(Sorted, @>).

in_order([K1-N1, K2-N2|Ps], Order) :- !,
    ( K1 == K2 -> N1 < N2 ; call(Order, K1, K2) ),
    in_order([K2-N2|Ps], Order).
in_order(_, _).

variables(Vs) :- length(Vs, 100), reverse(Vs, Rs), msort(Rs, Vs).
