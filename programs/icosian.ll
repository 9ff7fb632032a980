% The Icosian Game: round trips through all corners of a dodecahedron.
%
% A game of 1857 (William Rowan Hamilton). The corners are towns, and the edges are roads.
%
% Shows: a larger graph than that of hamilton.ll, with roads as clauses in place of facts.
%
% Trips start in one town and are directed: there are 60. Without directions there are 30.
%
%     ?- count_solutions trip N.
%     N <- 60

MODULE icosian.

% The towns are in four rings of five: a is the top of the solid, b and c are its middle, d is its bottom.
edge (a I) (a J) :- after I J.
edge (a I) (b I).
edge (b I) (c I).
edge (c I) (b J) :- after I J.
edge (c I) (d I).
edge (d I) (d J) :- after I J.

after 1 2.  after 2 3.  after 3 4.  after 4 5.  after 5 1.

road X Y :- edge X Y.
road X Y :- edge Y X.

% towns G: proves G with the towns that the trip has not visited yet. A trip starts in a 1.
towns G :-
   town (a 2) -o town (a 3) -o town (a 4) -o town (a 5) -o
   town (b 1) -o town (b 2) -o town (b 3) -o town (b 4) -o town (b 5) -o
   town (c 1) -o town (c 2) -o town (c 3) -o town (c 4) -o town (c 5) -o
   town (d 1) -o town (d 2) -o town (d 3) -o town (d 4) -o town (d 5) -o G.

% trip: one solution for each trip.
trip :- towns (visit (a 1)).

% visit X: the trip goes from the town X through all remaining towns and back to a 1.
visit X :- road X (a 1).
visit X :- road X Y , town Y , visit Y.

% route Route: Route has the towns of a trip in their order.
route Route :- towns (stops (a 1) Route).

stops X (X :: nil) :- road X (a 1).
stops X (X :: Route) :- road X Y , town Y , stops Y Route.
