% library(assoc): 40,000 keys are put, then all of them are looked up.
% without: gprolog gplc

:- use_module(library(assoc)).

main :-
    empty_assoc(Empty),
    put_all(40000, 1, Empty, Assoc),
    get_all(120000, 1, Assoc, 0, Sum),
    write(checksum(Sum)), nl.

put_all(0, _, Assoc, Assoc) :- !.
put_all(N, Key, Assoc0, Assoc) :-
    put_assoc(Key, Assoc0, N, Assoc1),
    Next is (Key * 25173 + 13849) mod 65536,
    N1 is N - 1,
    put_all(N1, Next, Assoc1, Assoc).

get_all(0, _, _, Sum, Sum) :- !.
get_all(N, Key, Assoc, Sum0, Sum) :-
    ( get_assoc(Key, Assoc, Value) -> Sum1 is Sum0 + Value ; Sum1 is Sum0 + 1 ),
    Next is (Key * 25173 + 13849) mod 65536,
    N1 is N - 1,
    get_all(N1, Next, Assoc, Sum1, Sum).
