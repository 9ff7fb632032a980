% 300,000 small terms written to a stream that keeps nothing.
% note: the texts of numbers and names are made before they are written

main :-
    open('/dev/null', write, Stream),
    put(1, 300000, Stream),
    close(Stream),
    write(checksum(done)), nl.

put(N, High, _) :- N > High, !.
put(N, High, Stream) :-
    writeq(Stream, item(N, [a, 'B c', X, Y, X], f(Y) + 2 * -3)),
    put_char(Stream, '.'),
    nl(Stream),
    N1 is N + 1,
    put(N1, High, Stream).
