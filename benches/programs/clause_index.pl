% Choosing among clauses by an argument other than the first, and by several kinds of constant.

main :-
    rounds(2500000, 1, 0, Sum),
    write(checksum(Sum)), nl.

rounds(0, _, Sum, Sum) :- !.
rounds(N, X, Sum0, Sum) :-
    Y is (X * 17 + 5) mod 12,
    colour(Y, C), number_of(Z, C), kind(_, C, K), value(K, V),
    Sum1 is Sum0 + Z + V,
    N1 is N - 1,
    rounds(N1, Y, Sum1, Sum).

colour(0, red). colour(1, green). colour(2, blue). colour(3, white). colour(4, black).
colour(5, pink). colour(6, grey). colour(7, brown). colour(8, orange). colour(9, violet).
colour(10, cyan). colour(11, lime).

number_of(0, red). number_of(1, green). number_of(2, blue). number_of(3, white).
number_of(4, black). number_of(5, pink). number_of(6, grey). number_of(7, brown).
number_of(8, orange). number_of(9, violet). number_of(10, cyan). number_of(11, lime).

kind(_, red, warm(1)). kind(_, green, cold(1)). kind(_, blue, cold(2)). kind(_, white, none).
kind(_, black, none). kind(_, pink, warm(2)). kind(_, grey, none). kind(_, brown, warm(3)).
kind(_, orange, [warm]). kind(_, violet, []). kind(_, cyan, 7). kind(_, lime, none).

value(none, 1).
value(warm(N), V) :- V is N + 10.
value(cold(N), V) :- V is N + 20.
value([], 30).
value([_|_], 40).
value(7, 50).
