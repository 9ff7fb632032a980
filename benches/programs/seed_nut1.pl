% uses: programs/nut1.pl
% peers: benches/library/misc.pl
% The cheating linguists five times: a large search, its solutions counted.

main :-
    nut1(N),
    nut1(N),
    nut1(N),
    nut1(N),
    nut1(N),
    write(checksum(N)), nl.
