MODULE singletons Param Other.
LOCAL hidden.
% Variables that occur once; parameters and local names are none of the clause.
edge Xstart Xend :- link Xstrat Xend.
link _ _Last :- hidden, Param.
LINEAR path X Y.
ok X :- forall y \ (p X y), exists Z \ (q Z).
twice A B :- (p A -> q B | p C).
