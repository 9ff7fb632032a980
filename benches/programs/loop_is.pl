% A loop of 200,000 steps whose numbers is/2 computes. fd_loop does the same with constraints.
% uses: benches/constraints/rounds.pl
% rounds: 50

answer(Sum) :- count(200000, 0, Sum).

count(N, Sum, Sum) :- N =:= 0.
count(N, Sum0, Sum) :-
    N > 0,
    Sum1 is Sum0 + (N * 3) rem 7,
    N1 is N - 1,
    count(N1, Sum1, Sum).
