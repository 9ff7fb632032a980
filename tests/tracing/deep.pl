% The same answers, and collections of garbage, while nothing is shown and while a spy point is heeded.
numbers(0, []).
numbers(N, [N|Ns]) :- N > 0, M is N-1, numbers(M, Ns).
work(0, _).
work(N, L) :- numbers(200, Ns), sum(Ns, 0, _), M is N-1, work(M, L).
sum([], S, S).
sum([X|Xs], S0, S) :- S1 is S0 + X, sum(Xs, S1, S).
deep(0, 0).
deep(N, S) :- M is N-1, deep(M, T), S is T + 1.
queens(N, Qs) :- numlist(1, N, Ns), select_all(Ns, [], Qs).
select_all([], Qs, Qs).
select_all(Ns, Qs0, Qs) :- select(Q, Ns, Rest), safe(Q, 1, Qs0), select_all(Rest, [Q|Qs0], Qs).
safe(_, _, []).
safe(Q, D, [Q1|Qs]) :- Q =\= Q1 + D, Q =\= Q1 - D, E is D + 1, safe(Q, E, Qs).
never.
