MODULE listed Most.
LOCAL hidden.
len nil 0.
len (_X :: Xs) N :-
   len Xs M ,   % one more
   N is M + 1.
len Xs N Least :- len Xs N , Least =< N , Most >= N.
coin 1 & coin 2.
coin N & note N :- hidden N.
hidden 3.
