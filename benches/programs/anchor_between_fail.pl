% A failure-driven loop over forty million integers: the cost of a choice point and of failing.

main :-
    drive,
    write(checksum(done)), nl.

drive :- between(1, 40000000, _), fail.
drive.
