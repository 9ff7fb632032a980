% All layouts of Tom & Jerry with cards that may be turned, 5 times: cards and squares are linear
% assumptions of a module of Lolli. In other systems they are lists, and select/3 takes their elements.
% modules: programs/tjrot.ll
% own: benches/linear/tjrot.pl
% peers: benches/linear/tjrot_lists.pl

main :- rounds(5, 0, Sum), write(checksum(Sum)), nl.

rounds(0, Sum, Sum) :- !.
rounds(N, Sum0, Sum) :-
    findall(Moves, layout(Moves), All),
    length(All, Length),
    Sum1 is Sum0 + Length,
    M is N - 1,
    rounds(M, Sum1, Sum).
