% Hooks of the system may be defined anywhere and in several files: nothing is told of it.
portray(secret) :- write(hidden).
term_expansion(one, p(1)).
one.
term_expansion(two, q(2)).
two.
portray(other) :- write(hidden_too).
:- initialization(assertz(portray(third))).
:- initialization(( findall(X, ( p(X) ; q(X) ), L), print_message(error, format("~p", [[secret, other, L]])) )).
