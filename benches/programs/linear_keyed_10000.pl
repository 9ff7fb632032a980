% 10,000 facts with keys, taken by their keys in random order, 10 times. They are linear assumptions. In other
% systems they are clauses that are asserted and retracted.
% own: benches/linear/keyed.pl
% peers: benches/linear/keyed_database.pl

main :- rounds(10, 10000, 0, Sum), write(checksum(Sum)), nl.

rounds(0, _, Sum, Sum) :- !.
rounds(I, N, Sum0, Sum) :- take_all(N, N, 0, S), Sum1 is Sum0 + S, J is I - 1, rounds(J, N, Sum1, Sum).

% Each number below N, a power of ten, occurs once in N steps.
next_key(K, N, L) :- L is (K * 7921 + 12347) mod N.
