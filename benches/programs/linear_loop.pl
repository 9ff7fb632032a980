% A loop through a linear implication, 10 million times: each turn assumes the next value of a counter
% note: each turn makes and consumes an assumption; the peers pass an argument
% and uses it up; elsewhere the counter is an argument.
% own: benches/linear/loop.pl
% peers: benches/linear/loop_argument.pl

main :- loop(10000000, Last), write(checksum(Last)), nl.
