% Rules for grammar_rules.queries.

greeting --> [hello], who.

who --> [world].
who --> [prolog].

digits([D|Ds]) --> digit(D), digits(Ds).
digits([D]) --> digit(D).

digit(D) --> [D], { D >= 0'0, D =< 0'9 }.

anything([]) --> [].
anything([X|Xs]) --> [X], anything(Xs).

ab --> "ab".

choice(X) --> [a], !, { X = a }.
choice(X) --> [X].

either --> [a] ; [b].

unless --> \+ [a], [_].

cond(Y) --> ( [a] -> { Y = first } ; { Y = other } ).

looked, [b] --> [a], [b].

called --> call(rest_is, [c]).

rest_is(L, S0, S) :- append_lists(L, S, S0).

append_lists([], L, L).
append_lists([X|Xs], L, [X|Ys]) :- append_lists(Xs, L, Ys).

count(0) --> [].
count(N) --> [_], count(N0), { N is N0 + 1 }.

open_end(Xs) --> [a|Xs].
