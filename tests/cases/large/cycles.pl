% A list of N times the same element that goes on with itself.
cycle(N, Element, Xs) :- length(Cycle, N), maplist(=(Element), Cycle), append(Cycle, Xs, Xs).

% The same with compounds, each of which contains the next one twice.
rounds(0, T, T) :- !.
rounds(N, T, f(U, U, g(K))) :- K is N mod 3, M is N - 1, rounds(M, T, U).
