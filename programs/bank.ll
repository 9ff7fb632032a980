% A database with transactions. Its facts are linear assumptions. An update consumes the old value and
% assumes the new one. A transaction that fails changes nothing: on backtracking, the assumptions that
% the failed goal consumed are available again.

MODULE bank.

% run Commands Answers: does the commands one after the other. At the end accounts may be left.
run nil nil :- erase.
run (C :: Cs) (A :: As) :- do C A (run Cs As).

% do Command Answer Goal: does a command and goes on with the goal. (`|` binds tighter than the comma.)
do (balance Name) (has Name B) G :- account Name B , (account Name B -o G).
do (deposit Name Amount) ok G :- account Name B , C is B + Amount , (account Name C -o G).
do (transfer From To Amount) A G :-
   taken From To Amount F T
   -> A = ok , (account From F -o account To T -o G)
   | (A = refused , G).
do (close Name) (paid Name B) G :- account Name B , G.

% taken From To Amount F T: F and T are what the two accounts will hold.
taken From To Amount F T :-
   account From B , Amount =< B , account To C , F is B - Amount , T is C + Amount.

% A day at the bank.
day Commands Answers :- account alice 100 -o account bob 50 -o run Commands Answers.
