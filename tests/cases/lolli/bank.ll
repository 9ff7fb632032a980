MODULE bank.
% A variable of the first argument occurs in the second, and later.
run nil nil :- erase.
run (C :: Cs) (A :: As) :- do C A (run Cs As).
do (balance Name) (has Name B) G :- account Name B , (account Name B -o G).
do (close Name) (paid Name B) G :- account Name B , G.
