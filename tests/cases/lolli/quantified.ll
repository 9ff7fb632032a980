MODULE quantified.
start X :- (forall y \ (w y => inner X y)).
inner X Y :- w X.
inner X Y :- w Y, X = done.
