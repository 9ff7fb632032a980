% Magic sequences of length 10, 16, 20 and 40 by reified equations and sums: all solutions.
% gnu: benches/constraints/gnu.pl
% uses: benches/constraints/rounds.pl
% rounds: 100, swipl 6
:- use_module(library(clpfd)).

answer([Ten, Sixteen, Twenty, Forty]) :-
    sequences(10, Ten),
    sequences(16, Sixteen),
    sequences(20, Twenty),
    sequences(40, Forty).

sequences(N, Sequences) :- findall(Xs, ( magic(N, Xs), labeling([ff], Xs) ), Sequences).

magic(N, Xs) :-
    length(Xs, N),
    Greatest is N - 1,
    Xs ins 0..Greatest,
    occurrences(Xs, 0, Xs),
    sum(Xs, #=, N),
    findall(I, between(0, Greatest, I), Is),
    scalar_product(Is, Xs, #=, N).

occurrences([], _, _).
occurrences([Count|Counts], I, Xs) :-
    equal(Xs, I, Bs),
    sum(Bs, #=, Count),
    I1 is I + 1,
    occurrences(Counts, I1, Xs).

equal([], _, []).
equal([X|Xs], I, [B|Bs]) :- X #= I #<==> B, equal(Xs, I, Bs).
