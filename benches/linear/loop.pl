:- use_module(library(linear)).

loop(N, Last) :- count(0) -<> loop_(N, Last).

loop_(0, Last) :- !, count(Last).
loop_(N, Last) :- count(C), !, D is C + 1, M is N - 1, count(D) -<> loop_(M, Last).
