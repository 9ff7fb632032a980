% Paths and cycles through all vertices of a graph. A vertex is a linear assumption, and a visit consumes
% it. A path is complete when no vertex is left.

MODULE hamilton.

% The edges of a cube. icosian.ll has the larger graph of a dodecahedron.
edge a b. edge b c. edge c d. edge d a.
edge e f. edge f g. edge g h. edge h e.
edge a e. edge b f. edge c g. edge d h.

next X Y :- edge X Y.
next X Y :- edge Y X.

cube G :- vertex b -o vertex c -o vertex d -o vertex e -o vertex f -o vertex g -o vertex h -o G.

walk X (X :: nil).
walk X (X :: Path) :- next X Y , vertex Y , walk Y Path.

path Path :- cube (walk a Path).

% A cycle ends where an edge leads back.
round X Start (X :: Start :: nil) :- next X Start.
round X Start (X :: Path) :- next X Y , vertex Y , round Y Start Path.

cycle Path :- cube (round a a Path).
