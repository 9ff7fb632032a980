MODULE wrong_modules.
a :- ().
b :- f {c}.
c :- d -> e.
d :- e | f.
e :- forall X Y.
g :- a \ b.
h :- [a | b].
i :- (a.
j :- a -o .
k :- X is -5.
l :- 'a.
