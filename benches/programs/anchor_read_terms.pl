% Terms read by read/2 from a file of 500 terms, which is read repeatedly.

main :-
    open('read_terms.tmp', write, Stream),
    put(1, 500, Stream),
    close(Stream),
    rounds(200, 0, Sum),
    write(checksum(Sum)), nl.

put(N, High, _) :- N > High, !.
put(N, High, Stream) :-
    write(Stream, 'item('), write(Stream, N),
    write(Stream, ', [a, \'B c\', X, Y, X | Z], f(Y) + 2 * -3, \"text\") :- Z = {Y}, \\+ g(X).'),
    nl(Stream),
    N1 is N + 1,
    put(N1, High, Stream).

rounds(0, Sum, Sum) :- !.
rounds(N, Sum0, Sum) :-
    open('read_terms.tmp', read, Stream),
    read(Stream, Term),
    gather(Term, Stream, Sum0, Sum1),
    close(Stream),
    N1 is N - 1,
    rounds(N1, Sum1, Sum).

gather(end_of_file, _, Sum, Sum) :- !.
gather((item(N, _, _, _) :- _), Stream, Sum0, Sum) :-
    Sum1 is Sum0 + N,
    read(Stream, Term),
    gather(Term, Stream, Sum1, Sum).
