% A loop of 200,000 steps with constraints whose operands are known. loop_is does the same with is/2.
% gnu: benches/constraints/gnu.pl
% uses: benches/constraints/rounds.pl
% rounds: 50, swipl 1, gplc 10, gprolog 10
:- use_module(library(clpfd)).

answer(Sum) :- count(200000, 0, Sum).

count(N, Sum, Sum) :- N #= 0.
count(N, Sum0, Sum) :-
    N #> 0,
    Sum1 #= Sum0 + (N * 3) rem 7,
    N1 #= N - 1,
    count(N1, Sum1, Sum).
