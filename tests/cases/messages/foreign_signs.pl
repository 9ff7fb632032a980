% Signs and words of other languages.
a(X) :- X <= 3.
b(X) :- X != 3.
c(X) :- X == 1 or X == 2.
d(X) :- X > 1 && X < 3.
e(X) :- X > 1 || X < 0.
f(X) :- if X > 3 then write(big) else write(small).
g(X) :- X := 3.
h(X) :- not p(X).
i(X) :- X => 3.
j(X) :- p(X) q(X).
k(X) :- p(X),.
arrow(X) <- p(X).
long(X) :-- p(X).
double(X) ==> p(X).
turned(X) -: p(X).
increment(X) :- X++.
no_break blank.
no_break (X).
zero_width​(X).
