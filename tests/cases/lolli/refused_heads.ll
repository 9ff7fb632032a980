MODULE refused_heads.
Foo x.
known x :- Foo x.
Neg X :- known X.
