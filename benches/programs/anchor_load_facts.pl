% facts: 200000
% without: gplc
% Loading a file of 200,000 facts of three arguments, then two look-ups.

main :-
    fact(199999, Name, _),
    fact(Number, Name, _),
    write(checksum(Number)), nl.
