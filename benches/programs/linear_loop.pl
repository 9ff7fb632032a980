% A loop through a linear implication, 10 million times. Each turn assumes the next value of a counter
% and consumes it. In other systems the counter is an argument.
% note: each turn makes and consumes an assumption; the peers pass an argument
% own: benches/linear/loop.pl
% peers: benches/linear/loop_argument.pl

main :- loop(10000000, Last), write(checksum(Last)), nl.
