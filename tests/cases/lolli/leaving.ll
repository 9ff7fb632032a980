MODULE leaving.
LOCAL secret.
p X :- forall x \ q X x.
q X X.
r X :- forall x \ X = g x.
s X :- exists y \ forall x \ (t x -o t y).
u X :- forall x \ (copy_term (h x) X , nl).
v secret.
