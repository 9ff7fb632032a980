% Nested limits, N levels deep.
calls(0).
calls(N) :- N > 0, N1 is N - 1, call_with_inference_limit(calls(N1), 100000000, _).
time(0).
time(N) :- N > 0, N1 is N - 1, call_with_time_limit(1000, time(N1)).
depth(0).
depth(N) :- N > 0, N1 is N - 1, call_with_depth_limit(depth(N1), 100000000, _).
% Limits that are left with choice points and taken up again.
again(0).
again(N) :- N > 0, N1 is N - 1, call_with_inference_limit(once_more(N1), 100000000, _).
once_more(N) :- again(N).
once_more(_).
deeper_again(0).
deeper_again(N) :- N > 0, N1 is N - 1, call_with_depth_limit(deeper_once_more(N1), 100000000, _).
deeper_once_more(N) :- deeper_again(N).
deeper_once_more(_).
