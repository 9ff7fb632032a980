% Tom & Jerry: nine cards that are to be laid out in a square of three by three.
%
% From a note of Frank Pfenning's on "Das verflixte Tom & Jerry Spiel" (Schmidt Spiele, 1989), which
% ends with this program, given here token for token.
%
% Shows: linear assumptions that are used up (cards and squares), permanent ones that come and go with
% the search (placed cards), a test under braces that may use permanent ones only.
%
% On the cards are the halves of four figures: p(ajamas), r(ags), w(ork clothes), l(eisure clothes). South
% and East sides show top halves, West and North sides bottom halves. `sq I X Y` is the square to be filled
% when I more are left after it, `card C S W N E` a card, `place X Y N E` a square that shows N and E.
%
%     ?- solve (s (s (s (s (s (s (s (s (s z))))))))) Moves.
%     Moves <- next c2 (next c8 (next c9 (next c4 (next c1 (next c3 (next c7 (next c5 (next c6 done))))))))

MODULE tomnjerry.

LINEAR sq (s (s (s (s (s (s (s (s z)))))))) z z.
LINEAR sq (s (s (s (s (s (s (s z))))))) (s z) z.
LINEAR sq (s (s (s (s (s (s z)))))) z (s z).
LINEAR sq (s (s (s (s (s z))))) (s (s z)) z.
LINEAR sq (s (s (s (s z)))) (s z) (s z).
LINEAR sq (s (s (s z))) z (s (s z)).
LINEAR sq (s (s z)) (s (s z)) (s z).
LINEAR sq (s z) (s z) (s (s z)).
LINEAR sq z (s (s z)) (s (s z)).

LINEAR card c1 r p l w.
LINEAR card c2 l w r p.
LINEAR card c3 l w r w.
LINEAR card c4 r w p l.
LINEAR card c5 l w r p.
LINEAR card c6 l p w r.
LINEAR card c7 p w l r.
LINEAR card c8 l p r w.
LINEAR card c9 r p l p.

check z z S W.
check z (s Y) S W :- place z Y S E.
check (s X) z S W :- place X z N W.
check (s X) (s Y) S W :- place X (s Y) N W , place (s X) Y S E.

solve (s I) (next C R) :-
   sq I X Y , card C S W N E ,
   {check X Y S W} ,
   (place X Y N E => solve I R).
solve z done.
