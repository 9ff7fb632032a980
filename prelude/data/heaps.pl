% Priority queues: the predicates that SWI-Prolog's library(heaps) documents. A heap is a pairing
% heap, heap(Tree, Size), where Tree is nil or t(Key, Priority, Subtrees).

:- module(heaps, [
    add_to_heap/4,
    delete_from_heap/4,
    empty_heap/1,
    get_from_heap/4,
    heap_size/2,
    heap_to_list/2,
    is_heap/1,
    list_to_heap/2,
    merge_heaps/3,
    min_of_heap/3,
    min_of_heap/5,
    peek_at_heap/3,
    singleton_heap/3
]).

%% empty_heap(?Heap)
%
%  True if Heap is empty. Creates an empty heap if Heap is unbound.
%
%  ?- empty_heap(_H), heap_size(_H, Size).
%  Size = 0.

empty_heap(heap(nil, 0)).

%% singleton_heap(?Heap, ?Priority, ?Key)
%
%  True if Heap holds only Key, with Priority.
%
%  ?- singleton_heap(_H, 1, a), heap_to_list(_H, Pairs).
%  Pairs = [1-a].

singleton_heap(heap(t(Key, Priority, []), 1), Priority, Key).

%% add_to_heap(+Heap0, +Priority, ?Key, -Heap)
%
%  Adds Key to Heap0 with Priority and unifies Heap with the result. The standard order compares priorities.
%  Takes constant time.
%
%  ?- empty_heap(_H0), add_to_heap(_H0, 2, b, _H1), add_to_heap(_H1, 1, a, _H), heap_to_list(_H, Pairs).
%  Pairs = [1-a, 2-b].

add_to_heap(heap(Tree0, Size0), Priority, Key, heap(Tree, Size)) :-
    heap_meld(Tree0, t(Key, Priority, []), Tree),
    Size is Size0 + 1.

heap_meld(nil, Tree, Tree) :- !.
heap_meld(Tree, nil, Tree) :- !.
heap_meld(Left, Right, Tree) :-
    Left = t(LeftKey, LeftPriority, LeftTrees),
    Right = t(RightKey, RightPriority, RightTrees),
    (   LeftPriority @=< RightPriority
    ->  Tree = t(LeftKey, LeftPriority, [Right|LeftTrees])
    ;   Tree = t(RightKey, RightPriority, [Left|RightTrees])
    ).

%% get_from_heap(+Heap0, ?Priority, ?Key, -Heap)
%
%  Removes a Key with the least Priority from Heap0 and unifies Heap with the rest. Fails if Heap0 is empty.
%
%  ?- list_to_heap([9-c,4-a], _H0), get_from_heap(_H0, P, K, _H), heap_size(_H, Size).
%  P = 4,
%  K = a,
%  Size = 1.
%
%  ?- empty_heap(_H), get_from_heap(_H, P, K, _).
%  false.

get_from_heap(heap(t(Key, Priority, Trees), Size0), Priority, Key, heap(Tree, Size)) :-
    heap_pairs(Trees, Tree),
    Size is Size0 - 1.

% Melds the trees in pairs, then melds the pairs from the last one on. No work remains after the recursive call.
heap_pairs(Trees, Tree) :-
    heap_pairs(Trees, [], Pairs),
    heap_meld_all(Pairs, nil, Tree).

heap_pairs([], Pairs, Pairs).
heap_pairs([Tree], Pairs, [Tree|Pairs]) :- !.
heap_pairs([First, Second|Trees], Pairs0, Pairs) :-
    heap_meld(First, Second, Tree),
    heap_pairs(Trees, [Tree|Pairs0], Pairs).

heap_meld_all([], Tree, Tree).
heap_meld_all([First|Trees], Tree0, Tree) :-
    heap_meld(First, Tree0, Tree1),
    heap_meld_all(Trees, Tree1, Tree).

%% delete_from_heap(+Heap0, -Priority, +Key, -Heap)
%
%  Removes one Key, whose priority is Priority, from Heap0 and unifies Heap with the result. Fails if Heap0 has
%  no such key. Searches the whole heap.
%
%  ?- list_to_heap([3-c,1-a,2-b], _H0), delete_from_heap(_H0, Priority, b, _H), heap_to_list(_H, Pairs).
%  Priority = 2,
%  Pairs = [1-a, 3-c].

delete_from_heap(heap(Tree0, Size0), Priority, Key, heap(Tree, Size)) :-
    heap_elements([Tree0], Pairs),
    heap_select(Pairs, Key, Priority, Rest), !,
    list_to_heap(Rest, heap(Tree, _)),
    Size is Size0 - 1.

heap_select([Priority0-Key0|Pairs], Key, Priority, Rest) :-
    (   Key0 = Key
    ->  Priority = Priority0,
        Rest = Pairs
    ;   Rest = [Priority0-Key0|Rest1],
        heap_select(Pairs, Key, Priority, Rest1)
    ).

heap_elements([], []).
heap_elements([nil|Trees], Pairs) :- !,
    heap_elements(Trees, Pairs).
heap_elements([t(Key, Priority, Below)|Trees], [Priority-Key|Pairs]) :-
    (   Below = [First|Others]
    ->  heap_join([First|Others], Trees, Left)
    ;   Left = Trees
    ),
    heap_elements(Left, Pairs).

heap_join([], Trees, Trees).
heap_join([Tree|Left], Trees, [Tree|All]) :-
    heap_join(Left, Trees, All).

%% heap_size(+Heap, -Size)
%
%  Unifies Size with the number of keys in Heap.
%
%  ?- list_to_heap([3-c,1-a], _H), heap_size(_H, Size).
%  Size = 2.

heap_size(heap(_, Size), Size).

%% heap_to_list(+Heap, -Pairs)
%
%  Unifies Pairs with the list of Priority-Key in Heap, sorted by priority.
%
%  ?- list_to_heap([3-c,1-a,2-b], _H), heap_to_list(_H, Pairs).
%  Pairs = [1-a, 2-b, 3-c].

heap_to_list(Heap, Pairs) :-
    Heap = heap(_, _),
    (   get_from_heap(Heap, Priority, Key, Rest)
    ->  Pairs = [Priority-Key|Pairs1],
        heap_to_list(Rest, Pairs1)
    ;   Pairs = []
    ).

%% list_to_heap(+Pairs, -Heap)
%
%  Unifies Heap with a heap of the keys of Pairs, a list of Priority-Key.
%
%  ?- list_to_heap([3-c,1-a], _H), get_from_heap(_H, Priority, Key, _).
%  Priority = 1,
%  Key = a.

list_to_heap(Pairs, Heap) :-
    empty_heap(Empty),
    heap_add_all(Pairs, Empty, Heap).

heap_add_all([], Heap, Heap).
heap_add_all([Priority-Key|Pairs], Heap0, Heap) :-
    add_to_heap(Heap0, Priority, Key, Heap1),
    heap_add_all(Pairs, Heap1, Heap).

%% merge_heaps(+Heap0, +Heap1, -Heap)
%
%  Unifies Heap with a heap of the keys of Heap0 and Heap1.
%
%  ?- list_to_heap([1-a], _H0), list_to_heap([2-b], _H1), merge_heaps(_H0, _H1, _H), heap_to_list(_H, Pairs).
%  Pairs = [1-a, 2-b].

merge_heaps(heap(Left, LeftSize), heap(Right, RightSize), heap(Tree, Size)) :-
    heap_meld(Left, Right, Tree),
    Size is LeftSize + RightSize.

%% min_of_heap(+Heap, ?Priority, ?Key)
%
%  Unifies Priority and Key with the least priority in Heap and its key. Fails if Heap is empty.
%
%  ?- list_to_heap([3-c,1-a], _H), min_of_heap(_H, Priority, Key).
%  Priority = 1,
%  Key = a.

min_of_heap(heap(t(Key, Priority, _), _), Priority, Key).

%% peek_at_heap(+Heap, ?Priority, ?Key)
%
%  Peeks at the heap like min_of_heap/3.

peek_at_heap(Heap, Priority, Key) :-
    min_of_heap(Heap, Priority, Key).

%% min_of_heap(+Heap, ?Priority1, ?Key1, ?Priority2, ?Key2)
%
%  Unifies the arguments with the two least priorities in Heap and their keys. Fails if Heap holds fewer than
%  two keys.
%
%  ?- list_to_heap([3-c,1-a,2-b], _H), min_of_heap(_H, P1, K1, P2, K2).
%  P1 = 1,
%  K1 = a,
%  P2 = 2,
%  K2 = b.

min_of_heap(Heap, Priority1, Key1, Priority2, Key2) :-
    get_from_heap(Heap, Priority1, Key1, Rest),
    min_of_heap(Rest, Priority2, Key2).

%% is_heap(+Term)
%
%  True if Term is a heap: it has the form of a heap and its priorities are ordered.

is_heap(Term) :-
    nonvar(Term),
    Term = heap(Tree, Size),
    integer(Size),
    Size >= 0,
    nonvar(Tree),
    (   Tree == nil
    ->  Size =:= 0
    ;   heap_is_ordered([Tree])
    ).

heap_is_ordered([]).
heap_is_ordered([Tree|Trees]) :-
    nonvar(Tree),
    Tree = t(_, Priority, Below),
    is_list(Below),
    heap_is_above(Below, Priority),
    heap_join(Below, Trees, Left),
    heap_is_ordered(Left).

heap_is_above([], _).
heap_is_above([Tree|Trees], Priority) :-
    nonvar(Tree),
    Tree = t(_, Lower, _),
    Priority @=< Lower,
    heap_is_above(Trees, Priority).
