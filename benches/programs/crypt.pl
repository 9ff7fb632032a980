% A multiplication whose digits are known only as even (E) or odd (O):
%     O E E * E E = E O E E + O E E 0 (shifted) = O O E E, searched digit by digit.

main :-
    rounds(4500, 0, Sum),
    write(checksum(Sum)), nl.

rounds(0, Sum, Sum) :- !.
rounds(N, Sum0, Sum) :-
    count_all(Found),
    Sum1 is Sum0 + Found,
    N1 is N - 1,
    rounds(N1, Sum1, Sum).

count_all(Sum) :-
    findall(P, puzzle(P), Products),
    total(Products, 0, Sum).

total([], Sum, Sum).
total([X|Xs], Sum0, Sum) :-
    Sum1 is Sum0 + X,
    total(Xs, Sum1, Sum).

puzzle(Product) :-
    odd(A), even(B), even(C),
    Multiplicand is A * 100 + B * 10 + C,
    lead(E), even_line(Multiplicand, E, Line1),
    lead(D), odd_line(Multiplicand, D, Line2),
    Product is Line1 + Line2 * 10,
    Product >= 1000, Product =< 9999,
    odd_digit(Product, 1000), odd_digit(Product, 100),
    even_digit(Product, 10), even_digit(Product, 1).

even_line(Multiplicand, E, Line) :-
    Line is Multiplicand * E,
    Line >= 1000, Line =< 9999,
    even_digit(Line, 1000), odd_digit(Line, 100),
    even_digit(Line, 10), even_digit(Line, 1).

odd_line(Multiplicand, D, Line) :-
    Line is Multiplicand * D,
    Line >= 100, Line =< 999,
    odd_digit(Line, 100), even_digit(Line, 10), even_digit(Line, 1).

even_digit(Number, Place) :- 0 is (Number // Place) mod 2.
odd_digit(Number, Place) :- 1 is (Number // Place) mod 2.

odd(1). odd(3). odd(5). odd(7). odd(9).
even(0). even(2). even(4). even(6). even(8).
lead(2). lead(4). lead(6). lead(8).
