% Clauses that are probably not what was meant.
double(X, Y) :- Y = X * 2.
count(X) :- X is X + 1.
fact(0, 1).
fact(N, F) :- fact(N-1, G), F is N*G.
area(R, A) :- A is pie * R, A < bar(R).
anc(X, Y) :- anc(X, Z), par(Z, Y).
anc(X, Y) :- par(X, Y).
par(a, b).
max(X, _) :- !, write(X).
max(_, Y) :- write(Y).
max(_, _).

% What is all right.
:- table path/2.
path(X, Y) :- path(X, Z), par(Z, Y).
path(X, Y) :- par(X, Y).
pair(K, P) :- P = K-1.
len(s(N), M) :- len(N, M).
sum(E, V) :- E = A + 1, V is A + 1.
once_only(X) :- !, write(X).
other(_) :- !.

% Warnings are silenced by their names.
:- style_check(-arithmetic).
triple(X, Y) :- Y = X * 3.
:- style_check(+arithmetic).

% The part of the clause is marked that it is about.
step(0) :-
    atom_length(abc, L),
    (   L > 1
    ->  Y is L + foo
    ;   Y is foo * bar
    ),
    print(Y).

% Arithmetic that fails or raises an error whatever comes.
letter :- 1 is a.
letters(X) :- a < X, X > b+1.
ordered :- 1 > 2.
equal(X) :- ( X > 2 -> true ; 1+1 =:= 3 ).
another :- 3 is 1+1.
float :- 2.0 is 1+1.
named(Y) :- foo is Y.
reversed(X, Y) :- X+1 is Y.
empty(X) :- X is [] + 1.
more(X) :- X is "ab".
listed(X) :- X is `ab`.
known :- 2 is 1+1, 2 =:= 2.0, 1 < 2, X is "a" + [b] + [0'c], print(X).

% Predicates without arguments.
always :- !.
always :- write(more).
first :- !, fail.
first.
tested :- 1 < 2, !.
tested.
