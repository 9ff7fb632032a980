% Nothing: the time and the memory of starting and leaving, part of every other figure.

main :-
    write(checksum(0)), nl.
