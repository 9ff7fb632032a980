% Sets of integers for constraints: the predicates of SWI-Prolog's library(clpfd) on finite domain sets. A set
% is `empty`, or fdset(Min, Max, Rest): the interval Min..Max and a set Rest of larger integers that are not
% adjacent to it. Min is an integer or inf, Max an integer or sup. So equal sets are identical terms.
% Long because a library has all predicates.

:- module(clpfd_sets, [
    is_fdset/1,
    empty_fdset/1,
    empty_interval/2,
    fdset_parts/4,
    fdset_interval/3,
    fdset_singleton/2,
    fdset_min/2,
    fdset_max/2,
    fdset_size/2,
    list_to_fdset/2,
    fdset_to_list/2,
    range_to_fdset/2,
    fdset_to_range/2,
    fdset_add_element/3,
    fdset_del_element/3,
    fdset_disjoint/2,
    fdset_intersect/2,
    fdset_intersection/3,
    fdset_member/2,
    fdset_eq/2,
    fdset_subset/2,
    fdset_subtract/3,
    fdset_union/2,
    fdset_union/3,
    fdset_complement/2
]).

:- use_module(library(error), [must_be/2]).

%% is_fdset(@Term)
%
%  True if Term is a set of integers.
%
%  ?- use_module(library(clpfd)).
%  true.
%
%  ?- empty_fdset(_Set), is_fdset(_Set), \+ is_fdset([1]).
%  true.

is_fdset(Set) :-
    nonvar(Set),
    clpfd_is_set(Set).

clpfd_is_set(Set) :- var(Set), !, fail.
clpfd_is_set(empty).
clpfd_is_set(fdset(Min, Max, Rest)) :-
    clpfd_is_interval(Min, Max),
    clpfd_is_set(Rest),
    clpfd_is_beyond(Rest, Max).

% True if the set is not adjacent to the interval that ends with Max.
clpfd_is_beyond(empty, _).
clpfd_is_beyond(fdset(Min, _, _), Max) :-
    integer(Min),
    integer(Max),
    Max + 1 < Min.

clpfd_is_interval(Min, Max) :-
    (   Min == inf
    ->  clpfd_is_upper(Max)
    ;   integer(Min),
        (   Max == sup
        ->  true
        ;   integer(Max),
            Min =< Max
        )
    ).

clpfd_is_upper(Max) :-
    (   Max == sup
    ->  true
    ;   integer(Max)
    ).

clpfd_known(Set) :-
    (   var(Set)
    ->  throw(error(instantiation_error, _))
    ;   true
    ).

%% empty_fdset(-Set)
%
%  Unifies Set with the empty set.
%
%  ?- use_module(library(clpfd)).
%  true.
%
%  ?- empty_fdset(_Set), fdset_to_range(_Set, Range).
%  Range = 1..0.

empty_fdset(empty).

%% empty_interval(+Min, +Max)
%
%  True if Min..Max has no elements. Min and Max are integers, inf or sup.
%
%  ?- use_module(library(clpfd)).
%  true.
%
%  ?- empty_interval(2, 1), \+ empty_interval(1, sup).
%  true.

empty_interval(Min, Max) :-
    clpfd_bound(Min),
    clpfd_bound(Max),
    (   Min == sup
    ->  true
    ;   Max == inf
    ->  true
    ;   Min \== inf,
        Max \== sup,
        Min > Max
    ).

clpfd_bound(Bound) :-
    (   var(Bound)
    ->  throw(error(instantiation_error, _))
    ;   integer(Bound)
    ->  true
    ;   clpfd_infinite(Bound)
    ->  true
    ;   throw(error(type_error(integer, Bound), _))
    ).

clpfd_infinite(inf).
clpfd_infinite(sup).

%% fdset_parts(?Set, ?Min, ?Max, ?Rest)
%
%  Unifies Min..Max with the first interval of Set and Rest with the set of the other elements, or makes Set
%  from them.
%
%  ?- use_module(library(clpfd)).
%  true.
%
%  ?- range_to_fdset(1..3\/5..7, _Set), fdset_parts(_Set, Min, Max, _Rest), fdset_to_range(_Rest, Range).
%  Min = 1,
%  Max = 3,
%  Range = 5..7.

fdset_parts(Set, Min, Max, Rest) :-
    (   var(Set)
    ->  clpfd_bound(Min),
        clpfd_bound(Max),
        clpfd_known(Rest),
        clpfd_is_set(fdset(Min, Max, Rest))
    ;   true
    ),
    Set = fdset(Min, Max, Rest).

%% fdset_interval(?Set, ?Min, ?Max)
%
%  True if Set is the interval Min..Max, which is not empty. Either Set is bound, or Min and Max are.
%
%  ?- use_module(library(clpfd)).
%  true.
%
%  ?- fdset_interval(_Set, 1, sup), fdset_to_range(_Set, Range).
%  Range = 1..sup.

fdset_interval(Set, Min, Max) :-
    (   var(Set)
    ->  clpfd_known(Min),
        clpfd_known(Max),
        clpfd_is_interval(Min, Max)
    ;   true
    ),
    Set = fdset(Min, Max, empty).

%% fdset_singleton(?Set, ?Element)
%
%  True if Element is the only element of Set. One of them must be bound.
%
%  ?- use_module(library(clpfd)).
%  true.
%
%  ?- fdset_singleton(_Set, 5), fdset_singleton(_Set, Element).
%  Element = 5.

fdset_singleton(Set, Element) :-
    fdset_interval(Set, Element, Element).

%% fdset_min(+Set, -Min)
%
%  Unifies Min with the least element of Set, or with inf. Fails if Set is empty.
%
%  ?- use_module(library(clpfd)).
%  true.
%
%  ?- range_to_fdset(3..5\/9, _Set), fdset_min(_Set, Min).
%  Min = 3.

fdset_min(Set, Min) :-
    clpfd_known(Set),
    Set = fdset(Min, _, _).

%% fdset_max(+Set, -Max)
%
%  Unifies Max with the greatest element of Set, or with sup. Fails if Set is empty.
%
%  ?- use_module(library(clpfd)).
%  true.
%
%  ?- range_to_fdset(3..5\/9, _Set), fdset_max(_Set, Max).
%  Max = 9.

fdset_max(Set, Max) :-
    clpfd_known(Set),
    Set = fdset(_, Max0, Rest),
    clpfd_max(Rest, Max0, Max).

clpfd_max(empty, Max, Max).
clpfd_max(fdset(_, Max0, Rest), _, Max) :-
    clpfd_max(Rest, Max0, Max).

%% fdset_size(+Set, -Size)
%
%  Unifies Size with the number of elements of Set, or with sup if Set is infinite.
%
%  ?- use_module(library(clpfd)).
%  true.
%
%  ?- range_to_fdset(3..5\/9, _Set), fdset_size(_Set, Size).
%  Size = 4.

fdset_size(Set, Size) :-
    clpfd_known(Set),
    clpfd_size(Set, 0, Size).

clpfd_size(empty, Size, Size).
clpfd_size(fdset(Min, Max, Rest), Size0, Size) :-
    (   integer(Min),
        integer(Max)
    ->  Size1 is Size0 + Max - Min + 1,
        clpfd_size(Rest, Size1, Size)
    ;   Size = sup
    ).

%% list_to_fdset(+List, -Set)
%
%  Unifies Set with the set of the elements of List, a list of integers.
%
%  ?- use_module(library(clpfd)).
%  true.
%
%  ?- list_to_fdset([5,1,2], _Set), fdset_to_range(_Set, Range).
%  Range = 1..2\/5.

list_to_fdset(List, Set) :-
    must_be(list, List),
    clpfd_integers(List),
    sort(List, Sorted),
    clpfd_from_sorted(Sorted, Set).

clpfd_integers([]).
clpfd_integers([X|Xs]) :-
    must_be(integer, X),
    clpfd_integers(Xs).

clpfd_from_sorted([], empty).
clpfd_from_sorted([X|Xs], fdset(X, Max, Rest)) :-
    clpfd_from_run(Xs, X, Max, Others),
    clpfd_from_sorted(Others, Rest).

clpfd_from_run([X|Xs], Last, Max, Others) :-
    X =:= Last + 1,
    !,
    clpfd_from_run(Xs, X, Max, Others).
clpfd_from_run(Others, Max, Max, Others).

%% fdset_to_list(+Set, -List)
%
%  Unifies List with the elements of Set in ascending order. Fails if Set is infinite.
%
%  ?- use_module(library(clpfd)).
%  true.
%
%  ?- range_to_fdset(1..3\/5, _Set), fdset_to_list(_Set, List).
%  List = [1, 2, 3, 5].

fdset_to_list(Set, List) :-
    fdset_size(Set, Size),
    integer(Size),
    clpfd_elements(Set, List).

clpfd_elements(empty, []).
clpfd_elements(fdset(Min, Max, Rest), List) :-
    clpfd_run(Min, Max, List, Others),
    clpfd_elements(Rest, Others).

clpfd_run(X, Max, [X|Xs], Others) :-
    (   X < Max
    ->  Next is X + 1,
        clpfd_run(Next, Max, Xs, Others)
    ;   Xs = Others
    ).

%% range_to_fdset(+Range, -Set)
%
%  Unifies Set with the set of the elements of Range, a domain in the form that in/2 takes.
%
%  ?- use_module(library(clpfd)).
%  true.
%
%  ?- range_to_fdset(1..3\/4..5, _Set), fdset_interval(_Set, Min, Max).
%  Min = 1,
%  Max = 5.
%
%  ?- range_to_fdset(1..a, _).
%  error: Domain error: `clpfd_domain' expected, found `1..a' [domain_error(clpfd_domain, 1..a)]

range_to_fdset(Range, Set) :-
    must_be(ground, Range),
    (   clpfd_ranges([Range], Sets)
    ->  clpfd_unite(Sets, Set)
    ;   throw(error(domain_error(clpfd_domain, Range), _))
    ).

% Converts the parts of ranges to sets.
clpfd_ranges([], []).
clpfd_ranges([Range|Ranges], Sets) :-
    clpfd_range(Range, Ranges, Sets).

clpfd_range(N, Ranges, [fdset(N, N, empty)|Sets]) :-
    integer(N),
    !,
    clpfd_ranges(Ranges, Sets).
clpfd_range('..'(Min, Max), Ranges, Sets) :-
    clpfd_is_bound(Min),
    clpfd_is_bound(Max),
    Min \== sup,
    Max \== inf,
    (   clpfd_is_interval(Min, Max)
    ->  Sets = [fdset(Min, Max, empty)|Others]
    ;   Sets = Others
    ),
    clpfd_ranges(Ranges, Others).
clpfd_range(Left\/Right, Ranges, Sets) :-
    clpfd_ranges([Left,Right|Ranges], Sets).
clpfd_range(\Range, Ranges, [Set|Sets]) :-
    clpfd_ranges([Range], Sets0),
    clpfd_unite(Sets0, Set0),
    clpfd_complement(Set0, inf, Set),
    clpfd_ranges(Ranges, Sets).
clpfd_range({Integers}, Ranges, [Set|Sets]) :-
    clpfd_enumerated(Integers, List, []),
    list_to_fdset(List, Set),
    clpfd_ranges(Ranges, Sets).

clpfd_is_bound(Bound) :-
    (   integer(Bound)
    ->  true
    ;   clpfd_infinite(Bound)
    ).

clpfd_enumerated(N, [N|List], List) :-
    integer(N).
clpfd_enumerated((Left, Right), List0, List) :-
    clpfd_enumerated(Left, List0, List1),
    clpfd_enumerated(Right, List1, List).

%% fdset_to_range(+Set, -Range)
%
%  Unifies Range with Set as a domain, in the form of fd_dom/2.
%
%  ?- use_module(library(clpfd)).
%  true.
%
%  ?- list_to_fdset([1,2,3,5], _Set), fdset_to_range(_Set, Range).
%  Range = 1..3\/5.

fdset_to_range(Set, Range) :-
    clpfd_known(Set),
    clpfd_range_of(Set, Range).

clpfd_range_of(empty, '..'(1, 0)).
clpfd_range_of(fdset(Min, Max, Rest), Range) :-
    clpfd_interval_range(Min, Max, Range0),
    clpfd_range_after(Rest, Range0, Range).

clpfd_range_after(empty, Range, Range).
clpfd_range_after(fdset(Min, Max, Rest), Range0, Range) :-
    clpfd_interval_range(Min, Max, Range1),
    clpfd_range_after(Rest, Range0\/Range1, Range).

clpfd_interval_range(Min, Max, Range) :-
    (   Min == Max
    ->  Range = Min
    ;   Range = '..'(Min, Max)
    ).

%% fdset_add_element(+Set0, +Element, -Set)
%
%  Adds the integer Element to Set0 and unifies Set with the result.
%
%  ?- use_module(library(clpfd)).
%  true.
%
%  ?- list_to_fdset([1,3], _Set0), fdset_add_element(_Set0, 2, _Set), fdset_to_range(_Set, Range).
%  Range = 1..3.

fdset_add_element(Set0, Element, Set) :-
    must_be(integer, Element),
    fdset_union(Set0, fdset(Element, Element, empty), Set).

%% fdset_del_element(+Set0, +Element, -Set)
%
%  Removes the integer Element from Set0 and unifies Set with the result.
%
%  ?- use_module(library(clpfd)).
%  true.
%
%  ?- range_to_fdset(1..3, _Set0), fdset_del_element(_Set0, 2, _Set), fdset_to_range(_Set, Range).
%  Range = 1\/3.

fdset_del_element(Set0, Element, Set) :-
    must_be(integer, Element),
    fdset_subtract(Set0, fdset(Element, Element, empty), Set).

%% fdset_disjoint(+Set1, +Set2)
%
%  True if the sets have no element in common.
%
%  ?- use_module(library(clpfd)).
%  true.
%
%  ?- range_to_fdset(1..3, _A), range_to_fdset(4..5, _B), fdset_disjoint(_A, _B).
%  true.

fdset_disjoint(Set1, Set2) :-
    fdset_intersection(Set1, Set2, empty).

%% fdset_intersect(+Set1, +Set2)
%
%  True if the sets have an element in common.
%
%  ?- use_module(library(clpfd)).
%  true.
%
%  ?- range_to_fdset(1..3, _A), range_to_fdset(3..5, _B), fdset_intersect(_A, _B).
%  true.

fdset_intersect(Set1, Set2) :-
    fdset_intersection(Set1, Set2, Set),
    Set \== empty.

%% fdset_intersection(+Set1, +Set2, -Set)
%
%  Unifies Set with the intersection of the sets.
%
%  ?- use_module(library(clpfd)).
%  true.
%
%  ?- range_to_fdset(1..4\/8, _A), range_to_fdset(3..9, _B), fdset_intersection(_A, _B, _C), fdset_to_range(_C, Range).
%  Range = 3..4\/8.

fdset_intersection(Set1, Set2, Set) :-
    clpfd_known(Set1),
    clpfd_known(Set2),
    clpfd_intersection(Set1, Set2, Set).

clpfd_intersection(empty, Set, empty) :-
    clpfd_is_head(Set).
clpfd_intersection(fdset(Min1, Max1, Rest1), Set2, Set) :-
    clpfd_intersection(Set2, Min1, Max1, Rest1, Set).

clpfd_intersection(empty, _, _, _, empty).
clpfd_intersection(fdset(Min2, Max2, Rest2), Min1, Max1, Rest1, Set) :-
    clpfd_later(Min1, Min2, Min),
    clpfd_earlier(Max1, Max2, Max),
    (   clpfd_is_interval(Min, Max)
    ->  Set = fdset(Min, Max, Others)
    ;   Set = Others
    ),
    (   Max == Max1
    ->  clpfd_intersection(Rest1, fdset(Min2, Max2, Rest2), Others)
    ;   clpfd_intersection(Rest2, Min1, Max1, Rest1, Others)
    ).

clpfd_is_head(empty).
clpfd_is_head(fdset(_, _, _)).

% Unifies Min with the greater of two lower bounds.
clpfd_later(Min1, Min2, Min) :-
    (   Min1 == inf
    ->  Min = Min2
    ;   Min2 == inf
    ->  Min = Min1
    ;   Min is max(Min1, Min2)
    ).

% Unifies Max with the lesser of two upper bounds.
clpfd_earlier(Max1, Max2, Max) :-
    (   Max1 == sup
    ->  Max = Max2
    ;   Max2 == sup
    ->  Max = Max1
    ;   Max is min(Max1, Max2)
    ).

%% fdset_member(?Element, +Set)
%
%  True if Element is an element of Set. Enumerates the elements in ascending order on backtracking. Fails if
%  Set is infinite.
%
%  ?- use_module(library(clpfd)).
%  true.
%
%  ?- range_to_fdset(1..2\/5, _Set), findall(X, fdset_member(X, _Set), Xs).
%  Xs = [1, 2, 5].

fdset_member(Element, Set) :-
    clpfd_known(Set),
    (   var(Element)
    ->  fdset_size(Set, Size),
        integer(Size),
        clpfd_element(Set, Element)
    ;   integer(Element),
        clpfd_has(Set, Element)
    ).

clpfd_element(fdset(Min, Max, Rest), Element) :-
    (   Rest == empty
    ->  between(Min, Max, Element)
    ;   between(Min, Max, Element)
    ;   clpfd_element(Rest, Element)
    ).

clpfd_has(fdset(Min, Max, Rest), Element) :-
    (   Max \== sup,
        Element > Max
    ->  clpfd_has(Rest, Element)
    ;   Min == inf
    ->  true
    ;   Element >= Min
    ).

%% fdset_eq(+Set1, +Set2)
%
%  True if both sets have the same elements.
%
%  ?- use_module(library(clpfd)).
%  true.
%
%  ?- range_to_fdset(1..3, _A), list_to_fdset([3,2,1], _B), fdset_eq(_A, _B).
%  true.

fdset_eq(Set1, Set2) :-
    clpfd_known(Set1),
    clpfd_known(Set2),
    clpfd_is_head(Set1),
    Set1 == Set2.

%% fdset_subset(+Set1, +Set2)
%
%  True if all elements of Set1 are elements of Set2.
%
%  ?- use_module(library(clpfd)).
%  true.
%
%  ?- range_to_fdset(2..3, _A), range_to_fdset(1..4, _B), fdset_subset(_A, _B).
%  true.

fdset_subset(Set1, Set2) :-
    fdset_intersection(Set1, Set2, Set),
    Set == Set1.

%% fdset_subtract(+Set1, +Set2, -Set)
%
%  Unifies Set with the elements of Set1 that are not in Set2.
%
%  ?- use_module(library(clpfd)).
%  true.
%
%  ?- range_to_fdset(1..9, _A), range_to_fdset(3..5, _B), fdset_subtract(_A, _B, _C), fdset_to_range(_C, Range).
%  Range = 1..2\/6..9.

fdset_subtract(Set1, Set2, Set) :-
    fdset_complement(Set2, Others),
    fdset_intersection(Set1, Others, Set).

%% fdset_union(+Set1, +Set2, -Set)
%
%  Unifies Set with the union of the sets.
%
%  ?- use_module(library(clpfd)).
%  true.
%
%  ?- range_to_fdset(1..3, _A), range_to_fdset(4..5\/8, _B), fdset_union(_A, _B, _C), fdset_to_range(_C, Range).
%  Range = 1..5\/8.

fdset_union(Set1, Set2, Set) :-
    clpfd_known(Set1),
    clpfd_known(Set2),
    clpfd_union(Set1, Set2, Set).

clpfd_union(empty, Set, Set) :-
    clpfd_is_head(Set).
clpfd_union(fdset(Min1, Max1, Rest1), Set2, Set) :-
    (   Set2 = fdset(Min2, Max2, Rest2)
    ->  (   clpfd_begins_first(Min1, Min2)
        ->  clpfd_absorb(Rest1, Set2, Min1, Max1, Set)
        ;   clpfd_absorb(Rest2, fdset(Min1, Max1, Rest1), Min2, Max2, Set)
        )
    ;   Set2 = empty,
        Set = fdset(Min1, Max1, Rest1)
    ).

clpfd_begins_first(Min1, Min2) :-
    (   Min1 == inf
    ->  true
    ;   Min2 \== inf,
        Min1 =< Min2
    ).

% Unites Min..Max with two sets that do not begin before Min.
clpfd_absorb(Set1, Set2, Min, Max0, Set) :-
    (   Max0 \== sup,
        clpfd_first(Set1, Set2, Min1, Max1, Rest1, Rest2)
    ->  (   Min1 \== inf,
            Max0 + 1 < Min1
        ->  Set = fdset(Min, Max0, Others),
            clpfd_absorb(Rest1, Rest2, Min1, Max1, Others)
        ;   clpfd_farther(Max0, Max1, Max),
            clpfd_absorb(Rest1, Rest2, Min, Max, Set)
        )
    ;   Set = fdset(Min, Max0, empty)
    ).

% Takes the first interval of two sets, and the rest of both.
clpfd_first(empty, fdset(Min, Max, Rest), Min, Max, empty, Rest).
clpfd_first(fdset(Min1, Max1, Rest1), Set2, Min, Max, Others1, Others2) :-
    (   Set2 = fdset(Min2, Max2, Rest2),
        \+ clpfd_begins_first(Min1, Min2)
    ->  Min = Min2,
        Max = Max2,
        Others1 = fdset(Min1, Max1, Rest1),
        Others2 = Rest2
    ;   Min = Min1,
        Max = Max1,
        Others1 = Rest1,
        Others2 = Set2
    ).

% Unifies Max with the greater of two upper bounds, the first one an integer.
clpfd_farther(Max1, Max2, Max) :-
    (   Max2 == sup
    ->  Max = sup
    ;   Max is max(Max1, Max2)
    ).

%% fdset_union(+Sets, -Set)
%
%  Unifies Set with the union of the sets in the list Sets.
%
%  ?- use_module(library(clpfd)).
%  true.
%
%  ?- maplist(range_to_fdset, [1..3,7,4], _Sets), fdset_union(_Sets, _Set), fdset_to_range(_Set, Range).
%  Range = 1..4\/7.

fdset_union(Sets, Set) :-
    must_be(list, Sets),
    clpfd_unite(Sets, Set).

% Unites the sets in rounds. Each round halves the number of sets.
clpfd_unite([], empty).
clpfd_unite([Set0|Sets], Set) :-
    clpfd_unite(Sets, Set0, Set).

clpfd_unite([], Set, Set).
clpfd_unite([Set2|Sets], Set1, Set) :-
    clpfd_pairs([Set1,Set2|Sets], [First|United]),
    clpfd_unite(United, First, Set).

clpfd_pairs([], []).
clpfd_pairs([Set], [Set]).
clpfd_pairs([Set1,Set2|Sets], [Set|United]) :-
    fdset_union(Set1, Set2, Set),
    clpfd_pairs(Sets, United).

%% fdset_complement(+Set, -Complement)
%
%  Unifies Complement with the integers that are not in Set.
%
%  ?- use_module(library(clpfd)).
%  true.
%
%  ?- range_to_fdset(1..3, _Set), fdset_complement(_Set, _C), fdset_to_range(_C, Range).
%  Range = inf..0\/4..sup.

fdset_complement(Set, Complement) :-
    clpfd_known(Set),
    clpfd_complement(Set, inf, Complement).

% Collects the integers from a bound on that are not in a set.
clpfd_complement(empty, Min, fdset(Min, sup, empty)).
clpfd_complement(fdset(Min, Max, Rest), Low, Complement) :-
    (   Min \== inf,
        Below is Min - 1,
        clpfd_is_interval(Low, Below)
    ->  Complement = fdset(Low, Below, Others)
    ;   Complement = Others
    ),
    (   Max == sup
    ->  Others = empty
    ;   Above is Max + 1,
        clpfd_complement(Rest, Above, Others)
    ).
