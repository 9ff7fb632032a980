% Grammars over files that are longer than the memory.

long_file(File) :-
    open(File, write, Stream),
    forall(between(1, 600000, _), write(Stream, 'a line\n')),
    close(Stream).

lines(N0, N) --> [C], !, { C == 0'\n -> N1 is N0 + 1 ; N1 = N0 }, lines(N1, N).
lines(N, N) --> [].

% The same with a choice point that stays for a while.
ends(N0, N) --> upto, !, { N1 is N0 + 1 }, ends(N1, N).
ends(N, N) --> [].

upto --> [0'\n].
upto --> [_], upto.
