% Random choices: the predicates of SWI-Prolog's library(random) that are not
% builtins. Builtins are random/1, random_between/3 and set_random/1.

:- module(random, [
    random/3,
    random_member/2,
    random_select/3,
    random_permutation/2,
    randseq/3,
    randset/3,
    maybe/0,
    maybe/1,
    maybe/2
]).

:- use_module(library(lists), [nth0/3, nth0/4]).
:- use_module(library(pairs), [pairs_values/2]).
:- use_module(library(error), [must_be/2]).

%% random(+Low, +High, -Number)
%
%  Unifies Number with a random number from Low up to, but not including, High: an integer if both are integers.

random(Low, High, Number) :-
    (   integer(Low),
        integer(High)
    ->  Highest is High - 1,
        random_between(Low, Highest, Number)
    ;   must_be(number, Low),
        must_be(number, High),
        Number is Low + (High - Low)*random_float
    ).

%% random_member(-X, +Xs)
%
%  Unifies X with a random element of Xs.
%
%  ?- random_member(X, [a]).
%  X = a.

random_member(X, Xs) :-
    must_be(list, Xs),
    length(Xs, Length),
    Length > 0,
    Highest is Length - 1,
    random_between(0, Highest, Index),
    nth0(Index, Xs, X).

%% random_select(-X, +Xs, -Rest)
%
%  Unifies X with a random element of Xs and Rest with the others.
%
%  ?- random_select(X, [a], Rest).
%  X = a,
%  Rest = [].

random_select(X, Xs, Rest) :-
    must_be(list, Xs),
    length(Xs, Length),
    Length > 0,
    Highest is Length - 1,
    random_between(0, Highest, Index),
    nth0(Index, Xs, X, Rest).

%% random_permutation(+Xs, -Ys)
%
%  Unifies Ys with the elements of Xs in random order.
%
%  ?- random_permutation([c,a,b], _L), msort(_L, Sorted).
%  Sorted = [a, b, c].

random_permutation(Xs, Ys) :-
    must_be(list, Xs),
    random_keys(Xs, Keyed),
    keysort(Keyed, Sorted),
    pairs_values(Sorted, Ys).

random_keys([], []).
random_keys([X|Xs], [Key-X|Keyed]) :-
    Key is random_float,
    random_keys(Xs, Keyed).

%% randseq(+Count, +Range, -Xs)
%
%  Unifies Xs with Count different random integers from 1 to Range, in random order.
%
%  ?- randseq(3, 1000, _L), length(_L, N).
%  N = 3.

randseq(Count, Range, Xs) :-
    randset(Count, Range, Set),
    random_permutation(Set, Xs).

%% randset(+Count, +Range, -Set)
%
%  Unifies Set with Count different random integers from 1 to Range, in ascending order.
%
%  ?- randset(3, 3, Set).
%  Set = [1, 2, 3].

randset(Count, Range, Set) :-
    must_be(nonneg, Count),
    must_be(nonneg, Range),
    Count =< Range,
    random_set(Range, Count, [], Set).

% Takes each number with the right probability, from Range down.

random_set(Range, Count, Set0, Set) :-
    (   Count =:= 0
    ->  Set = Set0
    ;   random_between(1, Range, N),
        Range1 is Range - 1,
        (   N =< Count
        ->  Count1 is Count - 1,
            random_set(Range1, Count1, [Range|Set0], Set)
        ;   random_set(Range1, Count, Set0, Set)
        )
    ).

%% maybe
%
%  Succeeds with probability 1/2.

maybe :-
    random_between(0, 1, 1).

%% maybe(+Probability)
%
%  Succeeds with Probability, a number from 0 to 1.

maybe(Probability) :-
    must_be(number, Probability),
    X is random_float,
    X < Probability.

%% maybe(+K, +N)
%
%  Succeeds with probability K/N.

maybe(K, N) :-
    random_between(1, N, X),
    X =< K.
