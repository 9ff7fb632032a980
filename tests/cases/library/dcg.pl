% Grammars for the queries beside.

many --> [].
many --> [a], many.

greeting --> "hello ", name.

name --> "tom".
name --> "ann".

pairs([]) --> [].
pairs([K-V|Ps]) --> [K,V], pairs(Ps).

digits([D|Ds]) --> digit(D), !, digits(Ds).
digits([]) --> [].

digit(D) --> [D], { D >= 0'0, D =< 0'9 }.

peek(X), [X] --> [X].

looking(X) --> peek(X), [b].

eq([X|Xs], Xs) :- X == a.

one_or_two(X) --> [X].
one_or_two(X-Y) --> [X,Y].

semicolon --> [;].
semicolon --> [;,;].

word([C|Cs]) --> [C], word_rest(Cs).

word_rest([]) --> [].
word_rest([C|Cs]) --> [C], word_rest(Cs).
