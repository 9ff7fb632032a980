% Loads the library for the queries beside; what quotients are right is found by trying all.

:- use_module(library(clpz)).

exact_quotients(N, Found, Right) :-
    Least is -N,
    findall(X-Y-Z, ([X,Y] ins Least..N, Z #= X / Y, label([X,Y])), Found),
    findall(X-Y-Z, (between(Least, N, X), between(Least, N, Y), quotient(X, Y, Z)), Right).

exact_truths(N, Found, Right) :-
    Least is -N,
    findall(B-X-Y, ([X,Y] ins Least..N, B #<==> (X / Y #> 1), label([X,Y])), Found),
    findall(B-X-Y, (between(Least, N, X), between(Least, N, Y), truth(X, Y, B)), Right).

quotient(X, Y, Z) :-
    Y =\= 0,
    X mod Y =:= 0,
    Z is X // Y.

truth(X, Y, B) :-
    (   quotient(X, Y, Z),
        Z > 1
    ->  B = 1
    ;   B = 0
    ).

% Numbers of values, before labeling and after it.

wrong_numbers(Wrong) :-
    findall(N-[X,Y,Z], ( domains(X, Y, Z), nvalue(N, [X,Y,Z,3]), label([X,Y,Z]) ), After),
    findall(N-[X,Y,Z], ( domains(X, Y, Z), label([X,Y,Z]), sort([X,Y,Z,3], Values), length(Values, N) ), Right),
    findall(Found-Expected, ( between(0, 5, N), numbered(N, After, Right, Found, Expected), Found \== Expected ), Some),
    ( After == Right -> Wrong = Some ; Wrong = [After-Right|Some] ).

domains(X, Y, Z) :-
    X in 1..4,
    Y in 2..5,
    Z in 0 \/ 3 \/ 7.

numbered(N, _, Right, Found, Expected) :-
    findall([X,Y,Z], ( domains(X, Y, Z), nvalue(N, [X,Y,Z,3]), label([X,Y,Z]) ), Found),
    findall(Values, member(N-Values, Right), Expected).
