% Knight's tours: a knight visits every square of a board, each once.
%
% Shows: the squares of a board of any size as linear assumptions. A visit consumes a square, and a tour
% is complete when no square is left.
%
% Tours are directed and open: a tour and its reverse are two tours, and the knight need not come back.
% The board of 5 by 5 squares has 1,728 tours, and 304 of them start in a given corner. Counting them
% takes some time:
%
%     ?- count_solutions (tour 5 5) N.
%     N <- 1728

MODULE knight.

% board R C G: proves G with the squares of R rows and C columns.
board 0 _C G :- G.
board R C G :- R > 0 , Q is R - 1 , row R C (board Q C G).

row _R 0 G :- G.
row R C G :- C > 0 , B is C - 1 , (square R C -o row R B G).

jump X Y A B :- step D E , A is X + D , B is Y + E.

step 1 2.  step 2 1.  step 2 ~1.  step 1 ~2.
step ~1 ~2.  step ~2 ~1.  step ~2 1.  step ~1 2.

% tour R C: a tour of the board from any square. One solution for each tour.
tour R C :- board R C (square X Y , visit X Y).

% tour_from X Y R C: a tour that starts on the square in row X and column Y.
tour_from X Y R C :- board R C (square X Y , visit X Y).

% visit X Y: the knight is on the square X Y and visits the remaining squares.
visit X Y :- jump X Y A B , square A B , visit A B.
visit _X _Y.

% route R C Route: Route has the squares of a tour in their order.
route R C Route :- board R C (square X Y , squares X Y Route).

squares X Y (X - Y :: Route) :- jump X Y A B , square A B , squares A B Route.
squares X Y (X - Y :: nil).
