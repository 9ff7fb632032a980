% Variables that some branches mention, and that are used after all of them.
:- dynamic([p/1, p/2, log/2]).
one(X) :- ( X = 1, Y = 2 ; X = 3 ), p(Y).
two(X) :-
    (   X > 0
    ->  Y = 1, Z = 1
    ;   X < 0
    ->  Z = 2
    ;   p(X, Y)
    ),
    print(Y-Z).
inner(X) :-
    (   p(X), ( p(1) -> Y = 1 ; true )
    ;   Y = 2
    ),
    write(Y).
grammar(X) --> ( [X], [Y] | [] ), [Y].
long(X, Y) :-
    (   X = 1,
        Z = 1
    ;   X = 2,
        Y = a, write('this branch is too long to be shown in the message'), nl
    ),
    Y = b, print(p(Z)).

% What is meant.
in_head(X, Y) :- ( X = 1, Y = 2 ; X = 3 ), p(Y).
before(X) :- p(Y), ( X = 1, p(X, Y) ; X = 3 ), p(Y).
no_way_out(X) :- ( X = 1, Y = 1 ; p(X), fail ; X = 3, throw(no(X)) ; p(X), ( fail ; p(2), false ) ), p(Y).
named_error(X) :- ( p(X, Y) -> true ; my_error(X) ), p(Y).
my_error(X) :- throw(X).
if_then(X) :- ( p(X) -> Y = 1 ), p(Y).
goes_with(X) :- ( p(X) -> p(Y, 1) ; true ), p(2), ( p(X) -> log(X, Y) ; true ).
default(X) :- ( p(X, Y) -> true ; true ), ( var(Y) -> Y = 1 ; true ), p(Y).
unified(X) :- ( p(X) -> Y = 1 ; true ), Y = X, p(Y).
negated(X) :- ( p(X) -> Y = 1 ; true ), \+ p(Y).
made(X) :- ( p(X) -> functor(Y, a, 1) ; true ), functor(Y, a, 1), p(Y).
all(X, L) :- ( p(X) -> Y = 1 ; true ), findall(Y, p(Y), L).
on_purpose(X) :- ( p(X) -> Y = 1 ; Y = _ ), p(Y).
:- style_check(-branches).
silent(X) :- ( X = 1, Y = 2 ; X = 3 ), p(Y).
