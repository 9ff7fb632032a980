% One placement each of 8 to 80 queens by first-fail search. Systems find different ones, so the program checks
% that no queen attacks another, and writes the numbers of queens.
% gnu: benches/constraints/gnu.pl
% uses: benches/constraints/rounds.pl
% rounds: 36, swipl 4, gplc 3, gprolog 3
:- use_module(library(clpfd)).

answer([8, 16, 32, 48, 64, 80]) :- first(8), first(16), first(32), first(48), first(64), first(80).

first(N) :- queens(N, Queens), !, checked(Queens).

queens(N, Queens) :- length(Queens, N), Queens ins 1..N, safe(Queens), labeling([ff], Queens).

safe([]).
safe([Queen|Queens]) :- apart(Queens, Queen, 1), safe(Queens).

apart([], _, _).
apart([Other|Others], Queen, D) :-
    Queen #\= Other,
    Queen #\= Other + D,
    Other #\= Queen + D,
    D1 is D + 1,
    apart(Others, Queen, D1).

checked([]).
checked([Queen|Queens]) :- no_attack(Queens, Queen, 1), checked(Queens).

no_attack([], _, _).
no_attack([Other|Others], Queen, D) :-
    Queen =\= Other,
    Queen =\= Other + D,
    Queen =\= Other - D,
    D1 is D + 1,
    no_attack(Others, Queen, D1).
