% N goals with cleanups that may have other solutions.
kept(0).
kept(N) :- N > 0, call_cleanup(member(_, [1, 2]), true), N1 is N - 1, kept(N1).
