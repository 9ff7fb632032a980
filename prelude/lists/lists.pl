% Lists: the predicates that SWI-Prolog's library(lists) documents. Some of them
% are builtins: memberchk/2, numlist/3, list_to_set/2. Long because a library has all its predicates.

:- module(lists, [
    append/3,
    append/2,
    prefix/2,
    member/2,
    select/3,
    selectchk/3,
    select/4,
    selectchk/4,
    nextto/3,
    subtract/3,
    delete/3,
    nth0/3,
    nth1/3,
    nth0/4,
    nth1/4,
    last/2,
    proper_length/2,
    same_length/2,
    reverse/2,
    permutation/2,
    flatten/2,
    clumped/2,
    subseq/3,
    max_member/2,
    min_member/2,
    max_member/3,
    min_member/3,
    sum_list/2,
    sumlist/2,
    max_list/2,
    min_list/2,
    is_set/1,
    intersection/3,
    union/3,
    subset/2
]).

:- use_module(library(error), [must_be/2]).

:- meta_predicate(max_member(2, ?, ?)).
:- meta_predicate(min_member(2, ?, ?)).

%% append(?Xs, ?Ys, ?Zs)
%
%  True if Zs is Xs followed by Ys.
%
%  ?- append([a,b], Ys, [a,b,c,d]).
%  Ys = [c, d].
%
%  ?- append(Xs, Ys, [1,2]).
%  Xs = [],
%  Ys = [1, 2] ;
%  Xs = [1],
%  Ys = [2] ;
%  Xs = [1, 2],
%  Ys = [].
%
%  ?- append(Front, [Last], [a,b,c]).
%  Front = [a, b],
%  Last = c .

append([], Ys, Ys).
append([X|Xs], Ys, [X|Zs]) :-
    append(Xs, Ys, Zs).

%% append(+Lists, ?List)
%
%  True if List is the concatenation of the lists in Lists.
%
%  ?- append([[1,2], [], [3]], L).
%  L = [1, 2, 3].

append(Lists, List) :-
    must_be(list, Lists),
    lists_append(Lists, List).

lists_append([], []).
lists_append([Xs|Xss], List) :-
    append(Xs, Rest, List),
    lists_append(Xss, Rest).

%% prefix(?Part, ?Whole)
%
%  True if Whole begins with the list Part.
%
%  ?- prefix([a], [a,b]).
%  true.

prefix([], _).
prefix([X|Part], [X|Whole]) :-
    prefix(Part, Whole).

%% member(?X, ?Xs)
%
%  True if X is an element of Xs. Leaves no choice point at the last element.
%
%  ?- findall(X, member(X, [a,b,c]), Xs).
%  Xs = [a, b, c].
%
%  ?- member(X, []).
%  false.

member(X, [Y|Ys]) :-
    lists_member(Ys, X, Y).

lists_member(_, X, X).
lists_member([Y|Ys], X, _) :-
    lists_member(Ys, X, Y).

%% select(?X, ?Xs, ?Rest)
%
%  True if Rest is Xs without one occurrence of X.
%
%  ?- findall(Rest, select(a, [a,b,a], Rest), Rests).
%  Rests = [[b, a], [a, b]].
%
%  ?- select(2, [1,2,3], Xs).
%  Xs = [1, 3] .

select(X, [Y|Ys], Rest) :-
    lists_select(Ys, Y, X, Rest).

lists_select(Ys, X, X, Ys).
lists_select([Y|Ys], Y0, X, [Y0|Rest]) :-
    lists_select(Ys, Y, X, Rest).

%% selectchk(?X, +Xs, ?Rest)
%
%  Selects like select/3, but only the first solution.
%
%  ?- selectchk(a, [b,a,c,a], Xs).
%  Xs = [b, c, a].

selectchk(X, Xs, Rest) :-
    select(X, Xs, Rest0),
    !,
    Rest = Rest0.

%% select(?X, ?Xs, ?Y, ?Ys)
%
%  True if Ys is Xs with one occurrence of X replaced by Y.
%
%  ?- select(b, [a,b,c], x, Ys).
%  Ys = [a, x, c] .

select(X, Xs, Y, Ys) :-
    lists_replace(Xs, X, Y, Ys).

lists_replace([X|Xs], X, Y, [Y|Xs]).
lists_replace([Z|Xs], X, Y, [Z|Ys]) :-
    lists_replace(Xs, X, Y, Ys).

%% selectchk(?X, +Xs, ?Y, ?Ys)
%
%  Replaces like select/4, but only the first solution.
%
%  ?- selectchk(b, [a,b,b], x, Ys).
%  Ys = [a, x, b].

selectchk(X, Xs, Y, Ys) :-
    select(X, Xs, Y, Ys),
    !.

%% nextto(?X, ?Y, ?Xs)
%
%  True if Y follows X immediately in Xs.
%
%  ?- nextto(b, Y, [a,b,c]).
%  Y = c .

nextto(X, Y, [X,Y|_]).
nextto(X, Y, [_|Xs]) :-
    nextto(X, Y, Xs).

%% delete(+Xs, @X, -Rest)
%
%  Unifies Rest with the elements of Xs that do not unify with X.
%
%  ?- delete([a,b,a,c], a, L).
%  L = [b, c].
%
%  ?- delete([f(1),g(2),f(3)], f(_), L).
%  L = [g(2)].

delete([], _, []).
delete([Y|Ys], X, Rest) :-
    (   Y \= X
    ->  Rest = [Y|Rest1],
        delete(Ys, X, Rest1)
    ;   delete(Ys, X, Rest)
    ).

%% nth0(?Index, ?Xs, ?X)
%
%  True if X is the element of Xs at Index, counted from 0.
%
%  ?- nth0(1, [a,b,c], X).
%  X = b.

nth0(Index, Xs, X) :-
    lists_nth(Index, 0, Xs, X).

%% nth1(?Index, ?Xs, ?X)
%
%  True if X is the element of Xs at Index, counted from 1.
%
%  ?- nth1(1, [a,b,c], X).
%  X = a.
%
%  ?- nth1(I, [a,b,c], c).
%  I = 3.

nth1(Index, Xs, X) :-
    lists_nth(Index, 1, Xs, X).

lists_nth(Index, First, Xs, X) :-
    (   integer(Index)
    ->  '$nth'(Index, First, Xs, Rest, Steps),
        lists_nth_det(Steps, Rest, X)
    ;   var(Index)
    ->  Xs = [Y|Ys],
        lists_nth_gen(Ys, X, Y, First, Index)
    ;   must_be(integer, Index)
    ).

lists_nth_det(Steps, [Y|Ys], X) :-
    (   Steps =:= 0
    ->  X = Y
    ;   Steps1 is Steps - 1,
        lists_nth_det(Steps1, Ys, X)
    ).

lists_nth_gen(_, X, X, Index, Index).
lists_nth_gen([Y|Ys], X, _, Index0, Index) :-
    Index1 is Index0 + 1,
    lists_nth_gen(Ys, X, Y, Index1, Index).

%% nth0(?Index, ?Xs, ?X, ?Rest)
%
%  True if X is the element of Xs at Index, counted from 0, and Rest are the other elements. If Xs is unbound,
%  inserts X into Rest at Index.
%
%  ?- nth0(1, [a,b,c], X, Rest).
%  X = b,
%  Rest = [a, c].

nth0(Index, Xs, X, Rest) :-
    lists_nth(Index, 0, Xs, X, Rest).

%% nth1(?Index, ?Xs, ?X, ?Rest)
%
%  Selects or inserts like nth0/4, but counts from 1.
%
%  ?- nth1(2, Xs, x, [a,b]).
%  Xs = [a, x, b].

nth1(Index, Xs, X, Rest) :-
    lists_nth(Index, 1, Xs, X, Rest).

lists_nth(Index, First, Xs, X, Rest) :-
    (   integer(Index)
    ->  lists_index_type(First, Type),
        must_be(Type, Index),
        Steps is Index - First,
        lists_nth_det(Steps, Xs, X, Rest)
    ;   var(Index)
    ->  Xs = [Y|Ys],
        lists_nth_gen(Ys, X, Y, Rest, First, Index)
    ;   lists_index_type(First, Type),
        must_be(Type, Index)
    ).

lists_index_type(0, nonneg).
lists_index_type(1, positive_integer).

lists_nth_det(Steps, [Y|Ys], X, Rest) :-
    (   Steps =:= 0
    ->  X = Y,
        Rest = Ys
    ;   Rest = [Y|Rest1],
        Steps1 is Steps - 1,
        lists_nth_det(Steps1, Ys, X, Rest1)
    ).

lists_nth_gen(Ys, X, X, Ys, Index, Index).
lists_nth_gen([Y|Ys], X, Y0, [Y0|Rest], Index0, Index) :-
    Index1 is Index0 + 1,
    lists_nth_gen(Ys, X, Y, Rest, Index1, Index).

%% last(?Xs, ?Last)
%
%  True if Last is the last element of Xs.
%
%  ?- last([a,b,c], X).
%  X = c.
%
%  ?- last([], X).
%  false.

last([X|Xs], Last) :-
    lists_last(Xs, X, Last).

lists_last([], Last, Last).
lists_last([X|Xs], _, Last) :-
    lists_last(Xs, X, Last).

%% proper_length(@Xs, -Length)
%
%  True if Xs is a proper list of Length elements.
%
%  ?- proper_length([a,b|_], N).
%  false.

proper_length(Xs, Length) :-
    is_list(Xs),
    length(Xs, Length0),
    Length = Length0.

%% same_length(?Xs, ?Ys)
%
%  True if Xs and Ys are lists with the same number of elements.
%
%  ?- same_length([a,b,c], L).
%  L = [_, _, _].

same_length([], []).
same_length([_|Xs], [_|Ys]) :-
    same_length(Xs, Ys).

%% reverse(?Xs, ?Ys)
%
%  True if the elements of Ys are those of Xs in reverse order.
%
%  ?- reverse([a,b,c], L).
%  L = [c, b, a].

reverse(Xs, Ys) :-
    (   is_list(Xs)
    ->  lists_reverse(Xs, [], Ys)
    ;   lists_reverse(Xs, Ys, [], Ys)
    ).

lists_reverse([], Ys, Ys).
lists_reverse([X|Xs], Acc, Ys) :-
    lists_reverse(Xs, [X|Acc], Ys).

% The second argument, as long as the first, bounds the search.

lists_reverse([], [], Ys, Ys).
lists_reverse([X|Xs], [_|Bound], Acc, Ys) :-
    lists_reverse(Xs, Bound, [X|Acc], Ys).

%% permutation(?Xs, ?Ys)
%
%  True if Ys is a permutation of Xs. At least one of them must be a list.
%
%  ?- findall(P, permutation([1,2,3], P), Ps).
%  Ps = [[1, 2, 3], [1, 3, 2], [2, 1, 3], [2, 3, 1], [3, 1, 2], [3, 2, 1]].

permutation(Xs, Ys) :-
    must_be(list_or_partial_list, Xs),
    must_be(list_or_partial_list, Ys),
    (   is_list(Xs)
    ->  same_length(Xs, Ys)
    ;   is_list(Ys)
    ->  same_length(Ys, Xs)
    ;   length(Xs, Length),
        length(Ys, Length)
    ),
    lists_permutation(Xs, Ys).

lists_permutation([], []).
lists_permutation([X|Xs], [Y|Ys]) :-
    select(Y, [X|Xs], Rest),
    lists_permutation(Rest, Ys).

%% flatten(+Nested, ?Flat)
%
%  Unifies Flat with the elements of Nested, at any depth, that are not lists, in order. If Nested is not a
%  list, Flat is [Nested].
%
%  ?- flatten([a,[b,[c]],[]], L).
%  L = [a, b, c].

flatten(Nested, Flat) :-
    '$flatten'(Nested, Flat).

%% clumped(+Items, -Pairs)
%
%  Unifies Pairs with a list of Item-Count for each run of Count identical elements of Items.
%
%  ?- msort([a,b,a,c,a], L), clumped(L, Counts).
%  L = [a, a, a, b, c],
%  Counts = [a-3, b-1, c-1].

clumped(Items, Pairs) :-
    lists_clumped(Items, Pairs).

lists_clumped([], []).
lists_clumped([X|Xs], [X-Count|Pairs]) :-
    lists_clump(Xs, X, 1, Count, Rest),
    lists_clumped(Rest, Pairs).

lists_clump([Y|Ys], X, Count0, Count, Rest) :-
    X == Y,
    !,
    Count1 is Count0 + 1,
    lists_clump(Ys, X, Count1, Count, Rest).
lists_clump(Rest, _, Count, Count, Rest).

%% subseq(+Xs, -Part, -Rest)
%
%  True if Part are some elements of Xs in their order and Rest are the others.
%
%  ?- findall(Part, subseq([a,b], Part, _), Parts).
%  Parts = [[], [b], [a], [a, b]].

subseq([], [], []).
subseq([X|Xs], Part, [X|Rest]) :-
    subseq(Xs, Part, Rest).
subseq([X|Xs], [X|Part], Rest) :-
    subseq(Xs, Part, Rest).

%% max_member(-Max, +Xs)
%
%  Unifies Max with the largest element of Xs in the standard order. Fails if Xs is [].
%
%  ?- max_member(X, [3,1,4,1]).
%  X = 4.
%
%  ?- max_member(X, []).
%  false.

max_member(Max, Xs) :-
    is_list(Xs), !,
    Xs = [X|Rest],
    lists_max_member(Rest, X, Max).
max_member(Max, Xs) :-
    '$no_rule'(lists:max_member(Max, Xs)).

lists_max_member([], Max, Max).
lists_max_member([X|Xs], Max0, Max) :-
    (   X @=< Max0
    ->  lists_max_member(Xs, Max0, Max)
    ;   lists_max_member(Xs, X, Max)
    ).

%% min_member(-Min, +Xs)
%
%  Unifies Min with the smallest element of Xs in the standard order. Fails if Xs is [].
%
%  ?- min_member(X, [b,"text",f(x),2]).
%  X = 2.

min_member(Min, Xs) :-
    is_list(Xs), !,
    Xs = [X|Rest],
    lists_min_member(Rest, X, Min).
min_member(Min, Xs) :-
    '$no_rule'(lists:min_member(Min, Xs)).

lists_min_member([], Min, Min).
lists_min_member([X|Xs], Min0, Min) :-
    (   X @>= Min0
    ->  lists_min_member(Xs, Min0, Min)
    ;   lists_min_member(Xs, X, Min)
    ).

%% max_member(:Order, -Max, +Xs)
%
%  Unifies Max with the largest element of Xs. call(Order, A, B) must be true if A is not larger than B.
%
%  ?- max_member([A,B]>>(atom_length(A, M), atom_length(B, N), M =< N), X, [fig,apple,pear]).
%  X = apple.

max_member(Order, Max, Xs) :-
    is_list(Xs), !,
    Xs = [X|Rest],
    lists_max_member(Rest, Order, X, Max).
max_member(Order, Max, Xs) :-
    '$no_rule'(lists:max_member(Order, Max, Xs)).

lists_max_member([], _, Max, Max).
lists_max_member([X|Xs], Order, Max0, Max) :-
    (   call(Order, X, Max0)
    ->  lists_max_member(Xs, Order, Max0, Max)
    ;   lists_max_member(Xs, Order, X, Max)
    ).

%% min_member(:Order, -Min, +Xs)
%
%  Unifies Min with the smallest element of Xs. call(Order, A, B) must be true if A is not larger than B.
%
%  ?- min_member(@>=, X, [3,1,4]).
%  X = 4.

min_member(Order, Min, Xs) :-
    is_list(Xs), !,
    Xs = [X|Rest],
    lists_min_member(Rest, Order, X, Min).
min_member(Order, Min, Xs) :-
    '$no_rule'(lists:min_member(Order, Min, Xs)).

lists_min_member([], _, Min, Min).
lists_min_member([X|Xs], Order, Min0, Min) :-
    (   call(Order, Min0, X)
    ->  lists_min_member(Xs, Order, Min0, Min)
    ;   lists_min_member(Xs, Order, X, Min)
    ).

%% sum_list(+Numbers, -Sum)
%
%  Unifies Sum with the sum of Numbers.
%
%  ?- sum_list([1,2,3.5], Sum).
%  Sum = 6.5.
%
%  ?- sum_list([], Sum).
%  Sum = 0.

sum_list(Numbers, Sum) :-
    is_list(Numbers), !,
    lists_sum(Numbers, 0, Sum).
sum_list(Numbers, Sum) :-
    '$no_rule'(lists:sum_list(Numbers, Sum)).

lists_sum([], Sum, Sum).
lists_sum([N|Ns], Sum0, Sum) :-
    Sum1 is Sum0 + N,
    lists_sum(Ns, Sum1, Sum).

%% sumlist(+Numbers, -Sum)
%
%  Sums numbers: the older name of sum_list/2.

sumlist(Numbers, Sum) :-
    sum_list(Numbers, Sum).

%% max_list(+Numbers, -Max)
%
%  Unifies Max with the largest of Numbers. Fails if Numbers is [].
%
%  ?- max_list([3,1,4], Max).
%  Max = 4.

max_list(Numbers, Max) :-
    is_list(Numbers), !,
    Numbers = [N|Ns],
    lists_max(Ns, N, Max).
max_list(Numbers, Max) :-
    '$no_rule'(lists:max_list(Numbers, Max)).

lists_max([], Max, Max).
lists_max([N|Ns], Max0, Max) :-
    Max1 is max(Max0, N),
    lists_max(Ns, Max1, Max).

%% min_list(+Numbers, -Min)
%
%  Unifies Min with the smallest of Numbers. Fails if Numbers is [].
%
%  ?- min_list([], Min).
%  false.
%
%  ?- min_list([3,1,4], Min).
%  Min = 1.

min_list(Numbers, Min) :-
    is_list(Numbers), !,
    Numbers = [N|Ns],
    lists_min(Ns, N, Min).
min_list(Numbers, Min) :-
    '$no_rule'(lists:min_list(Numbers, Min)).

lists_min([], Min, Min).
lists_min([N|Ns], Min0, Min) :-
    Min1 is min(Min0, N),
    lists_min(Ns, Min1, Min).

%% is_set(@Xs)
%
%  True if Xs is a proper list without identical elements.
%
%  ?- is_set([a,b,c]).
%  true.
%
%  ?- is_set([a,b,a]).
%  false.

is_set(Xs) :-
    is_list(Xs),
    length(Xs, Length),
    sort(Xs, Sorted),
    length(Sorted, Length).

%% intersection(+Xs, +Ys, -Zs)
%
%  Unifies Zs with the elements of Xs that unify with an element of Ys.
%
%  ?- intersection([a,b,c], [c,x,a], L).
%  L = [a, c].

intersection(Xs, Ys, Zs) :-
    is_list(Xs), !,
    lists_intersection(Xs, Ys, Zs).
intersection(Xs, Ys, Zs) :-
    '$no_rule'(lists:intersection(Xs, Ys, Zs)).

lists_intersection([], _, []).
lists_intersection([X|Xs], Ys, Zs) :-
    (   memberchk(X, Ys)
    ->  Zs = [X|Zs1],
        lists_intersection(Xs, Ys, Zs1)
    ;   lists_intersection(Xs, Ys, Zs)
    ).

%% union(+Xs, +Ys, -Zs)
%
%  Unifies Zs with the elements of Xs that are not elements of Ys, followed by Ys.
%
%  ?- union([a,b], [b,c], L).
%  L = [a, b, c].

union(Xs, Ys, Zs) :-
    is_list(Xs), !,
    lists_union(Xs, Ys, Zs).
union(Xs, Ys, Zs) :-
    '$no_rule'(lists:union(Xs, Ys, Zs)).

lists_union([], Ys, Ys).
lists_union([X|Xs], Ys, Zs) :-
    (   memberchk(X, Ys)
    ->  lists_union(Xs, Ys, Zs)
    ;   Zs = [X|Zs1],
        lists_union(Xs, Ys, Zs1)
    ).

%% subset(+Xs, +Ys)
%
%  True if each element of Xs unifies with an element of Ys.
%
%  ?- subset([c,a], [a,b,c]).
%  true.

subset(Xs, Ys) :-
    is_list(Xs), !,
    lists_subset(Xs, Ys).
subset(Xs, Ys) :-
    '$no_rule'(lists:subset(Xs, Ys)).

lists_subset([], _).
lists_subset([X|Xs], Ys) :-
    memberchk(X, Ys),
    lists_subset(Xs, Ys).

%% subtract(+Xs, +Ys, -Zs)
%
%  Unifies Zs with the elements of Xs that are not elements of Ys.
%
%  ?- subtract([a,b,c], [b], L).
%  L = [a, c].

subtract(Xs, Ys, Zs) :-
    is_list(Xs), !,
    lists_subtract(Xs, Ys, Zs).
subtract(Xs, Ys, Zs) :-
    '$no_rule'(lists:subtract(Xs, Ys, Zs)).

lists_subtract([], _, []).
lists_subtract([X|Xs], Ys, Zs) :-
    (   memberchk(X, Ys)
    ->  lists_subtract(Xs, Ys, Zs)
    ;   Zs = [X|Zs1],
        lists_subtract(Xs, Ys, Zs1)
    ).
