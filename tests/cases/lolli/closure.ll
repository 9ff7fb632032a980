MODULE closure rel.
LOCAL path.
rel a b.
rel b c.
LINEAR rel c d.
path X X.
path X Z :- rel X Y, path Y Z.
reach X Y :- path X Y.
