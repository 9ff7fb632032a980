% uses: programs/enigma.pl
% without: gplc
% Enigma 1225: every total of a square of size 8 by setof/3.

main :-
    setof(Total, M^Freq^Perm^square(8, M, Total, Freq, Perm), Totals),
    write(checksum(Totals)), nl.
