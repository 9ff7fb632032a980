% Domino tilings: dominoes cover a board, and each covers two squares side by side.
%
% Shows: squares as linear assumptions, and a condition. The search takes a free square and commits to it: a
% domino must cover that square, so each tiling is found once. COUNT_MEMO: the ways to cover the remaining
% squares are counted once for each set of squares. tilings.pl has the same problem in Prolog.
%
% The board of 4 by 4 squares has 36 tilings, the board of 6 by 6 has 6,728. A chess board has 12,988,816:
%
%     ?- count_solutions (tiling 8 8) N.
%     N <- 12988816

MODULE tilings_linear.
COUNT_MEMO cover.

% tiling R C: dominoes cover the board. One solution for each tiling.
tiling R C :- board R C cover.

% board R C G: proves G with the squares of R rows and C columns. The newest is the first one in row 1.
board 0 _C G :- G.
board R C G :- R > 0 , Q is R - 1 , row R C (board Q C G).

row _R 0 G :- G.
row R C G :- C > 0 , B is C - 1 , (square R C -o row R B G).

% cover: covers the remaining squares. The newest one has no free square on its left or above it.
cover :- square X Y -> (beside X Y A B , square A B , cover) | true.

% beside X Y A B: A B is the next square on the right, or the next one below.
beside X Y X B :- B is Y + 1.
beside X Y A Y :- A is X + 1.
