% Who keeps the zebra: unification of structures with many variables, shallow backtracking.

main :-
    rounds(1800, none, Owner),
    write(checksum(Owner)), nl.

rounds(0, Owner, Owner) :- !.
rounds(N, _, Owner) :-
    zebra(Found),
    N1 is N - 1,
    rounds(N1, Found, Owner).

% house(Nation, Colour, Drink, Smoke, Pet)
zebra(Owner) :-
    Street = [house(norwegian, _, _, _, _), _, house(_, _, milk, _, _), _, _],
    on(house(english, red, _, _, _), Street),
    on(house(spanish, _, _, _, dog), Street),
    on(house(_, green, coffee, _, _), Street),
    on(house(ukrainian, _, tea, _, _), Street),
    right_of(house(_, green, _, _, _), house(_, ivory, _, _, _), Street),
    on(house(_, _, _, winston, snails), Street),
    on(house(_, yellow, _, kool, _), Street),
    beside(house(_, _, _, chesterfield, _), house(_, _, _, _, fox), Street),
    beside(house(_, _, _, kool, _), house(_, _, _, _, horse), Street),
    on(house(_, _, juice, lucky, _), Street),
    on(house(japanese, _, _, parliament, _), Street),
    beside(house(norwegian, _, _, _, _), house(_, blue, _, _, _), Street),
    on(house(Owner, _, _, _, zebra), Street),
    on(house(_, _, water, _, _), Street), !.

on(X, [X|_]).
on(X, [_|Rest]) :-
    on(X, Rest).

right_of(Right, Left, [Left, Right|_]).
right_of(Right, Left, [_|Rest]) :-
    right_of(Right, Left, Rest).

beside(A, B, Street) :- right_of(A, B, Street).
beside(A, B, Street) :- right_of(B, A, Street).
