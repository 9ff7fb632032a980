% What other languages and other systems have, and what word processors make of signs.
a(X) := b(X).
b(X) :- X := 3.
c(1),
c(2).
g(X), h(X) :- b(X).
d(1);
d(2).
e(X) : b(X).
f(X) : - b(X).
\+ i(X) :- b(X).
j(X) :- if (X > 3) { write(big) }.
k(X) :- if (X > 3) then write(big) else write(small).
l(N) :- while (N > 0) N is N - 1.
m(X) :- return X.
def n(X) :- b(X).
o(X) :– b(X).
p(X) :- X is 3 − 1.
q(X) –> b(X).
r(X) :- b(X)， e(X).
s :- write('don't').
t :- write("he said "no"").
u(X) :- X #> 3.
v(X) :- X in [1, 2, 3].
w(X) :- X ins 1 .
x(X) :- X is 1,5 + 2.
y(X) :- assertz(y(X) :- a, b).
z(X) :- assertz(y(X) :- a, b, c).
:- y(1).
:- use_module(library(list)).
:- use_module(library(no_such_thing)).
:- dynamic counter.
:- dynamic counter(a).
:- len([a], _).
:- no_module:len([a], _).
