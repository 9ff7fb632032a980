MODULE foreign.
run 0.
run N :- N > 0 , (forall x \ (atom_length abc Y , Y = 3)) , M is N - 1 , run M.
