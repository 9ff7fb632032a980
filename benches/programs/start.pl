% An empty program: the time and memory of starting and exiting, which are part of every other figure.

main :-
    write(checksum(0)), nl.
