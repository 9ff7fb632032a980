% Five houses with five kinds of five things each: all 96 solutions of 19 clues.
% gnu: benches/constraints/gnu.pl
% uses: benches/constraints/rounds.pl
% rounds: 4000, swipl 60
:- use_module(library(clpfd)).

answer(Count-First) :-
    findall(Things, ( houses(Things), labeling([], Things) ), Solutions),
    length(Solutions, Count),
    Solutions = [First|_].

houses(Things) :-
    A = [A1,A2,A3,A4,A5], B = [B1,B2,B3,B4,B5], C = [C1,C2,C3,C4,C5], D = [D1,D2,D3,D4,D5], E = [E1,E2,E3,E4,E5],
    Things = [A1,A2,A3,A4,A5,B1,B2,B3,B4,B5,C1,C2,C3,C4,C5,D1,D2,D3,D4,D5,E1,E2,E3,E4,E5],
    A ins 1..5, B ins 1..5, C ins 1..5, D ins 1..5, E ins 1..5,
    all_different(A), all_different(B), all_different(C), all_different(D), all_different(E),
    C4 #= B4 + 1,
    E5 #= C3,
    D5 #\= C5,
    A1 #\= B2,
    (C1 - B2 #= 1) #\/ (B2 - C1 #= 1),
    C3 #= B5,
    (C4 - B1 #= 1) #\/ (B1 - C4 #= 1),
    (C1 - A3 #= 1) #\/ (A3 - C1 #= 1),
    B1 #= D1,
    B1 #= A2 + 1,
    (A1 - E4 #= 1) #\/ (E4 - A1 #= 1),
    (C5 - A2 #= 1) #\/ (A2 - C5 #= 1),
    D5 #= B2,
    B3 #= C5 + 1,
    (E5 - C2 #= 1) #\/ (C2 - E5 #= 1),
    A2 #= C4,
    A3 #= B2,
    A3 #= 4,
    D2 #= 1.
