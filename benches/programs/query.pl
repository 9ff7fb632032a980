% A query of a database: countries of nearly equal density, areas and populations as facts.

main :-
    rounds(6500, 0, Sum),
    write(checksum(Sum)), nl.

rounds(0, Sum, Sum) :- !.
rounds(N, Sum0, Sum) :-
    findall(C + D, alike(C, D), Pairs),
    length(Pairs, Count),
    Sum1 is Sum0 + Count,
    N1 is N - 1,
    rounds(N1, Sum1, Sum).

alike(C, D) :-
    density(C, A),
    density(D, B),
    A > B,
    20 * A < 21 * B.

density(C, D) :-
    people(C, P),
    area(C, A),
    D is P * 100 // A.

% Thousands of people, thousands of square kilometres.
people(norway, 5500). people(sweden, 10600). people(finland, 5600). people(denmark, 5900).
people(germany, 84000). people(france, 68000). people(spain, 48000). people(portugal, 10400).
people(italy, 59000). people(austria, 9100). people(hungary, 9600). people(poland, 37000).
people(greece, 10400). people(bulgaria, 6400). people(romania, 19000). people(ireland, 5300).
people(japan, 124000). people(india, 1420000). people(china, 1410000). people(brazil, 203000).
people(canada, 40000). people(mexico, 129000). people(egypt, 105000). people(kenya, 51000).
people(ghana, 33000).

area(norway, 385). area(sweden, 450). area(finland, 338). area(denmark, 43).
area(germany, 358). area(france, 544). area(spain, 506). area(portugal, 92).
area(italy, 302). area(austria, 84). area(hungary, 93). area(poland, 313).
area(greece, 132). area(bulgaria, 111). area(romania, 238). area(ireland, 70).
area(japan, 378). area(india, 3287). area(china, 9597). area(brazil, 8510).
area(canada, 9985). area(mexico, 1964). area(egypt, 1002). area(kenya, 580).
area(ghana, 239).
