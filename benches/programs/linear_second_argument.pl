% 10,000 facts with the same first argument, taken by the second one, the oldest first, 10 times. They are linear
% assumptions. In other systems they are clauses that are asserted and retracted.
% own: benches/linear/second_argument.pl
% peers: benches/linear/second_argument_database.pl

main :- rounds(10, 10000), write(checksum(10)), nl.

rounds(0, _) :- !.
rounds(I, N) :- take_all(N, N), J is I - 1, rounds(J, N).
