loop(N, Last) :- loop_(N, 0, Last).

loop_(0, Last, Last) :- !.
loop_(N, C, Last) :- D is C + 1, M is N - 1, loop_(M, D, Last).
