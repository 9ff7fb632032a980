% All 304 knight's tours of a board of 5 by 5 from a corner. A square is a linear fact that the knight
% consumes. In other systems the squares are a list, and select/3 takes its elements.
% own: benches/linear/knight.pl
% peers: benches/linear/knight_lists.pl

main :- findall(t, tour, Tours), length(Tours, Length), write(checksum(Length)), nl.

jump(X, Y, A, B) :- step(D, E), A is X + D, A > 0, A < 6, B is Y + E, B > 0, B < 6.

step(1, 2).   step(2, 1).   step(2, -1).  step(1, -2).
step(-1, -2). step(-2, -1). step(-2, 1).  step(-1, 2).
