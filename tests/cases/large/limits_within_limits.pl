% Limits within each other, so many.
calls(0).
calls(N) :- N > 0, N1 is N - 1, call_with_inference_limit(calls(N1), 100000000, _).
time(0).
time(N) :- N > 0, N1 is N - 1, call_with_time_limit(1000, time(N1)).
