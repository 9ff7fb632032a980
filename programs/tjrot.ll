% Tom & Jerry with cards that may be turned: the exercise of the note that tomnjerry.ll is from.
%
% The squares and the checks are those of tomnjerry.ll. A half of a figure is a top half, `t X`, or a
% bottom half, `b X`; `fit` tells which two make a figure, and `rot O S W N E …` how a card lies that is
% turned O times by a quarter.
%
% Shows: the same search with a larger space: two layouts, each on four sides, and twice more since the
% cards 2 and 5 are alike.

MODULE tjrot.

LINEAR sq (s (s (s (s (s (s (s (s z)))))))) z z.
LINEAR sq (s (s (s (s (s (s (s z))))))) (s z) z.
LINEAR sq (s (s (s (s (s (s z)))))) z (s z).
LINEAR sq (s (s (s (s (s z))))) (s (s z)) z.
LINEAR sq (s (s (s (s z)))) (s z) (s z).
LINEAR sq (s (s (s z))) z (s (s z)).
LINEAR sq (s (s z)) (s (s z)) (s z).
LINEAR sq (s z) (s z) (s (s z)).
LINEAR sq z (s (s z)) (s (s z)).

LINEAR card c1 (t r) (b p) (b l) (t w).
LINEAR card c2 (t l) (b w) (b r) (t p).
LINEAR card c3 (t l) (b w) (b r) (t w).
LINEAR card c4 (t r) (b w) (b p) (t l).
LINEAR card c5 (t l) (b w) (b r) (t p).
LINEAR card c6 (t l) (b p) (b w) (t r).
LINEAR card c7 (t p) (b w) (b l) (t r).
LINEAR card c8 (t l) (b p) (b r) (t w).
LINEAR card c9 (t r) (b p) (b l) (t p).

rot r0 S W N E S W N E.
rot r1 S W N E W N E S.
rot r2 S W N E N E S W.
rot r3 S W N E E S W N.

fit (t X) (b X).
fit (b X) (t X).

check z z _S _W.
check z (s Y) S _W :- place z Y N _E , fit N S.
check (s X) z _S W :- place X z _N E , fit E W.
check (s X) (s Y) S W :- place X (s Y) _N1 E1 , fit E1 W , place (s X) Y N2 _E2 , fit N2 S.

solve (s I) (next (at C O) R) :-
   sq I X Y , card C S0 W0 N0 E0 ,
   rot O S0 W0 N0 E0 S W N E ,
   {check X Y S W} ,
   (place X Y N E => solve I R).
solve z done.
