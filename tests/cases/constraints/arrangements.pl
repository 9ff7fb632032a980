% Loads the library for the queries beside, and defines what its constraints mean of integers.

:- use_module(library(clpfd)).

% same(Variables, Domains, Constraint, Check): the constraint has those solutions in the domains of the variables
% that Check is true of.
same(Vs, Domains, Constraint, Check) :-
    \+ \+ (
        Domains,
        findall(Vs, (Constraint, label(Vs)), Solutions),
        findall(Vs, (label(Vs), once(Check)), Solutions)
    ).

overlap(rectangle(X1, W1, Y1, H1), rectangle(X2, W2, Y2, H2)) :-
    X1 < X2 + W2,
    X2 < X1 + W1,
    Y1 < Y2 + H2,
    Y2 < Y1 + H1.

apart([]).
apart([R|Rs]) :-
    \+ ( member(Other, Rs), overlap(R, Other) ),
    apart(Rs).

% Squares of these sizes within a rectangle, the leftmost first.
packed(Width, Height, Sizes, Xs, Ys) :-
    maplist(square(Width, Height), Sizes, Xs, Ys, Squares),
    disjoint2(Squares),
    once(( labeling([min], Xs), labeling([min], Ys) )).

square(Width, Height, Size, X, Y, square(X, Size, Y, Size)) :-
    Right is Width - Size,
    Top is Height - Size,
    X in 0..Right,
    Y in 0..Top.

within(Tasks, Limit) :-
    forall(member(task(S, D, E, _, _), Tasks), ( D > 0, E =:= S + D )),
    forall(member(task(T, _, _, _, _), Tasks),
           (   findall(C, ( member(task(S, _, E, C, _), Tasks), S =< T, T < E ), Cs),
               sum_list(Cs, Sum),
               Sum =< Limit
           )).

one_by_one(Starts, Durations) :-
    \+ ( nth1(I, Starts, S1), nth1(J, Starts, S2), I < J,
         nth1(I, Durations, D1), nth1(J, Durations, D2),
         S1 + D1 > S2, S2 + D2 > S1 ).

way(Xs) :- length(Xs, N), way(1, Xs, N).

way(Node, Xs, Left) :-
    nth1(Node, Xs, Next),
    (   Next =:= 1
    ->  Left =:= 1
    ;   Left > 1,
        Less is Left - 1,
        way(Next, Xs, Less)
    ).

ascending([_]).
ascending([Xs,Ys|Lists]) :-
    Xs @=< Ys,
    ascending([Ys|Lists]).
