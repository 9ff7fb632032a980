% Code of quicksort/3, partition/4.
quicksort([], Sorted, Sorted).
quicksort([X|Xs], Sorted, Rest) :-
    partition(Xs, X, Small, Large),
    quicksort(Small, Sorted, [X|Middle]),
    quicksort(Large, Middle, Rest).

partition([], _, [], []).
partition([X|Xs], Pivot, Small, Large) :-
    (   X =< Pivot
    ->  Small = [X|Small1],
        partition(Xs, Pivot, Small1, Large)
    ;   Large = [X|Large1],
        partition(Xs, Pivot, Small, Large1)
    ).
