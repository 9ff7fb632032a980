% Lists, functions, loops and ranges as elsewhere; grammar rules without braces.
a(L) :- L = [1; 2; 3].
b(X) :- X is 7 % 2.
c(X) :- !member(X, [1]).
d(X) :- ~member(X, [1]).
e(X, Y, Z) :- Z = X ++ Y.
f(X::Xs) :- f(Xs), write(X).
g(L) :- length[L, 3].
h(X) :- member(X, 1..3).
i(X) :- X is .5 + 2.
j(X) :- ( X > 3 -> true, ; true ).
k(X) :- 1 < X < 3.
l(L) :- N is length(L) + sum_list(L) + nothing(L), write(N).
m(X) --> [C], C >= 0'0, { X is C - 0'0 }.
n(X) --> [Y], X is Y + 1.
o(L, M) :- maplist(X -> X+1, L, M).
:- o([1], _).
:- maplist([a, b], [1]).
