% Clauses for portray.queries.

portray(secret(_)) :- write('<hidden>').
portray(age(N)) :- integer(N), print(years(N)).
portray(broken) :- write(lost), fail.
portray(endless(X)) :- print(endless(X)).
portray(s(X)) :- write('<'), print(X), write('>').

% The number of letters that print/1 writes for a term of this many levels.
letters(Depth, Length) :-
    length(Levels, Depth),
    foldl([_, T, s(T)]>>true, Levels, z, Term),
    with_output_to(atom(Text), print(Term)),
    atom_length(Text, Length).
