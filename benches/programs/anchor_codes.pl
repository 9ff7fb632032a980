% A line of text split at its commas as a list of codes, its words counted and joined again.

main :-
    atom_codes('alpha,beta,gamma,delta,epsilon,zeta,eta,theta,iota,kappa,lambda,mu,nu,xi', Line),
    rounds(60000, Line, 0, Sum),
    write(checksum(Sum)), nl.

rounds(0, _, Sum, Sum) :- !.
rounds(N, Line, Sum0, Sum) :-
    split(Line, Words),
    length(Words, Count),
    joined(Words, New),
    length(New, Length),
    Sum1 is Sum0 + Count + Length,
    N1 is N - 1,
    rounds(N1, Line, Sum1, Sum).

split(Codes, [Word|Words]) :-
    word(Codes, Word, Rest),
    more(Rest, Words).

more([], []).
more([_|Codes], Words) :- split(Codes, Words).

word([], [], []).
word([C|Codes], [], [C|Codes]) :- C =:= 0',, !.
word([C|Codes], [C|Word], Rest) :- word(Codes, Word, Rest).

joined([Word], Word) :- !.
joined([Word|Words], Codes) :-
    joined(Words, Rest),
    append(Word, [0';|Rest], Codes).
