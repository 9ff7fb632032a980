% Loads the library for the queries beside.

:- use_module(library(clpfd)).

% Two counters: how often 1 and 0 occur in a list of two elements that has a 1.

two_counts(Xs, Counts) :-
    Xs = [_, _],
    automaton(Xs, _, Xs, [source(a), sink(b)],
        [arc(a, 0, a, [M, N + 1]), arc(a, 1, b, [M + 1, N]), arc(b, 1, b, [M + 1, N]), arc(b, 0, b, [M, N + 1])],
        [M, N], [0, 0], Counts),
    label(Xs).

% Formulas of tuples whose labeling differs from trying all values.

relation([[0,0,1],[0,1,1],[0,2,1],[1,0,2],[1,2,2],[2,1,0],[2,1,0]]).

wrong_truths(Wrong) :-
    relation(Relation),
    findall(B-[X,Y,Z], ( [X,Y,Z] ins 0..2, B #<==> tuples_in([[X,Y,Z]], Relation), label([X,Y,Z]) ), After),
    findall(B-[X,Y,Z], ( [X,Y,Z] ins 0..2, label([X,Y,Z]), truth([X,Y,Z], Relation, B) ), Right),
    findall(0-[X,Y,Z], ( [X,Y,Z] ins 0..2, 0 #<==> tuples_in([[X,Y,Z]], Relation), label([X,Y,Z]) ), Outside),
    findall(0-Tuple, member(0-Tuple, Right), RightOutside),
    findall(Found, ( member(Found-Expected, [After-Right, Outside-RightOutside]), Found \== Expected ), Wrong).

truth(Tuple, Relation, B) :-
    (   memberchk(Tuple, Relation)
    ->  B = 1
    ;   B = 0
    ).
