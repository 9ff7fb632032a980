% Sets as lists in the standard order without duplicates: the predicates that
% SWI-Prolog's library(ordsets) documents.

:- module(ordsets, [
    is_ordset/1,
    list_to_ord_set/2,
    ord_add_element/3,
    ord_del_element/3,
    ord_disjoint/2,
    ord_empty/1,
    ord_insert/3,
    ord_intersect/2,
    ord_intersect/3,
    ord_intersection/2,
    ord_intersection/3,
    ord_intersection/4,
    ord_memberchk/2,
    ord_seteq/2,
    ord_setproduct/3,
    ord_selectchk/3,
    ord_subset/2,
    ord_subtract/3,
    ord_symdiff/3,
    ord_union/2,
    ord_union/3,
    ord_union/4
]).

:- use_module(library(lists), [append/2]).
:- use_module(library(error), [must_be/2]).

%% is_ordset(@Term)
%
%  True if Term is a list in the standard order without duplicates.
%
%  ?- is_ordset([a,b,c]).
%  true.
%
%  ?- is_ordset([b,a]).
%  false.

is_ordset(Term) :-
    is_list(Term),
    ordsets_ordered(Term).

ordsets_ordered([]).
ordsets_ordered([X|Xs]) :-
    ordsets_ordered(Xs, X).

ordsets_ordered([], _).
ordsets_ordered([Y|Ys], X) :-
    X @< Y,
    ordsets_ordered(Ys, Y).

%% ord_empty(?Set)
%
%  True if Set is the empty set.
%
%  ?- ord_empty(Set).
%  Set = [].

ord_empty([]).

%% list_to_ord_set(+List, -Set)
%
%  Unifies Set with the ordered set of the elements of List.
%
%  ?- list_to_ord_set([c,a,b,a], Set).
%  Set = [a, b, c].

list_to_ord_set(List, Set) :-
    sort(List, Sorted),
    Set = Sorted.

%% ord_memberchk(@X, +Set)
%
%  True if X is identical to an element of Set.
%
%  ?- ord_memberchk(b, [a,b,c]).
%  true.

ord_memberchk(X, [Y|Ys]) :-
    compare(Order, X, Y),
    ordsets_memberchk(Order, X, Ys).

ordsets_memberchk(=, _, _).
ordsets_memberchk(>, X, Ys) :-
    ord_memberchk(X, Ys).

%% ord_add_element(+Set0, +X, -Set)
%
%  Adds X to Set0 and unifies Set with the result.
%
%  ?- ord_add_element([a,c], b, Set).
%  Set = [a, b, c].

ord_add_element([], X, [X]).
ord_add_element([Y|Ys], X, Set) :-
    compare(Order, X, Y),
    ordsets_add(Order, X, Y, Ys, Set).

ordsets_add(<, X, Y, Ys, [X,Y|Ys]).
ordsets_add(=, _, Y, Ys, [Y|Ys]).
ordsets_add(>, X, Y, Ys, [Y|Set]) :-
    ord_add_element(Ys, X, Set).

%% ord_insert(+Set0, +X, -Set)
%
%  Another name of ord_add_element/3.

ord_insert(Set0, X, Set) :-
    ord_add_element(Set0, X, Set).

%% ord_del_element(+Set0, +X, -Set)
%
%  Removes X from Set0 and unifies Set with the result.
%
%  ?- ord_del_element([a,b,c], b, Set).
%  Set = [a, c].

ord_del_element([], _, []).
ord_del_element([Y|Ys], X, Set) :-
    compare(Order, X, Y),
    ordsets_delete(Order, X, Y, Ys, Set).

ordsets_delete(<, _, Y, Ys, [Y|Ys]).
ordsets_delete(=, _, _, Ys, Ys).
ordsets_delete(>, X, Y, Ys, [Y|Set]) :-
    ord_del_element(Ys, X, Set).

%% ord_selectchk(+X, +Set, -Rest)
%
%  Removes the element X from Set and unifies Rest with the others. Fails if X is not in Set.
%
%  ?- ord_selectchk(b, [a,b,c], Rest).
%  Rest = [a, c].
%
%  ?- ord_selectchk(x, [a,b,c], Rest).
%  false.

ord_selectchk(X, [Y|Ys], Rest) :-
    compare(Order, X, Y),
    ordsets_select(Order, X, Y, Ys, Rest).

ordsets_select(=, _, _, Ys, Ys).
ordsets_select(>, X, Y, Ys, [Y|Rest]) :-
    ord_selectchk(X, Ys, Rest).

%% ord_union(+Sets, -Union)
%
%  Unifies Union with the union of all Sets.
%
%  ?- ord_union([[a,c], [b], [a,d]], Union).
%  Union = [a, b, c, d].

ord_union(Sets, Union) :-
    must_be(list(list), Sets),
    append(Sets, List),
    sort(List, Sorted),
    Union = Sorted.

%% ord_union(+Set1, +Set2, -Union)
%
%  Unifies Union with the union of Set1 and Set2.
%
%  ?- ord_union([a,c], [b,c], Union).
%  Union = [a, b, c].

ord_union([], Set, Set).
ord_union([X|Xs], Ys, Union) :-
    ordsets_union(Ys, X, Xs, Union).

ordsets_union([], X, Xs, [X|Xs]).
ordsets_union([Y|Ys], X, Xs, Union) :-
    compare(Order, X, Y),
    ordsets_union(Order, X, Xs, Y, Ys, Union).

ordsets_union(<, X, Xs, Y, Ys, [X|Union]) :-
    ordsets_union(Xs, Y, Ys, Union).
ordsets_union(=, X, Xs, _, Ys, [X|Union]) :-
    ord_union(Xs, Ys, Union).
ordsets_union(>, X, Xs, Y, Ys, [Y|Union]) :-
    ordsets_union(Ys, X, Xs, Union).

%% ord_union(+Set1, +Set2, -Union, -New)
%
%  Unifies Union with the union of Set1 and Set2, and New with the elements of Set2 that are not in Set1.
%
%  ?- ord_union([a,c], [b,c], Union, New).
%  Union = [a, b, c],
%  New = [b].

ord_union([], Ys, Ys, Ys).
ord_union([X|Xs], Ys, Union, New) :-
    ordsets_new(Ys, X, Xs, Union, New).

ordsets_new([], X, Xs, [X|Xs], []).
ordsets_new([Y|Ys], X, Xs, Union, New) :-
    compare(Order, X, Y),
    ordsets_new(Order, X, Xs, Y, Ys, Union, New).

ordsets_new(<, X, Xs, Y, Ys, [X|Union], New) :-
    ord_union(Xs, [Y|Ys], Union, New).
ordsets_new(=, X, Xs, _, Ys, [X|Union], New) :-
    ord_union(Xs, Ys, Union, New).
ordsets_new(>, X, Xs, Y, Ys, [Y|Union], [Y|New]) :-
    ordsets_new(Ys, X, Xs, Union, New).

%% ord_subtract(+Set1, +Set2, -Difference)
%
%  Unifies Difference with the elements of Set1 that are not in Set2.
%
%  ?- ord_subtract([a,b,c], [b,d], Set).
%  Set = [a, c].

ord_subtract([], _, []).
ord_subtract([X|Xs], Ys, Difference) :-
    ordsets_subtract(Ys, X, Xs, Difference).

ordsets_subtract([], X, Xs, [X|Xs]).
ordsets_subtract([Y|Ys], X, Xs, Difference) :-
    compare(Order, X, Y),
    ordsets_subtract(Order, X, Xs, Y, Ys, Difference).

ordsets_subtract(<, X, Xs, Y, Ys, [X|Difference]) :-
    ord_subtract(Xs, [Y|Ys], Difference).
ordsets_subtract(=, _, Xs, _, Ys, Difference) :-
    ord_subtract(Xs, Ys, Difference).
ordsets_subtract(>, X, Xs, _, Ys, Difference) :-
    ordsets_subtract(Ys, X, Xs, Difference).

%% ord_intersection(+Sets, -Intersection)
%
%  Unifies Intersection with the elements that are in each of Sets. Fails if Sets is [].
%
%  ?- ord_intersection([[a,b,c], [b,c,d], [c,e]], Set).
%  Set = [c].

ord_intersection(Sets0, Intersection) :-
    must_be(list(list), Sets0),
    Sets0 = [Set|Sets],
    ordsets_intersection(Sets, Set, Intersection).

ordsets_intersection([], Set, Set).
ordsets_intersection([Set1|Sets], Set0, Intersection) :-
    ord_intersection(Set0, Set1, Set),
    ordsets_intersection(Sets, Set, Intersection).

%% ord_intersect(+Set1, +Set2, -Intersection)
%
%  Intersects like ord_intersection/3, its present name.
%
%  ?- ord_intersect([a,b], [b,c], Set).
%  Set = [b].

ord_intersect(Set1, Set2, Set) :- ord_intersection(Set1, Set2, Set).

%% ord_intersection(+Set1, +Set2, -Intersection)
%
%  Unifies Intersection with the elements that are in both Set1 and Set2.
%
%  ?- ord_intersection([a,b,c], [b,c,d], Set).
%  Set = [b, c].

ord_intersection([], _, []).
ord_intersection([X|Xs], Ys, Intersection) :-
    ordsets_common(Ys, X, Xs, Intersection).

ordsets_common([], _, _, []).
ordsets_common([Y|Ys], X, Xs, Intersection) :-
    compare(Order, X, Y),
    ordsets_common(Order, X, Xs, Y, Ys, Intersection).

ordsets_common(<, _, Xs, Y, Ys, Intersection) :-
    ordsets_common(Xs, Y, Ys, Intersection).
ordsets_common(=, X, Xs, _, Ys, [X|Intersection]) :-
    ord_intersection(Xs, Ys, Intersection).
ordsets_common(>, X, Xs, _, Ys, Intersection) :-
    ordsets_common(Ys, X, Xs, Intersection).

%% ord_intersection(+Set1, +Set2, -Intersection, -Difference)
%
%  Unifies Intersection with the elements that are in both sets, and Difference with those in Set2 only.
%
%  ?- ord_intersection([b,c], [a,b,d], Intersection, Difference).
%  Intersection = [b],
%  Difference = [a, d].

ord_intersection([], Ys, [], Ys).
ord_intersection([X|Xs], Ys, Intersection, Difference) :-
    ordsets_split(Ys, X, Xs, Intersection, Difference).

ordsets_split([], _, _, [], []).
ordsets_split([Y|Ys], X, Xs, Intersection, Difference) :-
    compare(Order, X, Y),
    ordsets_split(Order, X, Xs, Y, Ys, Intersection, Difference).

ordsets_split(<, _, Xs, Y, Ys, Intersection, Difference) :-
    ord_intersection(Xs, [Y|Ys], Intersection, Difference).
ordsets_split(=, X, Xs, _, Ys, [X|Intersection], Difference) :-
    ord_intersection(Xs, Ys, Intersection, Difference).
ordsets_split(>, X, Xs, Y, Ys, Intersection, [Y|Difference]) :-
    ordsets_split(Ys, X, Xs, Intersection, Difference).

%% ord_intersect(+Set1, +Set2)
%
%  True if Set1 and Set2 have an element in common.
%
%  ?- ord_intersect([a,b], [b,c]).
%  true.

ord_intersect([X|Xs], Ys) :-
    ordsets_meet(Ys, X, Xs).

ordsets_meet([Y|Ys], X, Xs) :-
    compare(Order, X, Y),
    ordsets_meet(Order, X, Xs, Y, Ys).

ordsets_meet(<, _, Xs, Y, Ys) :-
    ordsets_meet(Xs, Y, Ys).
ordsets_meet(=, _, _, _, _).
ordsets_meet(>, X, Xs, _, Ys) :-
    ordsets_meet(Ys, X, Xs).

%% ord_disjoint(+Set1, +Set2)
%
%  True if Set1 and Set2 have no element in common.
%
%  ?- ord_disjoint([a,b], [c,d]).
%  true.

ord_disjoint(Set1, Set2) :-
    \+ ord_intersect(Set1, Set2).

%% ord_subset(+Set1, +Set2)
%
%  True if each element of Set1 is in Set2.
%
%  ?- ord_subset([a,c], [a,b,c]).
%  true.

ord_subset(Set1, Set2) :-
    ord_subtract(Set1, Set2, []).

%% ord_seteq(+Set1, +Set2)
%
%  True if Set1 and Set2 have the same elements.
%
%  ?- ord_seteq([a,b], [a,b]).
%  true.

ord_seteq(Set1, Set2) :-
    Set1 == Set2.

%% ord_symdiff(+Set1, +Set2, -Difference)
%
%  Unifies Difference with the elements that are in exactly one of Set1 and Set2.
%
%  ?- ord_symdiff([a,b,c], [b,c,d], Set).
%  Set = [a, d].

ord_symdiff([], Ys, Ys).
ord_symdiff([X|Xs], Ys, Difference) :-
    ordsets_symdiff(Ys, X, Xs, Difference).

ordsets_symdiff([], X, Xs, [X|Xs]).
ordsets_symdiff([Y|Ys], X, Xs, Difference) :-
    compare(Order, X, Y),
    ordsets_symdiff(Order, X, Xs, Y, Ys, Difference).

ordsets_symdiff(<, X, Xs, Y, Ys, [X|Difference]) :-
    ordsets_symdiff(Xs, Y, Ys, Difference).
ordsets_symdiff(=, _, Xs, _, Ys, Difference) :-
    ord_symdiff(Xs, Ys, Difference).
ordsets_symdiff(>, X, Xs, Y, Ys, [Y|Difference]) :-
    ordsets_symdiff(Ys, X, Xs, Difference).

%% ord_setproduct(+Set1, +Set2, -Product)
%
%  Unifies Product with the pairs of an element of Set1 and an element of Set2.
%
%  ?- ord_setproduct([a,b], [1,2], Product).
%  Product = [a-1, a-2, b-1, b-2].

ord_setproduct([], _, []).
ord_setproduct([X|Xs], Ys, Product) :-
    ordsets_pairs(Ys, X, Product, Rest),
    ord_setproduct(Xs, Ys, Rest).

ordsets_pairs([], _, Rest, Rest).
ordsets_pairs([Y|Ys], X, [X-Y|Pairs], Rest) :-
    ordsets_pairs(Ys, X, Pairs, Rest).
