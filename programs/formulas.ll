% Formulas of linear logic, each a clause of its own: a formula is provable if its goal has a solution.
% Linear logic differs from other logics in the formulas that it does not prove: that a thing may be
% used twice (contraction) or not at all (weakening).

MODULE formulas.

% Tensor and linear implication.
identity :- a -o a.
exchange :- (a , b) -o (b , a).
modus_ponens :- a -o (a -o b) -o b.
composition :- (a -o b) -o (b -o c) -o a -o c.
currying :- (c :- a , b) -o a -o b -o c.
contraction :- a -o (a , a).
weakening :- a -o true.
weakened_twice :- a -o b -o a.

% With, plus, erase (top) and true (one).
both :- a -o (a & a).
first :- (a & b) -o a.
second :- (a & b) -o b.
not_both :- (a & b) -o (a , b).
either :- a -o (a ; b).
distribute :- ((c :- a) & (c :- b)) -o a -o c.
anything :- a -o b -o erase.
the_rest :- a -o b -o (a , erase).
one :- true.
unit :- a -o (true , a).

% Bang: assumptions for any number of uses.
dereliction :- a => a.
promotion :- a => {a}.
copies :- a => (a , a).
unused :- a => true.
no_promotion :- a -o {a}.
digging :- (a => b) => a => {b}.
shared :- {a & b} -o (a , b).

% Quantifiers.
every_some :- (forall x \ p x) -o (exists y \ p y).
one_is_all :- p a -o (forall x \ p x).
names :- forall x \ (p x -o p x).
swap :- (forall x \ forall y \ q x y) -o (forall y \ forall x \ q x y).
no_swap :- (forall x \ q x x) => (exists y \ forall x \ q x y).
