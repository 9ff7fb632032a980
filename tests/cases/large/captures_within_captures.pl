% Nested captures of output, N levels deep.
captured(0).
captured(N) :- N > 0, N1 is N - 1, with_output_to(atom(_), captured(N1)).
without_end(0) :- repeat, fail.
without_end(N) :- N > 0, N1 is N - 1, with_output_to(atom(_), without_end(N1)).
