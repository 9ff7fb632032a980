% The letters of a text numbered by rank: pairs put into a tree, the tree walked, the numbers read off.

main :-
    atom_codes('a tree keeps the letters in order and their places say which comes before which', Codes),
    rounds(9000, Codes, 0, Sum),
    write(checksum(Sum)), nl.

rounds(0, _, Sum, Sum) :- !.
rounds(N, Codes, Sum0, Sum) :-
    ranks(Codes, Ranks),
    weighted(Ranks, 1, 0, Weight),
    Sum1 is (Sum0 + Weight) mod 1000003,
    N1 is N - 1,
    rounds(N1, Codes, Sum1, Sum).

weighted([], _, Sum, Sum).
weighted([R|Rs], I, Sum0, Sum) :-
    Sum1 is Sum0 + R * I,
    I1 is I + 1,
    weighted(Rs, I1, Sum1, Sum).

ranks(Codes, Ranks) :-
    paired(Codes, Ranks, Pairs),
    grown(Pairs, Tree),
    numbered(Tree, 1, _).

paired([], [], []).
paired([C|Cs], [R|Rs], [pair(C, R)|Ps]) :-
    paired(Cs, Rs, Ps).

grown([P|Ps], node(Left, P, Right)) :-
    parted(Ps, P, Smaller, Greater),
    grown(Smaller, Left),
    grown(Greater, Right).
grown([], leaf).

parted([P|Ps], Q, Smaller, Greater) :-
    order(P, Q, Order),
    part(Order, P, Ps, Q, Smaller, Greater).
parted([], _, [], []).

part(same, _, Ps, Q, Smaller, Greater) :- parted(Ps, Q, Smaller, Greater).
part(before, P, Ps, Q, [P|Smaller], Greater) :- parted(Ps, Q, Smaller, Greater).
part(after, P, Ps, Q, Smaller, [P|Greater]) :- parted(Ps, Q, Smaller, Greater).

% Equal letters share their rank.
order(pair(C, R), pair(C, R), same) :- !.
order(pair(C, _), pair(D, _), before) :- C < D, !.
order(_, _, after).

numbered(leaf, N, N).
numbered(node(Left, pair(_, N1), Right), N0, N) :-
    numbered(Left, N0, N1),
    N2 is N1 + 1,
    numbered(Right, N2, N).
