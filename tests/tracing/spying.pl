main :- step(1), step(2).
step(N) :- check(N), double(N, M), write(M), nl.
check(_).
double(N, M) :- M is N * 2.
