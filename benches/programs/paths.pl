% Shortest paths in a grid with weights: a queue in a pairing heap, distances in a tree of three-way nodes.

main :-
    search(140, Distance, Visited),
    write(checksum(Distance - Visited)), nl.

search(Size, Distance, Visited) :-
    Goal is Size * Size - 1,
    go(heap(0, 0, []), leaf, Size, Goal, 0, Distance, Visited).

go(Heap, Seen, Size, Goal, Count0, Distance, Count) :-
    taken(Heap, D, Node, Rest),
    ( Node =:= Goal -> Distance = D, Count = Count0
    ; put_new(Seen, Node, Seen1) ->
        Count1 is Count0 + 1,
        findall(E - M, edge(Node, Size, E, M), Edges),
        add_all(Edges, D, Rest, Heap1),
        go(Heap1, Seen1, Size, Goal, Count1, Distance, Count)
    ; go(Rest, Seen, Size, Goal, Count0, Distance, Count)
    ).

edge(N, Size, W, M) :- N mod Size < Size - 1, M is N + 1, weight(N, M, W).
edge(N, Size, W, M) :- N mod Size > 0, M is N - 1, weight(N, M, W).
edge(N, Size, W, M) :- N // Size < Size - 1, M is N + Size, weight(N, M, W).
edge(N, Size, W, M) :- N // Size > 0, M is N - Size, weight(N, M, W).

weight(A, B, W) :- W is (A * B * 7 + (A + B) * 13) mod 17 + 1.

add_all([], _, Heap, Heap).
add_all([W - M|Edges], D, Heap0, Heap) :-
    D1 is D + W,
    merged(heap(D1, M, []), Heap0, Heap1),
    add_all(Edges, D, Heap1, Heap).

merged(empty, H, H) :- !.
merged(H, empty, H) :- !.
merged(heap(A, X, Hs), heap(B, Y, Gs), heap(A, X, [heap(B, Y, Gs)|Hs])) :- A =< B, !.
merged(H, heap(B, Y, Gs), heap(B, Y, [H|Gs])).

taken(heap(D, Node, Hs), D, Node, Rest) :- paired(Hs, Rest).

paired([], empty).
paired([H], H) :- !.
paired([G, H|Hs], Heap) :-
    merged(G, H, M),
    paired(Hs, Rest),
    merged(M, Rest, Heap).

% Adds a new node. Fails if the tree already has it.
put_new(leaf, K, node(leaf, K, leaf)).
put_new(node(L, K, R), N, Tree) :-
    compare(Order, N, K),
    put_new(Order, L, K, R, N, Tree).

put_new(<, L, K, R, N, node(L1, K, R)) :- put_new(L, N, L1).
put_new(>, L, K, R, N, node(L, K, R1)) :- put_new(R, N, R1).
