% without: gplc
% Small terms recorded with one key by recordz/2, then all of them looked up.

main :-
    add(1, 200000),
    findall(N, recorded(key, item(N, _)), Ns),
    length(Ns, Length),
    write(checksum(Length)), nl.

add(Low, High) :- Low > High, !.
add(Low, High) :-
    recordz(key, item(Low, a)),
    Next is Low + 1,
    add(Next, High).
