% Clauses whose bodies assume, quantify and unify: goals that are compiled in place.
MODULE compiled.

older :- exists x \ forall y \ y = x.
younger :- forall y \ exists x \ y = x.
around Q :- forall x \ ((c -o f Q) -o c -o f a).
after Q R :- (forall x \ t) -o t , R = f Q.

first (X c).
first (g c).
second a (X c) applied.
second a (g c) plain.

LINEAR (same A , true).
