% Hints for words and signs of other languages, for texts in arithmetic, and for predicates that a program adds.
different(X, Y) :- X /= Y.
show(X) :- print X.
main:
    write(hello).
father(X, Y) : - male(X), parent(X, Y).
:- dynamic(counter/1, total/1).
small(X) :- X #<= 3.
number(N) --> digits(Ds), number_codes(N, Ds).
digits([]) --> [].
evens(L, E) :- include([X]>>(X mod 2 =:= 0), L, E).
p :- undefined_thing(1).
learn(X) :- assertz(known(X)).
:- initialization(known(_)).
:- X is "3" + 1, print(X).
:- format("~w~n", x, y).
:- write(hello, world).

% These are correct.
nat(0).
nat(N) :- nat(M), N is M + 1.
derive(X, D) :- T = 2 * X, simplify(T, D).
simplify(2 * X, X).
