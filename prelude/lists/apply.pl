% Application of a goal to the elements of lists: the predicates that SWI-Prolog's library(apply) documents.

:- module(apply, [
    maplist/2,
    maplist/3,
    maplist/4,
    maplist/5,
    maplist/6,
    maplist/7,
    maplist/8,
    foldl/4,
    foldl/5,
    foldl/6,
    foldl/7,
    include/3,
    exclude/3,
    partition/4,
    partition/5,
    convlist/3,
    scanl/4,
    scanl/5,
    scanl/6,
    scanl/7
]).

:- meta_predicate(maplist(1, ?)).
:- meta_predicate(maplist(2, ?, ?)).
:- meta_predicate(maplist(3, ?, ?, ?)).
:- meta_predicate(maplist(4, ?, ?, ?, ?)).
:- meta_predicate(maplist(5, ?, ?, ?, ?, ?)).
:- meta_predicate(maplist(6, ?, ?, ?, ?, ?, ?)).
:- meta_predicate(maplist(7, ?, ?, ?, ?, ?, ?, ?)).
:- meta_predicate(foldl(3, ?, ?, ?)).
:- meta_predicate(foldl(4, ?, ?, ?, ?)).
:- meta_predicate(foldl(5, ?, ?, ?, ?, ?)).
:- meta_predicate(foldl(6, ?, ?, ?, ?, ?, ?)).
:- meta_predicate(scanl(3, ?, ?, ?)).
:- meta_predicate(scanl(4, ?, ?, ?, ?)).
:- meta_predicate(scanl(5, ?, ?, ?, ?, ?)).
:- meta_predicate(scanl(6, ?, ?, ?, ?, ?, ?)).
:- meta_predicate(include(1, ?, ?)).
:- meta_predicate(exclude(1, ?, ?)).
:- meta_predicate(partition(1, ?, ?, ?)).
:- meta_predicate(partition(2, ?, ?, ?, ?)).
:- meta_predicate(convlist(2, ?, ?)).

:- use_module(library(error), [must_be/2]).

%% maplist(:Goal, ?As)
%
%  True if call(Goal, A) is true for each element A of the list As, in order.
%
%  ?- maplist(integer, [1,2,3]).
%  true.
%
%  ?- length(L, 2), maplist(=(x), L).
%  L = [x, x].

maplist(Goal, As) :-
    apply_maplist(As, Goal).

apply_maplist([], _).
apply_maplist([A|As], Goal) :-
    call(Goal, A),
    apply_maplist(As, Goal).

%% maplist(:Goal, ?As, ?Bs)
%
%  True if call(Goal, A, B) is true for the corresponding elements of two lists of the same length.
%
%  ?- maplist(succ, [1,2,3], Ys).
%  Ys = [2, 3, 4].
%
%  ?- maplist([X,Y]>>(Y is X * X), [1,2,3], Squares).
%  Squares = [1, 4, 9].
%
%  ?- maplist(succ, Xs, [1,2,3]).
%  Xs = [0, 1, 2].

maplist(Goal, As, Bs) :-
    apply_maplist(As, Bs, Goal).

apply_maplist([], [], _).
apply_maplist([A|As], [B|Bs], Goal) :-
    call(Goal, A, B),
    apply_maplist(As, Bs, Goal).

%% maplist(:Goal, ?As, ?Bs, ?Cs)
%
%  True if call(Goal, A, B, C) is true for the corresponding elements of three lists of the same length.
%
%  ?- maplist([X,Y,Z]>>(Z is X + Y), [1,2], [10,20], Sums).
%  Sums = [11, 22].
%
%  ?- maplist(plus, [1,2], [10], Sums).
%  false.

maplist(Goal, As, Bs, Cs) :-
    apply_maplist(As, Bs, Cs, Goal).

apply_maplist([], [], [], _).
apply_maplist([A|As], [B|Bs], [C|Cs], Goal) :-
    call(Goal, A, B, C),
    apply_maplist(As, Bs, Cs, Goal).

%% maplist(:Goal, ?As, ?Bs, ?Cs, ?Ds)
%
%  True if call(Goal, A, B, C, D) is true for the corresponding elements of four lists of the same length.
%
%  ?- maplist([X,Y,Z,S]>>(S is X + Y + Z), [1,2], [3,4], [5,6], Sums).
%  Sums = [9, 12].

maplist(Goal, As, Bs, Cs, Ds) :-
    apply_maplist(As, Bs, Cs, Ds, Goal).

apply_maplist([], [], [], [], _).
apply_maplist([A|As], [B|Bs], [C|Cs], [D|Ds], Goal) :-
    call(Goal, A, B, C, D),
    apply_maplist(As, Bs, Cs, Ds, Goal).

%% maplist(:Goal, ?As, ?Bs, ?Cs, ?Ds, ?Es)
%
%  True if call(Goal, A, B, C, D, E) is true for the corresponding elements of five lists of the same length.

maplist(Goal, As, Bs, Cs, Ds, Es) :-
    apply_maplist(As, Bs, Cs, Ds, Es, Goal).

apply_maplist([], [], [], [], [], _).
apply_maplist([A|As], [B|Bs], [C|Cs], [D|Ds], [E|Es], Goal) :-
    call(Goal, A, B, C, D, E),
    apply_maplist(As, Bs, Cs, Ds, Es, Goal).

%% maplist(:Goal, ?As, ?Bs, ?Cs, ?Ds, ?Es, ?Fs)
%
%  True if call(Goal, A, B, C, D, E, F) is true for the corresponding elements of six lists of the same length.

maplist(Goal, As, Bs, Cs, Ds, Es, Fs) :-
    apply_maplist(As, Bs, Cs, Ds, Es, Fs, Goal).

apply_maplist([], [], [], [], [], [], _).
apply_maplist([A|As], [B|Bs], [C|Cs], [D|Ds], [E|Es], [F|Fs], Goal) :-
    call(Goal, A, B, C, D, E, F),
    apply_maplist(As, Bs, Cs, Ds, Es, Fs, Goal).

%% maplist(:Goal, ?As, ?Bs, ?Cs, ?Ds, ?Es, ?Fs, ?Gs)
%
%  True if call(Goal, A, B, C, D, E, F, G) is true for the corresponding elements of seven lists of the same
%  length.

maplist(Goal, As, Bs, Cs, Ds, Es, Fs, Gs) :-
    apply_maplist(As, Bs, Cs, Ds, Es, Fs, Gs, Goal).

apply_maplist([], [], [], [], [], [], [], _).
apply_maplist([A|As], [B|Bs], [C|Cs], [D|Ds], [E|Es], [F|Fs], [G|Gs], Goal) :-
    call(Goal, A, B, C, D, E, F, G),
    apply_maplist(As, Bs, Cs, Ds, Es, Fs, Gs, Goal).

%% foldl(:Goal, +As, +V0, -V)
%
%  Folds the list As from V0 to V: call(Goal, A1, V0, V1), call(Goal, A2, V1, V2) and so on.
%
%  ?- foldl([X,V0,V]>>(V is V0 + X), [1,2,3], 0, Sum).
%  Sum = 6.
%
%  ?- foldl([X,L0,[X|L0]]>>true, [a,b,c], [], Reversed).
%  Reversed = [c, b, a].

foldl(Goal, As, V0, V) :-
    apply_foldl(As, Goal, V0, V).

apply_foldl([], _, V, V).
apply_foldl([A|As], Goal, V0, V) :-
    call(Goal, A, V0, V1),
    apply_foldl(As, Goal, V1, V).

%% foldl(:Goal, +As, +Bs, +V0, -V)
%
%  Folds the corresponding elements of two lists like foldl/4.
%
%  ?- foldl([X,Y,V0,V]>>(V is V0 + X * Y), [1,2,3], [4,5,6], 0, Product).
%  Product = 32.

foldl(Goal, As, Bs, V0, V) :-
    apply_foldl(As, Bs, Goal, V0, V).

apply_foldl([], [], _, V, V).
apply_foldl([A|As], [B|Bs], Goal, V0, V) :-
    call(Goal, A, B, V0, V1),
    apply_foldl(As, Bs, Goal, V1, V).

%% foldl(:Goal, +As, +Bs, +Cs, +V0, -V)
%
%  Folds the corresponding elements of three lists like foldl/4.

foldl(Goal, As, Bs, Cs, V0, V) :-
    apply_foldl(As, Bs, Cs, Goal, V0, V).

apply_foldl([], [], [], _, V, V).
apply_foldl([A|As], [B|Bs], [C|Cs], Goal, V0, V) :-
    call(Goal, A, B, C, V0, V1),
    apply_foldl(As, Bs, Cs, Goal, V1, V).

%% foldl(:Goal, +As, +Bs, +Cs, +Ds, +V0, -V)
%
%  Folds the corresponding elements of four lists like foldl/4.

foldl(Goal, As, Bs, Cs, Ds, V0, V) :-
    apply_foldl(As, Bs, Cs, Ds, Goal, V0, V).

apply_foldl([], [], [], [], _, V, V).
apply_foldl([A|As], [B|Bs], [C|Cs], [D|Ds], Goal, V0, V) :-
    call(Goal, A, B, C, D, V0, V1),
    apply_foldl(As, Bs, Cs, Ds, Goal, V1, V).

%% include(:Goal, +Xs, -Ys)
%
%  Unifies Ys with the elements X of Xs for which call(Goal, X) is true.
%
%  ?- include([X]>>(X > 1), [1,2,3], L).
%  L = [2, 3].

include(Goal, Xs, Ys) :-
    apply_include(Xs, Goal, Ys).

apply_include([], _, []).
apply_include([X|Xs], Goal, Ys) :-
    (   call(Goal, X)
    ->  Ys = [X|Ys1],
        apply_include(Xs, Goal, Ys1)
    ;   apply_include(Xs, Goal, Ys)
    ).

%% exclude(:Goal, +Xs, -Ys)
%
%  Unifies Ys with the elements X of Xs for which call(Goal, X) fails.
%
%  ?- exclude([X]>>(X > 1), [1,2,3], L).
%  L = [1].

exclude(Goal, Xs, Ys) :-
    apply_exclude(Xs, Goal, Ys).

apply_exclude([], _, []).
apply_exclude([X|Xs], Goal, Ys) :-
    (   call(Goal, X)
    ->  apply_exclude(Xs, Goal, Ys)
    ;   Ys = [X|Ys1],
        apply_exclude(Xs, Goal, Ys1)
    ).

%% partition(:Goal, +Xs, -Included, -Excluded)
%
%  Unifies Included with the elements X of Xs for which call(Goal, X) is true, and Excluded with the others.
%
%  ?- partition([X]>>(X mod 2 =:= 0), [1,2,3,4], Even, Odd).
%  Even = [2, 4],
%  Odd = [1, 3].

partition(Goal, Xs, Included, Excluded) :-
    apply_partition(Xs, Goal, Included, Excluded).

apply_partition([], _, [], []).
apply_partition([X|Xs], Goal, Included, Excluded) :-
    (   call(Goal, X)
    ->  Included = [X|Included1],
        apply_partition(Xs, Goal, Included1, Excluded)
    ;   Excluded = [X|Excluded1],
        apply_partition(Xs, Goal, Included, Excluded1)
    ).

%% partition(:Goal, +Xs, -Less, -Equal, -Greater)
%
%  Splits the elements X of Xs by the order (<, = or >) that call(Goal, X, Order) returns.
%
%  ?- partition([X,Order]>>compare(Order, X, 2), [1,2,3], Less, Equal, Greater).
%  Less = [1],
%  Equal = [2],
%  Greater = [3].

partition(Goal, Xs, Less, Equal, Greater) :-
    apply_partition(Xs, Goal, Less, Equal, Greater).

apply_partition([], _, [], [], []).
apply_partition([X|Xs], Goal, Less, Equal, Greater) :-
    call(Goal, X, Order),
    apply_partition(Order, X, Xs, Goal, Less, Equal, Greater).

apply_partition(<, X, Xs, Goal, [X|Less], Equal, Greater) :-
    !,
    apply_partition(Xs, Goal, Less, Equal, Greater).
apply_partition(=, X, Xs, Goal, Less, [X|Equal], Greater) :-
    !,
    apply_partition(Xs, Goal, Less, Equal, Greater).
apply_partition(>, X, Xs, Goal, Less, Equal, [X|Greater]) :-
    !,
    apply_partition(Xs, Goal, Less, Equal, Greater).
apply_partition(Order, _, _, _, _, _, _) :-
    must_be(oneof([<,=,>]), Order).

%% convlist(:Goal, +Xs, -Ys)
%
%  Unifies Ys with the list of Y from call(Goal, X, Y), for the elements X of Xs for which it is true.
%
%  ?- convlist([X,Y]>>(X > 1, Y is X * 10), [1,2,3], L).
%  L = [20, 30].

convlist(Goal, Xs, Ys) :-
    apply_convlist(Xs, Goal, Ys).

apply_convlist([], _, []).
apply_convlist([X|Xs], Goal, Ys) :-
    (   call(Goal, X, Y)
    ->  Ys = [Y|Ys1],
        apply_convlist(Xs, Goal, Ys1)
    ;   apply_convlist(Xs, Goal, Ys)
    ).

%% scanl(:Goal, +As, +V0, -Vs)
%
%  Folds like foldl/4, but unifies Vs with all intermediate values, beginning with V0.
%
%  ?- scanl([X,V0,V]>>(V is V0 + X), [1,2,3], 0, Sums).
%  Sums = [0, 1, 3, 6].

scanl(Goal, As, V0, [V0|Vs]) :-
    apply_scanl(As, Goal, V0, Vs).

apply_scanl([], _, _, []).
apply_scanl([A|As], Goal, V0, [V1|Vs]) :-
    call(Goal, A, V0, V1),
    apply_scanl(As, Goal, V1, Vs).

%% scanl(:Goal, +As, +Bs, +V0, -Vs)
%
%  Folds like foldl/5, but unifies Vs with all intermediate values, beginning with V0.

scanl(Goal, As, Bs, V0, [V0|Vs]) :-
    apply_scanl(As, Bs, Goal, V0, Vs).

apply_scanl([], [], _, _, []).
apply_scanl([A|As], [B|Bs], Goal, V0, [V1|Vs]) :-
    call(Goal, A, B, V0, V1),
    apply_scanl(As, Bs, Goal, V1, Vs).

%% scanl(:Goal, +As, +Bs, +Cs, +V0, -Vs)
%
%  Folds like foldl/6, but unifies Vs with all intermediate values, beginning with V0.

scanl(Goal, As, Bs, Cs, V0, [V0|Vs]) :-
    apply_scanl(As, Bs, Cs, Goal, V0, Vs).

apply_scanl([], [], [], _, _, []).
apply_scanl([A|As], [B|Bs], [C|Cs], Goal, V0, [V1|Vs]) :-
    call(Goal, A, B, C, V0, V1),
    apply_scanl(As, Bs, Cs, Goal, V1, Vs).

%% scanl(:Goal, +As, +Bs, +Cs, +Ds, +V0, -Vs)
%
%  Folds like foldl/7, but unifies Vs with all intermediate values, beginning with V0.

scanl(Goal, As, Bs, Cs, Ds, V0, [V0|Vs]) :-
    apply_scanl(As, Bs, Cs, Ds, Goal, V0, Vs).

apply_scanl([], [], [], [], _, _, []).
apply_scanl([A|As], [B|Bs], [C|Cs], [D|Ds], Goal, V0, [V1|Vs]) :-
    call(Goal, A, B, C, D, V0, V1),
    apply_scanl(As, Bs, Cs, Ds, Goal, V1, Vs).
