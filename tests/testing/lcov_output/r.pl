r(1). r(2).
r(3).
r(X) :- integer(X), X > 9.
