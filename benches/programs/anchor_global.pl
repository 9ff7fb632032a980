% Global variables: a counter, and a term that is read.
% without: gprolog gplc

main :-
    nb_setval(counter, 0),
    b_setval(state, f([a, b, c], _)),
    count(1500000),
    nb_getval(counter, Count),
    write(checksum(Count)), nl.

count(0) :- !.
count(N) :-
    nb_getval(counter, C),
    b_getval(state, f([_|_], _)),
    C1 is C + 1,
    nb_setval(counter, C1),
    N1 is N - 1,
    count(N1).
