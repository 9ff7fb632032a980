MODULE raising Limit.
LOCAL checked.

named X :- item X ,
   Y is X + a , item Y.
item 1.
last X :- last1 X.
last1 X :- atom_length X N.
local X :- checked X , item X.
checked X :- (X > Limit -> atom_length X N , item N | X < b , item X).
assumed X :- (inner Y :- Y is X + c , item Y) -o (inner Y , item Y).
missing X :- itm X , item X.
missing_last X :- itemm X.
wrapped X :- named X , item X.
