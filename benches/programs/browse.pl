% Matching patterns with gaps against a small database of property lists.

main :-
    items(120, 17, Items),
    patterns(Patterns),
    rounds(300, Items, Patterns, 0, Sum),
    write(checksum(Sum)), nl.

rounds(0, _, _, Sum, Sum) :- !.
rounds(N, Items, Patterns, Sum0, Sum) :-
    findall(Weight, found(Items, Patterns, Weight), Weights),
    total(Weights, Sum0, Sum1),
    N1 is N - 1,
    rounds(N1, Items, Patterns, Sum1, Sum).

total([], Sum, Sum).
total([X|Xs], Sum0, Sum) :-
    Sum1 is Sum0 + X,
    total(Xs, Sum1, Sum).

found(Items, Patterns, Weight) :-
    element(item(Weight, Properties), Items),
    element(Property, Properties),
    element(Pattern, Patterns),
    \+ \+ match(Pattern, Property).

element(X, [X|_]).
element(X, [_|Xs]) :- element(X, Xs).

% A pattern is a list: gap stands for any elements, like(X) for a list that matches X.
match([], []).
match([gap|Pattern], Text) :-
    tail(Text, Rest),
    match(Pattern, Rest).
match([like(X)|Pattern], [Y|Text]) :-
    match(X, Y),
    match(Pattern, Text).
match([is(X)|Pattern], [X|Text]) :-
    match(Pattern, Text).

tail(Xs, Xs).
tail([_|Xs], Ys) :- tail(Xs, Ys).

patterns([[is(X), gap, is(b), gap, is(X), gap],
          [gap, is(Y), is(Y), gap, like([gap, is(Y)])],
          [gap, is(b), gap, is(Z), gap, is(a), gap, is(Z)],
          [is(c), gap, like([is(d), gap, is(W)]), gap, is(W)]]).

items(0, _, []) :- !.
items(N, Seed, [item(N, [P1, P2, P3])|Rest]) :-
    property(8, Seed, S1, P1),
    property(9, S1, S2, P2),
    property(10, S2, S3, P3),
    N1 is N - 1,
    items(N1, S3, Rest).

property(0, S, S, []) :- !.
property(N, S0, S, [E|Es]) :-
    S1 is (S0 * 137 + 57) mod 1021,
    K is S1 mod 6,
    letter(K, S1, E),
    N1 is N - 1,
    property(N1, S1, S, Es).

letter(0, _, a).
letter(1, _, b).
letter(2, _, c).
letter(3, _, d).
letter(4, _, b).
letter(5, S, [d, a, L]) :- K is S mod 5, letter(K, S, L).
