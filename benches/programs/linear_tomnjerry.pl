% All layouts of Tom & Jerry, 300 times. Cards and squares are linear assumptions of a module of Lolli.
% In other systems they are lists, and select/3 takes their elements.
% modules: programs/tomnjerry.ll
% own: benches/linear/tomnjerry.pl
% peers: benches/linear/tomnjerry_lists.pl

main :- rounds(300, 0, Sum), write(checksum(Sum)), nl.

rounds(0, Sum, Sum) :- !.
rounds(N, Sum0, Sum) :-
    findall(Moves, layout(Moves), All),
    length(All, Length),
    Sum1 is Sum0 + Length,
    M is N - 1,
    rounds(M, Sum1, Sum).
