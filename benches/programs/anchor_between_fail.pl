% A failure-driven loop over forty million integers: the cost of a choice point and of failing.
% note: each new solution of a builtin takes some instructions of the machine; GNU Prolog compiles to machine code

main :-
    drive,
    write(checksum(done)), nl.

drive :- between(1, 40000000, _), fail.
drive.
