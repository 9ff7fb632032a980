% The rounds of the benches of constraints. The tool adds rounds(N). The program defines answer/1. Each round
% finds its first answer and undoes the bindings. With 0 rounds the program only starts and loads.

main :-
    rounds(N),
    forall(between(2, N, _), answer(_)),
    ( N =:= 0 -> Answer = none ; once(answer(Answer)) ),
    write(checksum(Answer)), nl.
