% All placements of 8, 9 and 10 queens, by disequations of two variables.
% gnu: benches/constraints/gnu.pl
% uses: benches/constraints/rounds.pl
% rounds: 50, swipl 2
:- use_module(library(clpfd)).

answer([Eight, Nine, Ten]) :- placements(8, Eight), placements(9, Nine), placements(10, Ten).

placements(N, Count) :- findall(x, queens(N, _), Found), length(Found, Count).

queens(N, Queens) :- length(Queens, N), Queens ins 1..N, safe(Queens), labeling([], Queens).

safe([]).
safe([Queen|Queens]) :- apart(Queens, Queen, 1), safe(Queens).

apart([], _, _).
apart([Other|Others], Queen, D) :-
    Queen #\= Other,
    Queen #\= Other + D,
    Other #\= Queen + D,
    D1 is D + 1,
    apart(Others, Queen, D1).
